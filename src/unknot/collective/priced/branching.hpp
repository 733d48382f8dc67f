// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace unknot {

/// What it costs to go from each of some places to each other: [from * places + to].
struct CostMatrix {
  std::uint32_t places = 0;
  std::vector<double> cost;

  [[nodiscard]] double at(std::uint32_t from, std::uint32_t to) const {
    return cost[std::size_t{from} * places + to];
  }
};

/// A tree of least cost from `root` to all places: the parent of each, the root's own for itself. Of equally
/// cheap ones a shallow one. Costs are not negative and finite but on the diagonal, which is not read.
/// [Chu, Liu 1965; Edmonds 1967] O(places^2) for each time that circles are contracted.
std::vector<std::uint32_t> cheapest_branching(const CostMatrix& costs, std::uint32_t root);

}  // namespace unknot
