// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/front/rounds_check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace unknot {
namespace {

/// Calls visit(arc, blocks) for each arc that a transfer of the step passes; what is on no arc counts
/// nowhere.
template <class Visit>
void for_arcs(const NodeGraph& graph, const CombinedSchedule& schedule, std::uint32_t step, Visit visit) {
  for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
    const auto path = schedule.path(t);
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      if (path[i].value >= graph.node_count() || path[i + 1].value >= graph.node_count()) continue;
      const ArcId arc = graph.find(path[i], path[i + 1]);
      if (arc.valid()) visit(arc, schedule.blocks(t).size());
    }
  }
}

/// Blocks on each arc in a step.
std::vector<std::uint64_t> loads_of(const NodeGraph& graph, const CombinedSchedule& schedule,
                                    std::uint32_t step) {
  std::vector<std::uint64_t> load(graph.arc_count(), 0);
  for_arcs(graph, schedule, step, [&](ArcId arc, std::size_t blocks) { load[arc.value] += blocks; });
  return load;
}

void add_conflict(ScheduleVerdict& verdict, std::uint32_t step, std::string sentence) {
  ++verdict.count[static_cast<std::size_t>(ViolationKind::channel_conflict)];
  const auto later = std::lower_bound(verdict.findings.begin(), verdict.findings.end(), step,
                                      [](const StepFinding& f, std::uint32_t s) { return f.step < s; });
  if (later != verdict.findings.end() && later->step == step) {
    ++later->count;
    return;
  }
  verdict.findings.insert(later, {step, 1, ViolationKind::channel_conflict, std::move(sentence)});
}

}  // namespace

ScheduleVerdict check_in_rounds(const CombinedProblem& problem, const CombinedSchedule& schedule,
                                std::span<const std::uint32_t> rounds) {
  const NodeGraph& graph = *problem.base.graph;
  CombinedProblem roomy = problem;  // channels as wide as they need to be: they are counted here
  std::vector<std::uint32_t> wide(graph.arc_count(), 1), transfers;
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    transfers.assign(wide.size(), 0);
    for_arcs(graph, schedule, step, [&](ArcId arc, std::size_t /*blocks*/) {
      wide[arc.value] = std::max(wide[arc.value], ++transfers[arc.value]);
    });
  }
  roomy.base.graph = std::make_shared<const NodeGraph>(graph.with_capacities(wide));
  ScheduleVerdict verdict = check_combined(roomy, schedule);
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    const std::uint64_t lasts = step < rounds.size() ? rounds[step] : 0;
    const std::vector<std::uint64_t> load = loads_of(graph, schedule, step);
    for (const ArcId a : graph.arcs()) {
      if (load[a.value] <= lasts * graph.capacity(a)) continue;
      add_conflict(verdict, step,
                   fmt::format("step {}: {} blocks from node {} to {}, which carries {} in {} round{}",
                               step + 1, load[a.value], graph.tail(a).value, graph.head(a).value,
                               lasts * graph.capacity(a), lasts, lasts == 1 ? "" : "s"));
    }
  }
  if (rounds.size() > schedule.step_count()) {
    add_conflict(
        verdict, schedule.step_count(),
        fmt::format("there are rounds for {} steps, and {} steps", rounds.size(), schedule.step_count()));
  }
  return verdict;
}

std::vector<std::uint32_t> rounds_of(const CombinedProblem& problem, const CombinedSchedule& schedule) {
  std::vector<std::uint32_t> rounds;
  const NodeGraph& graph = *problem.base.graph;
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    const std::vector<std::uint64_t> load = loads_of(graph, schedule, step);
    std::uint64_t most = 1;
    for (const ArcId a : graph.arcs())
      most = std::max(most, (load[a.value] + graph.capacity(a) - 1) / graph.capacity(a));
    rounds.push_back(static_cast<std::uint32_t>(most));
  }
  return rounds;
}

}  // namespace unknot
