// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "unknot/network/network.hpp"
#include "unknot/routing/multipath/layer_annealing.hpp"
#include "unknot/routing/multipath/layer_trees.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/traffic/patterns/pattern.hpp"

namespace unknot {

/// Moves branches of the trees to further addresses until the busiest channel carries as little as can be
/// found of these flows, each split evenly over the addresses of its destination. `flows`: between terminals
/// that are first addresses. Trees to first addresses stay as they are.
///
/// Simulated annealing of a high power of the loads over the largest one. On one thread. O(moves * hops);
/// memory for each tree with traffic as for the tree.
void tune_layers(const Network& network, std::span<const Flow> flows, const LayerAnnealing& options,
                 LayerTrees& trees, Progress& progress);

}  // namespace unknot
