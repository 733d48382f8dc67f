// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace unknot {

/// Weight of sending one unit from a source to a destination.
struct TransportEdge {
  std::uint32_t source, destination;
  double weight;
};

/// Sources and destinations with whole capacities, joined by edges of positive weight: at most one edge for a
/// pair. An assignment (a matching of largest weight) has all capacities 1.
struct TransportProblem {
  std::vector<std::uint32_t> supply;  ///< by source
  std::vector<std::uint32_t> demand;  ///< by destination
  std::vector<TransportEdge> edges;
};

/// A plan of largest weight, and the prices that prove it: no plan is better than transport_bound() of the
/// prices.
struct TransportPlan {
  double weight = 0;                ///< of all units sent
  std::vector<std::uint32_t> sent;  ///< by edge
  std::vector<double> price;        ///< by destination, not negative
};

/// Plan of largest weight by shortest augmenting paths (Kuhn 1955; Jonker and Volgenant 1987 for the
/// assignment). O(sources + units sent) searches of O(edges log edges), most of them short. Deterministic.
TransportPlan best_transport(const TransportProblem& problem);

/// Upper bound on the weight of any plan from any prices of destinations that are not negative: each unit of
/// a source earns at most the best of weight - price, each unit of a destination its price (weak duality).
/// For the prices of best_transport() it equals the plan's weight, but for rounding. Knows nothing of how
/// they were found. O(edges + sources + destinations).
double transport_bound(const TransportProblem& problem, std::span<const double> price);

}  // namespace unknot
