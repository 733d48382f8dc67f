// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/support/progress.hpp"

namespace unknot {

/// Weights of sending a unit from each source to each destination, a row for each source.
template <class Weight>
struct WeightMatrix {
  std::uint32_t destinations = 0;
  std::vector<Weight> weight;  ///< [source * destinations + destination]
  [[nodiscard]] std::span<const Weight> row(std::uint32_t source) const {
    return {weight.data() + std::size_t{source} * destinations, destinations};
  }
};

/// What one source sends to one destination.
struct SentUnits {
  std::uint32_t source, destination, units;
  bool operator==(const SentUnits&) const = default;
};

/// A plan of largest weight, and potentials that prove it: profit + price >= weight for each pair, and the
/// plan's weight is the sum of supply * profit and demand * price.
struct SmallTransportPlan {
  std::vector<SentUnits> sent;        ///< by destination; units and weights are positive
  std::vector<std::uint32_t> profit;  ///< by source
  std::vector<std::uint32_t> price;   ///< by destination
};

/// The transportation problem where every source may send to every destination and weights are few small
/// whole numbers, such as distances: best_transport() is for few pairs and any weights. What cannot earn
/// anything stays idle.
///
/// All sources begin with the largest weight as their profit; those with units left lower it step by step,
/// and destinations that they compete for raise their prices, until nothing is left or the profit is 0
/// (Kuhn 1955, all sources at once, so that there are no more steps than the largest weight; Kao, Lam, Sung
/// and Ting 2001). At each step the pairs whose weight is profit + price carry as many units as they can,
/// along shortest augmenting paths (Hopcroft and Karp 1973; Dinic 1970 for capacities).
///
/// Exact and deterministic. O(largest weight * searches * sources * destinations), where each search but the
/// last of a step is one of sqrt(units) at most, and of a handful in practice. Weights are at most half of
/// what is left of `Weight` when its highest bit is taken away: 63 or 16,383. Interrupted where `progress`
/// says so.
template <class Weight>
SmallTransportPlan small_transport(const WeightMatrix<Weight>& weights, std::span<const std::uint32_t> supply,
                                   std::span<const std::uint32_t> demand, Progress& progress);

/// Largest weight that small_transport() takes.
template <class Weight>
inline constexpr std::uint32_t kMostWeight = (1U << (8 * sizeof(Weight) - 2)) - 1;

extern template SmallTransportPlan small_transport(const WeightMatrix<std::uint8_t>&,
                                                   std::span<const std::uint32_t>,
                                                   std::span<const std::uint32_t>, Progress&);
extern template SmallTransportPlan small_transport(const WeightMatrix<std::uint16_t>&,
                                                   std::span<const std::uint32_t>,
                                                   std::span<const std::uint32_t>, Progress&);

}  // namespace unknot
