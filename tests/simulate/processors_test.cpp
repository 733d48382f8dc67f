// SPDX-License-Identifier: Apache-2.0
// Computations on processors, against a plain model.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "unknot/simulate/run.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/workloads/task_graph.hpp"

namespace unknot::simulate {
namespace {

/// Computations alone on a few processors, each after some before it. Each requirement takes a time of its
/// own, so that no two of them become ready at one instant.
TaskGraph some_computations(Random& random) {
  TaskGraphBuilder builder;
  std::vector<std::uint32_t> on_processors;
  const auto length = [&] { return 1 + random.below(1'000'000); };
  const std::size_t count = 5 + random.below(30);
  while (on_processors.size() < count) {
    const TerminalId terminal(static_cast<std::uint32_t>(random.below(2)));
    const std::uint32_t first_delay = builder.compute(terminal, length());
    std::vector<std::uint32_t> delays{first_delay};
    for (const std::uint32_t before : on_processors) {
      if (builder.task(before).terminal != terminal || random.below(6) > 0) continue;
      delays.push_back(builder.compute(terminal, length()));
      if (random.below(3) == 0) {
        builder.require_begun(delays.back(), before);
      } else {
        builder.require_done(delays.back(), before);
      }
    }
    on_processors.push_back(builder.compute(terminal, length(), static_cast<std::uint32_t>(random.below(3))));
    for (const std::uint32_t delay : delays) builder.require_done(on_processors.back(), delay);
  }
  return std::move(builder).build();
}

/// When all is done. Whoever may begin first of those that are left is next on its processor: nothing that is
/// still open can be ready before it.
std::uint64_t plain_completion(const TaskGraph& graph) {
  std::vector<std::optional<std::uint64_t>> begun(graph.tasks.size()), done(graph.tasks.size());
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> free;
  std::uint64_t last = 0;
  for (std::size_t left = graph.tasks.size(); left > 0; --left) {
    std::optional<std::pair<std::uint64_t, std::uint32_t>> next;
    for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
      if (done[t]) continue;
      std::uint64_t ready = 0;
      bool known = true;
      for (const std::uint32_t before : graph.done_before(t)) {
        known = known && done[before].has_value();
        ready = std::max(ready, done[before].value_or(0));
      }
      for (const std::uint32_t before : graph.begun_before(t)) {
        known = known && begun[before].has_value();
        ready = std::max(ready, begun[before].value_or(0));
      }
      if (known && (!next || ready < next->first)) next = std::pair(ready, t);
    }
    const TaskGraph::Task& task = graph.tasks[next->second];
    std::uint64_t begin = next->first;
    if (task.peer != TaskGraph::kOwnProcessor) {
      std::uint64_t& since = free[{task.terminal.value, task.peer}];
      begin = std::max(begin, since);
      since = begin + task.amount;
    }
    begun[next->second] = begin;
    done[next->second] = begin + task.amount;
    last = std::max(last, begin + task.amount);
  }
  return last;
}

TEST(Processors, ComputationsTakeTurnsAsInAPlainModel) {
  Random random(11);
  Progress silent;
  const Network network = make_network("ring:3");
  const RoutePlan plan = plan_paths(network, AdaptiveChoice());
  int waited = 0;
  for (int run = 0; run < 200; ++run) {
    Workload workload;
    workload.name = "computations";
    TaskGraph graph = some_computations(random);
    const std::uint64_t expected = plain_completion(graph);
    TaskGraph free = graph;
    for (TaskGraph::Task& task : free.tasks) task.peer = TaskGraph::kOwnProcessor;
    waited += plain_completion(free) < expected ? 1 : 0;
    workload.tasks = std::make_shared<const TaskGraph>(std::move(graph));
    const WorkloadReport report = run_workload(plan, Settings(), workload, silent);
    EXPECT_TRUE(report.complete);
    EXPECT_EQ(report.completion_cycles, static_cast<double>(expected));
  }
  EXPECT_GT(waited, 50);  // turns made a difference
}

}  // namespace
}  // namespace unknot::simulate
