// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/schedule_repair.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>

#include "unknot/collective/broadcast_repair.hpp"
#include "unknot/collective/checker.hpp"
#include "unknot/collective/scatter_repair.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kMillionArcs = 1'000'000;
constexpr std::uint64_t kShare = 3;  // one part in so many of the effort that is left goes into each number of steps

/// From the fewest steps on until one has a schedule. What is left of the effort grows smaller with each number,
/// but keeping all costs little and succeeds where steps are many enough.
template <class Repair>
Schedule with_fewest_steps(Repair& repair, std::uint32_t former_steps, const RepairOptions& options,
                           Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  const auto late = [&] {
    return options.seconds > 0 &&
           std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() >= options.seconds;
  };
  const auto interrupted = [&] {
    if (progress.interrupted()) throw Interrupted();
    return false;
  };
  const auto stop = [&] { return interrupted() || late(); };
  std::uint64_t arcs = options.effort * kMillionArcs;
  std::uint32_t steps = std::max(1U, options.lower_bound);
  if (options.keep_all) steps = std::max(steps, former_steps);
  for (;; ++steps) {
    const std::uint64_t share = arcs / kShare;
    std::optional<Schedule> found = repair.keeping_all(steps, share / 4, interrupted);
    if (!found && !options.keep_all && !late()) {
      found = repair.keeping_some(steps, share - share / 4, stop);
      arcs -= share;
    }
    if (found) return std::move(*found);
  }
}

}  // namespace

RepairedSchedule repair_schedule(const Problem& problem, const FormerTransfers& former,
                                 const RepairOptions& options, Progress& progress) {
  RepairedSchedule result;
  if (problem.delivery == Delivery::scatter) {
    ScatterRepair repair(problem, former, options.seed);
    result.schedule = with_fewest_steps(repair, former.steps(), options, progress);
  } else if (problem.delivery == Delivery::broadcast) {
    BroadcastRepair repair(problem, former, options.seed);
    result.schedule = with_fewest_steps(repair, former.steps(), options, progress);
  } else {
    const Problem broadcast = time_reversed(problem);
    const FormerTransfers backwards = former.reversed();
    BroadcastRepair repair(broadcast, backwards, options.seed);
    result.schedule = time_reversed(with_fewest_steps(repair, former.steps(), options, progress),
                                    problem.delivery);
  }
  if (!check_schedule(problem, result.schedule).valid())
    throw std::runtime_error("the repaired schedule does not pass the checker");
  result.change = change_of(problem, former, result.schedule);
  return result;
}

}  // namespace unknot
