// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/dependency_bits.hpp"

namespace unknot {

/// One lane's channel dependency graph, kept free of cycles while dependencies are added.
///
/// A topological order of the channels is maintained [Pearce, Kelly 2007]: a new dependency that agrees with
/// it costs nothing; one that does not is looked into only between the two places it joins. Dependencies that
/// were found to close a cycle are remembered, since a lane that only grows will never take them.
class AcyclicLane {
 public:
  /// A channel, and the position of the next one among those out of the router it enters.
  struct Dependency {
    std::uint32_t from;
    std::uint32_t entry;
  };

  /// Space of the searches, shared by all lanes of a network.
  struct Scratch {
    explicit Scratch(const Network& network) : seen(network.channel_count(), 0) {}
    std::vector<std::uint32_t> seen;  // by channel: the search that saw it last
    std::uint32_t search = 0;
    std::vector<std::uint32_t> ahead, behind, stack;
    std::vector<std::uint32_t> places;
    std::vector<Dependency> added;
  };

  /// `network` and `bits` must outlive the lane. Empty at first; O(channels).
  AcyclicLane(const Network& network, const DependencyBits& bits);

  /// Adds all of the dependencies, or none where that would close a cycle. Amortised cost as published:
  /// proportional to the part of the order that has to change.
  bool add(std::span<const Dependency> dependencies, Scratch& scratch);

  /// What was added, as DependencyBits lays it out.
  [[nodiscard]] std::vector<std::uint64_t> take_dependencies() && { return std::move(present_); }

 private:
  [[nodiscard]] std::uint32_t target(const Dependency& dependency) const;
  bool insert(const Dependency& dependency, Scratch& scratch);
  bool look_ahead(std::uint32_t start, std::uint32_t goal, Scratch& scratch) const;
  void look_behind(std::uint32_t start, std::uint32_t lowest, Scratch& scratch) const;
  void reorder(Scratch& scratch);

  const Network* network_;
  const DependencyBits* bits_;
  std::vector<std::uint64_t> present_, refused_;  // DependencyBits
  std::vector<std::uint32_t> place_;              // by channel: in the topological order
};

}  // namespace unknot
