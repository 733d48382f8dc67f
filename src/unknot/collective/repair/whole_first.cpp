// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/repair/whole_first.hpp"

#include <stdexcept>

#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/model/fault_impact.hpp"
#include "unknot/collective/packing/fewer_steps.hpp"
#include "unknot/collective/repair/schedule_repair.hpp"
#include "unknot/support/clock.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
std::optional<Solution> solve_whole_first(const WholeNetwork& whole, const Problem& left,
                                          std::uint32_t fewer_than, std::uint64_t effort,
                                          const SolveOptions& options, Progress& progress) {
  const Clock::time_point start = Clock::now();
  SolveOptions before = options;
  before.steps = 0;
  before.lower_bound = lower_bound(whole.problem, {.most_columns = 0}).steps;
  Solution found = solve(whole.problem, "auto:levels=1", before, progress);
  if (found.conflicts > 0 || found.steps >= fewer_than) return std::nullopt;
  const FaultImpact impact = fault_impact(whole.problem, found.schedule, left.graph, whole.numbers);
  if (impact.problem.owner != left.owner || impact.problem.partner != left.partner) return std::nullopt;
  const auto stop = [&] {
    if (progress.interrupted()) throw Interrupted();
    return options.seconds > 0 && seconds_since(start) >= options.seconds;
  };
  if (stop()) return std::nullopt;
  found.schedule =
      repair_schedule(impact, {.lower_bound = options.lower_bound, .seed = options.seed}, progress).schedule;
  if (left.delivery == Delivery::scatter) {
    found.schedule =
        fewer_steps(left, found.schedule, {options.lower_bound, effort * 1'000'000, options.seed}, stop);
  }
  if (!check_schedule(left, found.schedule).valid())
    throw std::runtime_error("a schedule mended from the whole network's does not pass the checker");
  found.steps = found.schedule.step_count();
  if (found.steps >= fewer_than) return std::nullopt;
  found.fewest = options.lower_bound;
  found.out_of_time = false;
  return found;
}

}  // namespace unknot
