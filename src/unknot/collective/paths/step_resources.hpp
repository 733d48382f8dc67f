// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/paths/pair_paths.hpp"
#include "unknot/collective/symmetry/symmetry.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// What transfers share in a step: arcs; under half duplex links, where they carry less than their arcs; the
/// ports of nodes that have fewer of them than channels. Numbered in one row, each with how many transfers of
/// one step it is enough for.
///
/// Where each transfer stands for all its images under a symmetry, resources are those of one arc, link or
/// node of each orbit: all images together take as much of every member as one takes of the orbit. Links and
/// nodes may lie in orbits of fewer members than there are images: what one has is shared then.
class SharedResources {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  SharedResources(const Problem& problem, const Symmetry& symmetry);

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(capacity_.size()); }
  [[nodiscard]] std::uint32_t capacity(std::uint32_t resource) const { return capacity_[resource]; }
  [[nodiscard]] std::uint32_t of_arc(ArcId a) const { return of_arc_[a.value]; }
  /// Of the link that an arc is half of, of the ports that a node sends by, or receives by; kNone where what
  /// the arcs carry is all there is to it.
  [[nodiscard]] std::uint32_t of_link(ArcId a) const { return of_link_[a.value]; }
  [[nodiscard]] std::uint32_t of_sender(NodeId n) const { return sender_[n.value]; }
  [[nodiscard]] std::uint32_t of_receiver(NodeId n) const { return receiver_[n.value]; }
  [[nodiscard]] bool arcs_alone() const { return arcs_alone_; }

 private:
  std::uint32_t add(std::uint32_t capacity) {
    capacity_.push_back(capacity);
    return count() - 1;
  }
  std::vector<std::uint32_t> capacity_;
  std::vector<std::uint32_t> of_arc_, of_link_;   // by arc
  std::vector<std::uint32_t> sender_, receiver_;  // by node
  bool arcs_alone_ = true;
};

/// What each path of a set takes of these.
class StepResources {
 public:
  /// InputError where they are too many; Interrupted. O(arcs of all paths).
  StepResources(const Problem& problem, const PairPaths& paths, const Symmetry& symmetry,
                const Progress& progress = {});

  [[nodiscard]] std::uint32_t count() const { return shared_.count(); }
  [[nodiscard]] std::uint32_t capacity(std::uint32_t resource) const { return shared_.capacity(resource); }
  /// What a path of the sets takes.
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t path) const {
    return {taken_.data() + begin_[path], taken_.data() + begin_[path + 1]};
  }

 private:
  SharedResources shared_;
  std::vector<std::uint32_t> begin_{0};
  std::vector<std::uint32_t> taken_;
};

/// Conflicts of a set of transfers: for each step and resource the pairs of transfers that cannot have it
/// both. Of n transfers on a resource that is enough for c, (n - c + 1 over 2). 0: they can all be sent.
/// [Jaros 2010, section 6.4, with capacities]
///
/// Each counter starts below zero by the capacity; what it shows after a transfer is added, where
/// positive, are the conflicts that came with it.
class Conflicts {
 public:
  Conflicts(const StepResources& resources, std::uint32_t steps) : resources_(&resources) {
    for (std::uint32_t s = 0; s < steps; ++s) {
      for (std::uint32_t r = 0; r < resources.count(); ++r)
        empty_.push_back(-static_cast<std::int32_t>(resources.capacity(r)));
    }
    counters_ = empty_;
  }
  void clear() {
    counters_ = empty_;
    total_ = 0;
  }
  void add(std::uint32_t path, std::uint32_t step) {
    std::int32_t* const row = counters_.data() + std::size_t{step} * resources_->count();
    for (const std::uint32_t r : resources_->of(path)) {
      const std::int32_t over = ++row[r];
      total_ += static_cast<std::uint64_t>(over > 0 ? over : 0);
    }
  }
  void remove(std::uint32_t path, std::uint32_t step) {
    std::int32_t* const row = counters_.data() + std::size_t{step} * resources_->count();
    for (const std::uint32_t r : resources_->of(path)) {
      const std::int32_t over = row[r]--;
      total_ -= static_cast<std::uint64_t>(over > 0 ? over : 0);
    }
  }
  /// Conflicts that this transfer would bring.
  [[nodiscard]] std::uint32_t more(std::uint32_t path, std::uint32_t step) const {
    const std::int32_t* const row = counters_.data() + std::size_t{step} * resources_->count();
    std::uint32_t sum = 0;
    for (const std::uint32_t r : resources_->of(path))
      sum += static_cast<std::uint32_t>(std::max(row[r] + 1, 0));
    return sum;
  }
  /// This transfer, which has been added, is in conflict with others.
  [[nodiscard]] bool any(std::uint32_t path, std::uint32_t step) const {
    const std::int32_t* const row = counters_.data() + std::size_t{step} * resources_->count();
    for (const std::uint32_t r : resources_->of(path)) {
      if (row[r] > 0) return true;
    }
    return false;
  }
  /// Of all steps together; more than 2^32 - 1 count as this many.
  [[nodiscard]] std::uint32_t total() const {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(total_, 0xFFFFFFFFU));
  }

 private:
  const StepResources* resources_;
  std::vector<std::int32_t> empty_, counters_;  // by step and resource
  std::uint64_t total_ = 0;
};

}  // namespace unknot
