// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/paths/scatter_flow.hpp"

namespace unknot {
namespace {

/// Sources are left out beyond this, evenly: groups times arcs.
constexpr std::uint64_t kMostWork = 20'000'000;

}  // namespace

std::optional<BoundProof> flow_bound(const Problem& problem, const BoundOptions& /*options*/) {
  if (problem.delivery != Delivery::scatter) return std::nullopt;
  const std::uint64_t each = problem.graph->arc_count() + 1;
  const std::uint64_t looked_at = std::clamp<std::uint64_t>(kMostWork / each, 1, problem.groups());
  std::uint32_t best = 0;
  CutProof proof;
  for (std::uint64_t i = 0; i < looked_at; ++i) {
    const auto group = static_cast<std::uint32_t>(i * problem.groups() / looked_at);
    ScatterFlow flow(problem, group);
    if (best > 0 && flow.feasible(best)) continue;
    best = flow.least_steps(best);
    // what does not fit in a step less does not fit across this cut; where only ports are short it is the
    // owner
    if (best > 1) {
      (void)flow.feasible(best - 1);
      proof.inside = flow.source_side();
    }
    if (proof.inside.empty()) proof.inside = {problem.owner[group]};
    proof.group = group;
  }
  return proof;
}

}  // namespace unknot
