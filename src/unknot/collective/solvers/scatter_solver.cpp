// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/solvers/scatter_solver.hpp"

#include <algorithm>
#include <utility>

#include "unknot/collective/model/flow_paths.hpp"
#include "unknot/collective/paths/flow_division.hpp"
#include "unknot/collective/paths/path_packer.hpp"
#include "unknot/collective/paths/scatter_flow.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kRounds = 50;  // of paths that negotiate
constexpr double kMostWork = 1e8;      // arcs in a round, at most, where those of all steps do

std::string refuses_scatter(const Problem& problem) {
  if (problem.delivery != Delivery::scatter) return "it is no scatter and no gather";
  if (problem.groups() > 1 && !problem.is_gather()) return "messages of several sources are no single flow";
  return {};
}

/// A scatter with one source, for just this many steps.
class ScatterSchedule {
 public:
  ScatterSchedule(const Problem& problem, std::uint32_t steps, Progress& progress)
      : problem_(problem),
        graph_(*problem.graph),
        owner_(problem.owner.front()),
        steps_(steps),
        progress_(progress),
        paths_(graph_),
        flow_(graph_.arc_count(), 0) {
    graph_.distances_from(owner_, hops_);
  }

  Solution run() {
    // Shortest paths keep to every limit; longer ones are for what cannot be had with those.
    Problem shortest = problem_;
    shortest.extra_hops = 0;
    ScatterFlow narrow(shortest, 0);
    if (narrow.feasible(steps_)) return divide(narrow);
    ScatterFlow wide(problem_, 0);
    const bool feasible = wide.feasible(steps_);
    Solution found = divide(wide);
    if (feasible) {
      if (found.conflicts > 0) negotiate(found);
      return found;
    }
    found.impossible = true;
    found.fewest = wide.least_steps(steps_);
    return found;
  }

 private:
  Solution divide(const ScatterFlow& all) {
    for (const ArcId a : graph_.arcs()) flow_[a.value] = static_cast<std::uint32_t>(all.flow(a));
    paths_.cancel_circles(flow_);
    ScatterShare share;
    std::vector<std::int64_t> arrives(graph_.node_count(), 0);
    for (const ArcId a : graph_.arcs()) {
      if (flow_[a.value] == 0) continue;
      share.arcs.push_back({a, flow_[a.value]});
      arrives[graph_.head(a).value] += flow_[a.value];
      arrives[graph_.tail(a).value] -= flow_[a.value];
      flow_[a.value] = 0;
    }
    for (const NodeId n : problem_.partner) {
      if (arrives[n.value] > 0) share.ends.push_back(n);
    }
    Solution found;
    divide_flow(graph_, owner_, std::move(share), steps_,
                [&](std::uint32_t step, const ScatterShare& part) { add_step(step, part, found.schedule); });
    found.steps = steps_;
    found.conflicts = problem_.messages() - found.schedule.transfer_count();
    found.evaluations = 1;
    return found;
  }

  void add_step(std::uint32_t step, const ScatterShare& share, Schedule& schedule) {
    if (progress_.interrupted()) throw Interrupted();
    progress_.update(step);
    schedule.add_step();
    for (const auto& [arc, amount] : share.arcs) flow_[arc.value] = amount;
    step_paths_.clear();
    bool too_long = false;
    paths_.split(flow_, {&owner_, 1}, [&](std::span<const NodeId> path) {
      too_long = too_long || !fits(path);
      step_paths_.emplace_back(path.begin(), path.end());
    });
    if (too_long && repack(share.ends, schedule)) return;
    for (const auto& path : step_paths_) {
      if (fits(path)) schedule.add(owner_, path);
    }
  }

  bool repack(std::span<const NodeId> receivers, Schedule& schedule) {
    PathPacker packer(problem_);
    if (!packer.pack({&owner_, 1}, receivers, kRounds)) return false;
    for (std::size_t i = 0; i < receivers.size(); ++i) schedule.add(owner_, packer.path(i));
    return true;
  }

  /// All paths of all steps together, where those of the flow are too long.
  void negotiate(Solution& found) const {
    const double work = 1.0 * problem_.messages() * steps_ * graph_.arc_count();
    if (work > kMostWork) return;
    PathPacker packer(problem_, steps_);
    if (!packer.pack({&owner_, 1}, problem_.partner, kRounds)) return;
    std::vector<std::vector<std::uint32_t>> of_step(steps_);
    for (std::uint32_t m = 0; m < problem_.messages(); ++m) of_step[packer.step(m)].push_back(m);
    found.schedule = Schedule();
    for (const auto& messages : of_step) {
      found.schedule.add_step();
      for (const std::uint32_t m : messages) found.schedule.add(owner_, packer.path(m));
    }
    found.conflicts = 0;
  }

  [[nodiscard]] bool fits(std::span<const NodeId> path) const {
    return path.size() - 1 <= std::uint64_t{hops_[path.back().value]} + problem_.extra_hops;
  }

  const Problem& problem_;
  const NodeGraph& graph_;
  NodeId owner_;
  std::uint32_t steps_;
  Progress& progress_;
  FlowPaths paths_;
  std::vector<std::uint32_t> flow_;  // by arc
  std::vector<std::uint32_t> hops_;  // from the owner
  std::vector<std::vector<NodeId>> step_paths_;
};

Solution solve_scatter(const Problem& problem, std::uint32_t steps, const Parameters& /*parameters*/,
                       const SolveOptions& /*options*/, Progress& progress) {
  progress.begin("steps", steps);
  if (problem.groups() == 1) return ScatterSchedule(problem, steps, progress).run();
  const Problem scatter = time_reversed(problem);
  Solution found = ScatterSchedule(scatter, steps, progress).run();
  found.schedule = time_reversed(found.schedule, Delivery::scatter);
  return found;
}

}  // namespace

Solver scatter_flow_solver() {
  return {.name = "scatter-flow",
          .summary = "one maximum flow divided into steps: one source or one destination, exact",
          .source = "Ford and Fulkerson 1962; Baum and Trotter 1978",
          .parameters = {},
          .unsuitable = refuses_scatter,
          .solve = solve_scatter};
}

}  // namespace unknot
