// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// Where schedules for what a fault has left may come from: the network as it was.
struct WholeNetwork {
  Problem problem;              ///< the same collective on all of it, under the same rules
  std::vector<NodeId> numbers;  ///< of its nodes on what is left, see node_numbers()
};

/// A schedule for what is left by way of one for the whole network, where a fault has cost the symmetry that
/// schedules are found by: the whole network's by `auto` with the least effort, then mended, and of a scatter
/// steps taken out as long as about this many millions of channels are looked at. Nothing where that has not
/// fewer than `fewer_than` steps, or the collective is another one on what is left, since nodes are gone from
/// it. `options.steps` has no say. Same seed, same schedule, unless `options.seconds` ends it.
std::optional<Solution> solve_whole_first(const WholeNetwork& whole, const Problem& left,
                                          std::uint32_t fewer_than, std::uint64_t effort,
                                          const SolveOptions& options, Progress& progress);

}  // namespace unknot
