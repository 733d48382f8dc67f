// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace unknot {

/// Channel dependency graph (Dally and Seitz 1987) in compressed rows. A vertex is a channel on a lane:
/// lane * channel_count + channel; an arc says that some packet holds the first and may wait for the second.
/// Parallel arcs do not occur when made from distinct pairs.
class DependencyGraph {
 public:
  using Vertex = std::uint32_t;

  DependencyGraph() = default;
  /// `for_each_arc(visit)` calls visit(from, to) for every arc, the same ones in the same order each time; it
  /// is called twice. `used` has one entry a vertex: some packet takes it. O(vertices + arcs).
  template <class ForEachArc>
  DependencyGraph(std::uint32_t channels, std::uint32_t lanes, std::vector<std::uint8_t> used,
                  const ForEachArc& for_each_arc)
      : channels_(channels), lanes_(lanes), used_(std::move(used)), first_(used_.size() + 1, 0) {
    for_each_arc([&](Vertex from, Vertex) { ++first_[from + std::size_t{1}]; });
    for (std::size_t v = 0; v < used_.size(); ++v) first_[v + 1] += first_[v];
    head_.resize(static_cast<std::size_t>(first_.back()));
    std::vector<std::uint64_t> at(first_.begin(), first_.end() - 1);
    for_each_arc([&](Vertex from, Vertex to) { head_[static_cast<std::size_t>(at[from]++)] = to; });
  }

  [[nodiscard]] std::uint32_t vertex_count() const { return static_cast<std::uint32_t>(used_.size()); }
  [[nodiscard]] std::uint64_t arc_count() const { return head_.size(); }
  [[nodiscard]] std::uint32_t channel_count() const { return channels_; }
  [[nodiscard]] std::uint32_t lane_count() const { return lanes_; }
  [[nodiscard]] bool used(Vertex v) const { return used_[v] != 0; }
  [[nodiscard]] std::span<const Vertex> next(Vertex v) const {
    return {head_.data() + first_[v], head_.data() + first_[v + std::size_t{1}]};
  }
  [[nodiscard]] std::uint32_t channel_of(Vertex v) const { return v % channels_; }
  [[nodiscard]] std::uint32_t lane_of(Vertex v) const { return v / channels_; }

 private:
  std::uint32_t channels_ = 0;
  std::uint32_t lanes_ = 0;
  std::vector<std::uint8_t> used_;
  std::vector<std::uint64_t> first_{0};
  std::vector<Vertex> head_;
};

}  // namespace unknot
