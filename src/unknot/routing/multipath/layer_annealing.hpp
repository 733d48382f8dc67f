// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/routing/multipath/layer_trees.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

struct LayerAnnealing {
  std::uint32_t most_hops = 4;  ///< of any path, MovingTree::kMostHops at most
  double effort = 1;            ///< how many moves are tried
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;
};

/// Moves the trees to further addresses (network.further_address()) apart, and leaves those to first
/// addresses as they are: a blind choice of layers, which knows nothing of the traffic to come.
///
/// Simulated annealing: a move changes one router's next hop in one tree. What it lowers is the second moment
/// of the channels' loads over traffic in which each router sends to one other (up to constants): the squares
/// of the use that each pair of routers makes of a channel, with a steep addition above an even share over
/// the ports; those of each pair of a router and a terminal; the squares of the use that all pairs make whose
/// first layers take one same channel, which adversarial traffic joins (up to kMostJoined channels); and, as
/// unrelated pairs meet, the square of a channel's whole load, the more so its distance from the mean.
///
/// Routers are destinations in turn, a fixed number at once that do not see each other's moves: the same
/// bytes at any number of threads. O(moves * hops), a microsecond each or so.
void anneal_layers(const Network& network, const LayerAnnealing& options, LayerTrees& trees,
                   Progress& progress);

/// Most channels of a network for which pairs that share one are kept apart: 4 bytes for each pair of
/// channels.
inline constexpr std::uint32_t kMostJoined = 2048;

}  // namespace unknot
