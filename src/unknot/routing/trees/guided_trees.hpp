// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/network/network.hpp"
#include "unknot/routing/model/guidance.hpp"
#include "unknot/routing/trees/balanced_trees.hpp"
#include "unknot/routing/trees/path_dag.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// The shortest paths by the hop weights of the guidance.
PathDags guided_dags(const Network& network, const Guidance& guidance);

/// balanced_trees() in the guidance's order of destinations, with the rates of cables where it says so.
BalancedTrees guided_trees(const Network& network, PathDags& dags, const Guidance& guidance, double passes,
                           Progress& progress);

/// What these two heed.
inline constexpr Heeds kGuidedTrees{.order = true, .nodes = true, .hop_weights = true, .by_rate = true};

}  // namespace unknot
