// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/nested_solver.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "unknot/collective/flow_paths.hpp"
#include "unknot/collective/nested_flows.hpp"
#include "unknot/collective/path_packer.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kMillion = 1'000'000;
constexpr std::uint32_t kRounds = 40;

std::string refuses_broadcast(const Problem& problem) {
  if (problem.delivery == Delivery::scatter) return "it is no broadcast and no reduction";
  if (problem.groups() > 1) return "there is more than one message to spread";
  return {};
}

class BroadcastSearch {
 public:
  BroadcastSearch(const Problem& problem, std::uint32_t steps, std::uint64_t effort,
                  const SolveOptions& options, Progress& progress)
      : problem_(problem),
        graph_(*problem.graph),
        steps_(steps),
        effort_(effort),
        options_(options),
        progress_(progress),
        nested_(problem, steps, options.seed),
        random_(options.seed, 1),
        paths_(graph_),
        packer_(problem) {}

  Solution run() {
    const Clock::time_point begin = Clock::now();
    Solution found;
    found.steps = steps_;
    InformPlan best;
    bool first = true;
    std::uint64_t looked = 0, tries = 0;
    const auto ended = [&] {
      if (++looked % 16 == 0) {
        if (progress_.interrupted()) throw Interrupted();
        progress_.update(nested_.work() / kMillion);
      }
      if (options_.seconds > 0 &&
          std::chrono::duration<double>(Clock::now() - begin).count() > options_.seconds)
        found.out_of_time = true;
      return found.out_of_time || nested_.work() + packer_.work() > effort_ * kMillion;
    };
    while (true) {
      InformPlan plan = nested_.start(static_cast<NestedFlows::Start>(tries++ % 3));
      std::uint32_t stalled = 0;
      std::uint32_t least = plan.missing();
      while (plan.missing() > 0 && stalled < 100 + 20 * problem_.messages() && !ended()) {
        std::uint32_t accept = plan.missing();
        while (random_.below(8) == 0) ++accept;
        (void)nested_.change(plan, accept);
        ++stalled;
        if (plan.missing() < least) {
          least = plan.missing();
          stalled = 0;
          if (first || least < best.missing()) best = plan, first = false;
        }
      }
      if (first || plan.missing() < best.missing()) best = plan, first = false;
      if (plan.missing() == 0) {
        Schedule schedule;
        const std::uint32_t lost = make(plan, schedule);
        if (lost == 0 || steps_ == 1) {
          found.schedule = std::move(schedule);
          found.conflicts = lost;
          found.evaluations = nested_.evaluations();
          return found;
        }
      }
      if (ended()) break;
    }
    (void)make(best, found.schedule);
    found.conflicts = problem_.messages() - found.schedule.transfer_count();
    found.evaluations = nested_.evaluations();
    return found;
  }

 private:
  [[nodiscard]] bool fits(std::span<const NodeId> path) {
    if (problem_.extra_hops == Problem::kAnyLength) return true;
    graph_.distances_from(path.front(), hops_);
    return path.size() - 1 <= std::uint64_t{hops_[path.back().value]} + problem_.extra_hops;
  }

  std::uint32_t make(const InformPlan& plan, Schedule& schedule) {
    std::vector<NodeId> senders{problem_.owner.front()};
    std::vector<std::vector<NodeId>> step_paths;
    std::uint32_t lost = plan.missing();
    for (std::uint32_t k = 0; k < steps_; ++k) {
      schedule.add_step();
      nested_.flow_of(plan, k, flow_);
      paths_.cancel_circles(flow_);
      bool too_long = false;
      step_paths.clear();
      paths_.split(flow_, senders, [&](std::span<const NodeId> path) {
        too_long = too_long || !fits(path);
        step_paths.emplace_back(path.begin(), path.end());
      });
      if (too_long && packer_.pack(senders, plan.step[k], kRounds)) {
        for (std::size_t i = 0; i < plan.step[k].size(); ++i)
          schedule.add(problem_.owner.front(), packer_.path(i));
        senders.insert(senders.end(), plan.step[k].begin(), plan.step[k].end());
      } else {
        for (const auto& path : step_paths) {
          if (fits(path)) {
            schedule.add(problem_.owner.front(), path);
            senders.push_back(path.back());
          } else {
            ++lost;
          }
        }
        if (too_long) return lost;
      }
    }
    return lost;
  }

  const Problem& problem_;
  const NodeGraph& graph_;
  std::uint32_t steps_;
  std::uint64_t effort_;
  const SolveOptions& options_;
  Progress& progress_;
  NestedFlows nested_;
  Random random_;
  FlowPaths paths_;
  PathPacker packer_;
  std::vector<std::uint32_t> flow_, hops_;
};

Solution solve_broadcast(const Problem& problem, std::uint32_t steps, const Parameters& p,
                         const SolveOptions& options, Progress& progress) {
  const std::uint64_t effort = p.number("effort");
  progress.begin("million channels", effort);
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
                      .help = "ends after so many million channels looked at, for each number of steps",
                      .fallback = "200",
                      .min = 1}},
      .refuses = refuses_broadcast,
      .solve = solve_broadcast};
}

}  // namespace unknot
