// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/solvers/nested_solver.hpp"

#include <utility>

#include "unknot/collective/nested/nested_flows.hpp"
#include "unknot/collective/nested/part_deadlines.hpp"
#include "unknot/collective/nested/plan_enumeration.hpp"
#include "unknot/collective/nested/schedule_maker.hpp"
#include "unknot/support/clock.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kMillion = 1'000'000;
constexpr std::uint32_t kFarther = 16;   // steps more that the first bound looks at
constexpr std::uint64_t kFirstPart = 8;  // of the effort goes into a search before all plans are tried
constexpr std::uint64_t kAllPart = 4;    // of the effort goes into trying all
constexpr std::uint64_t kLook = 16;      // changes after which it is seen whether the user wants to stop
constexpr std::uint32_t kIdle = 100;     // changes without use before a new plan, beside this many
constexpr std::uint32_t kIdleEach = 1;   // for each message
constexpr std::uint32_t kWorse = 8;      // one in this many changes may miss one more, one of these two more

std::string refuses_broadcast(const Problem& problem) {
  if (problem.delivery == Delivery::scatter) return "it is no broadcast and no reduction";
  if (problem.groups() > 1) return "there is more than one message to spread";
  return {};
}

/// A broadcast with one group, for just this many steps.
class BroadcastSearch {
 public:
  BroadcastSearch(const Problem& problem, std::uint32_t steps, std::uint64_t effort,
                  const SolveOptions& options, Progress& progress)
      : problem_(problem),
        steps_(steps),
        most_work_(effort * kMillion),
        options_(options),
        progress_(progress),
        nested_(problem, steps, options.seed),
        random_(options.seed, 1),
        all_(problem, steps),
        maker_(problem, nested_) {}

  Solution run() {
    found_.steps = steps_;
    found_.fewest = steps_of_parts(problem_, steps_ + kFarther);
    found_.impossible = found_.fewest > steps_;
    const std::uint64_t few = most_work_ / kFirstPart;
    if (!found_.impossible && !search(few) && !ended(most_work_)) {
      enumerate();
      if (!complete_ && !found_.impossible) search(most_work_);
    }
    if (!complete_) {
      if (!planned_) keep(nested_.start(NestedFlows::Start::spread));
      found_.schedule = maker_.make(best_);
      found_.conflicts = problem_.messages() - found_.schedule.transfer_count();
      found_.impossible = found_.impossible || (steps_ == 1 && best_.missing() > 0);
    }
    found_.evaluations = nested_.evaluations() + all_.evaluations();
    return std::move(found_);
  }

 private:
  [[nodiscard]] std::uint64_t work() const { return nested_.work() + all_.work() + maker_.work(); }

  bool ended(std::uint64_t most_work) {
    if (++looked_ % kLook == 0) {
      if (progress_.interrupted()) throw Interrupted();
      progress_.update(work() / kMillion);
    }
    if (options_.seconds > 0 && seconds_since(begin_) > options_.seconds) found_.out_of_time = true;
    return found_.out_of_time || work() > most_work;
  }

  void keep(const InformPlan& plan) {
    if (planned_ && plan.missing() >= best_.missing()) return;
    planned_ = true;
    best_ = plan;
  }

  /// True when the plan, which misses nobody, can be made a schedule.
  bool finish(const InformPlan& plan) {
    found_.schedule = maker_.make(plan);
    complete_ = found_.schedule.transfer_count() == problem_.messages();
    return complete_;
  }

  /// Plan after plan, each changed until it misses nobody or no change is of use any more.
  bool search(std::uint64_t most_work) {
    do {
      InformPlan plan = nested_.start(static_cast<NestedFlows::Start>(tries_++ % NestedFlows::kStarts));
      keep(plan);
      std::uint32_t idle = 0;
      std::uint32_t least = plan.missing();
      while (plan.missing() > 0 && steps_ > 1 && idle++ < kIdle + kIdleEach * problem_.messages() &&
             !ended(most_work)) {
        std::uint32_t accept = plan.missing();
        while (random_.below(kWorse) == 0) ++accept;
        (void)nested_.change(plan, accept);
        if (plan.missing() >= least) continue;
        least = plan.missing();
        idle = 0;
        keep(plan);
      }
      if (plan.missing() == 0 && finish(plan)) return true;
    } while (steps_ > 1 && !ended(most_work));
    return false;
  }

  void enumerate() {
    InformPlan plan;
    const auto stop = [&] { return ended(UINT64_MAX); };
    const PlanEnumeration::Outcome outcome = all_.run(most_work_ / kAllPart, stop, plan);
    found_.impossible = outcome == PlanEnumeration::Outcome::none;
    if (outcome == PlanEnumeration::Outcome::found) (void)finish(plan);
  }

  const Problem& problem_;
  std::uint32_t steps_;
  std::uint64_t most_work_;
  const SolveOptions& options_;
  Progress& progress_;
  Clock::time_point begin_ = Clock::now();
  NestedFlows nested_;
  Random random_;
  PlanEnumeration all_;
  ScheduleMaker maker_;
  Solution found_;
  InformPlan best_;
  bool planned_ = false, complete_ = false;
  std::uint64_t looked_ = 0, tries_ = 0;
};

Solution solve_broadcast(const Problem& problem, std::uint32_t steps, const Parameters& p,
                         const SolveOptions& options, Progress& progress) {
  const std::uint64_t effort = p.number("effort");
  if (problem.delivery == Delivery::broadcast)
    return BroadcastSearch(problem, steps, effort, options, progress).run();
  const Problem broadcast = time_reversed(problem);
  Solution found = BroadcastSearch(broadcast, steps, effort, options, progress).run();
  found.schedule = time_reversed(found.schedule, problem.delivery);
  return found;
}

}  // namespace

Solver nested_flows_solver() {
  return {
      .name = "nested-flows",
      .summary = "a flow for each step, nested; search over who is informed first: one source, or one owner",
      .source = "Perfect 1968",
      .parameters = {{.name = "effort",
                      .help = "ends after this many million channels looked at, for each number of steps",
                      .fallback = "200",
                      .min = 1}},
      .unsuitable = refuses_broadcast,
      .solve = solve_broadcast};
}

}  // namespace unknot
