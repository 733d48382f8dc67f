// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/deadlock/dependency_graph.hpp"
#include "unknot/network/network.hpp"
#include "unknot/verify/deadlock_proof.hpp"

namespace unknot {

/// The directed rings of a torus that bubble flow control looks after: all channels of one line of routers
/// and one direction, where they close a circle of one channel a step. [i] is the number of channel i's ring,
/// kNone for channels of broken lines, of dimensions of size 2 (one cable), and of networks without
/// coordinates that wrap. Numbers are compact. O(channels log channels).
struct DirectedRings {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  std::vector<std::uint32_t> ring;
  std::uint32_t count = 0;
  /// One and the same directed ring holds both channels.
  [[nodiscard]] bool together(std::uint32_t a, std::uint32_t b) const {
    return ring[a] != kNone && ring[a] == ring[b];
  }
};
DirectedRings directed_rings(const Network& network);

/// What the ring rule says of a channel dependency graph: no deadlock where every strongly connected
/// component lies on one lane inside one directed ring. O(vertices + arcs) where there is no deadlock.
DeadlockProof ring_rule(const DependencyGraph& graph, const DirectedRings& rings);

}  // namespace unknot
