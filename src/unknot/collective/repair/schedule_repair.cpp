// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/repair/schedule_repair.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/repair/broadcast_repair.hpp"
#include "unknot/collective/repair/route_repair.hpp"
#include "unknot/collective/repair/scatter_repair.hpp"
#include "unknot/support/clock.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kMillionArcs = 1'000'000;
constexpr std::uint64_t kPlainPart =
    16;  // of the effort that is looked at where nothing else gives way, at most

/// Looks for the fewest steps: first for those that are enough when nothing else gives way, then for fewer.
template <class Repair>
class FewestSteps {
 public:
  FewestSteps(Repair& repair, const RepairOptions& options, std::uint32_t most_steps, Progress& progress)
      : repair_(repair),
        options_(options),
        most_steps_(most_steps),
        progress_(progress),
        arcs_(options.effort * kMillionArcs) {}

  Schedule run(std::uint32_t former_steps) {
    const std::uint32_t bound = std::max(1U, options_.lower_bound);
    const std::uint32_t first = options_.keep_all ? std::max(bound, former_steps) : bound;
    std::uint32_t failed = first - 1;
    for (std::uint32_t steps = first, more = 1; !keep_all(steps); steps += more, more *= 2) {
      if (steps > most_steps_) throw InputError("on the routes in force the schedule cannot be completed");
      failed = steps;
    }
    while (best_.step_count() - failed > 1) {
      const std::uint32_t middle = failed + (best_.step_count() - failed) / 2;
      if (!keep_all(middle)) failed = middle;
    }
    if (options_.keep_all || best_.step_count() == bound || keep_some(bound)) return std::move(best_);
    failed = bound;
    while (best_.step_count() - failed > 1 && !late()) {
      const std::uint32_t middle = failed + (best_.step_count() - failed) / 2;
      if (!keep_some(middle)) failed = middle;
    }
    return std::move(best_);
  }

 private:
  [[nodiscard]] bool late() const {
    return options_.seconds > 0 && seconds_since(start_) >= options_.seconds;
  }
  bool keep_all(std::uint32_t steps) {
    return take(repair_.keeping_all(steps, options_.effort * kMillionArcs / kPlainPart, [&] {
      if (progress_.interrupted()) throw Interrupted();
      return false;
    }));
  }
  /// With half of the effort that is left.
  bool keep_some(std::uint32_t steps) {
    arcs_ /= 2;
    return take(repair_.keeping_some(steps, arcs_, [&] {
      if (progress_.interrupted()) throw Interrupted();
      return late();
    }));
  }
  bool take(std::optional<Schedule> found) {
    if (!found) return false;
    best_ = std::move(*found);
    return true;
  }

  Repair& repair_;
  const RepairOptions& options_;
  std::uint32_t most_steps_;
  Progress& progress_;
  std::uint64_t arcs_;
  Clock::time_point start_ = Clock::now();
  Schedule best_;
};

template <class Repair>
Schedule with_fewest_steps(const Problem& problem, const FormerTransfers& former,
                           const RepairOptions& options, Progress& progress) {
  Repair repair(problem, former, options.seed);
  // A message a step is always possible beside what was sent before.
  const std::uint32_t most = options.lower_bound + former.steps() + problem.messages();
  return FewestSteps<Repair>(repair, options, most, progress).run(former.steps());
}

}  // namespace

RepairedSchedule repair_schedule(const FaultImpact& impact, const RepairOptions& options,
                                 Progress& progress) {
  const Problem& problem = impact.problem;
  const FormerTransfers& former = impact.former;
  RepairedSchedule result;
  progress.begin("repair", 0);
  if (impact.dropped == 0) result.schedule = former.intact_schedule(problem);
  if (impact.dropped == 0 && check_schedule(problem, result.schedule).valid()) {
    // Nothing that was used has failed.
  } else if (problem.routes != nullptr && problem.delivery != Delivery::reduction) {
    result.schedule = with_fewest_steps<RouteRepair>(problem, former, options, progress);
  } else if (problem.routes != nullptr) {
    result.schedule = time_reversed(
        with_fewest_steps<RouteRepair>(time_reversed(problem), former.reversed(), options, progress),
        problem.delivery);
  } else if (problem.delivery == Delivery::scatter) {
    result.schedule = with_fewest_steps<ScatterRepair>(problem, former, options, progress);
  } else if (problem.delivery == Delivery::broadcast) {
    result.schedule = with_fewest_steps<BroadcastRepair>(problem, former, options, progress);
  } else {
    result.schedule = time_reversed(
        with_fewest_steps<BroadcastRepair>(time_reversed(problem), former.reversed(), options, progress),
        problem.delivery);
  }
  if (!check_schedule(problem, result.schedule).valid())
    throw std::runtime_error("the repaired schedule does not pass the checker");
  result.change = change_of(problem, former, result.schedule);
  return result;
}

}  // namespace unknot
