// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "unknot/angara/route_balance.hpp"
#include "unknot/angara/system.hpp"

namespace unknot::angara {

/// A lower bound on the maximum load of any table that gives each pair one of its shortest routes, with its
/// proof: weights on the channels. Every table's loads, weighted, add up to at least what each pair's
/// lightest route weighs; so some channel carries at least that sum over the sum of weights.
struct LoadBound {
  std::uint64_t value = 0;
  std::string name = "mean load";     ///< where the weights come from
  std::vector<std::uint32_t> weight;  ///< by slot; 0 where there is no channel
};

/// The bound that the weights prove: ceil(sum over pairs of their lightest route / sum of weights); 0 where
/// all weights are 0. In whole numbers. O(routes * hops).
std::uint64_t proven_bound(const System& system, const RouteChoices& choices,
                           const std::vector<std::uint32_t>& weight);

struct BoundEffort {
  std::uint32_t rounds = 200;           ///< of the conditional gradient method
  std::uint64_t most_columns = 20'000;  ///< routes a linear program may have; beyond, none is solved
  std::uint64_t enough = 0;             ///< stops as soon as the bound has come so far, where not 0
  /// Asked before each step; none is begun at 0 or below, and a linear program ends by then without a result.
  std::function<double()> seconds_left = [] { return std::numeric_limits<double>::infinity(); };
};

/// The best of: all channels alike (the mean load), the channels of one dimension, the dual of the linear
/// program folded by translations (load_program.hpp), the slopes of a smoothed maximum of the loads while
/// these are improved by splitting pairs (conditional gradients), and the dual of the whole linear program.
/// `load` is that of some table, the better the sooner it ends. Deterministic. Throws Interrupted.
LoadBound load_bound(const System& system, const RouteChoices& choices, const RouteBalance& balance,
                     const std::vector<std::uint32_t>& load, const BoundEffort& effort, Progress& progress);

}  // namespace unknot::angara
