// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <vector>

#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/model/pair_routes.hpp"

namespace unknot {

std::optional<BoundProof> route_bound(const Problem& problem, const BoundOptions& /*options*/) {
  if (problem.routes == nullptr || problem.delivery != Delivery::scatter) return std::nullopt;
  const PairRoutes& routes = *problem.routes;
  const bool half = problem.graph->link_class() == LinkClass::half_duplex;
  std::vector<std::uint64_t> load(routes.line_count(), 0);
  RouteProof proof;
  std::uint64_t most = 0;
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    for (const NodeId n : problem.partners(g)) {
      for (std::uint32_t line : routes.lines(problem.owner[g], n)) {
        if (half) line = routes.cable(line);
        const std::uint64_t steps = (++load[line] + routes.capacity(line) - 1) / routes.capacity(line);
        if (steps <= most) continue;
        most = steps;
        proof.line = line;
      }
    }
  }
  return proof;
}

}  // namespace unknot
