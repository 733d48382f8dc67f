// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/workloads/goal_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "unknot/support/error.hpp"
#include "unknot/support/files/append.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/traffic/workloads/goal_schedule.hpp"
#include "unknot/traffic/workloads/task_graph.hpp"

namespace unknot {
namespace {

using Kind = TaskGraph::Kind;

void append_task(const TaskGraph& graph, std::uint32_t t, std::string& text) {
  const TaskGraph::Task& task = graph.tasks[t];
  switch (task.kind) {
    case Kind::compute:
      append(text, "l{}: calc {}", t, task.amount);
      if (task.peer > 0 && task.peer != TaskGraph::kOwnProcessor) append(text, " cpu {}", task.peer);
      text += '\n';
      break;
    case Kind::send:
      append(text, "l{}: send {}b to {} tag {}", t, task.amount, task.peer, t);
      if (graph.nic(t) > 0) append(text, " nic {}", graph.nic(t));
      text += '\n';
      break;
    case Kind::receive:
      append(text, "l{}: recv {}b from {} tag {}\n", t, task.amount, graph.tasks[task.peer].terminal.value,
             task.peer);
      break;
  }
}

TaskTrace trace_of(const goal::Schedule& schedule) {
  TaskTrace trace;
  trace.collectives = false;
  trace.names = {""};
  std::unordered_map<std::string_view, std::uint32_t> number;  // of labels, which ranks share
  trace.nodes.reserve(schedule.operations.size());
  for (const goal::Operation& operation : schedule.operations)
    trace.nodes.push_back({operation.rank, 0, operation.line});
  for (const auto& [operation, label] : schedule.labels) {
    const auto name = number.emplace(label, static_cast<std::uint32_t>(trace.names.size()));
    if (name.second) trace.names.emplace_back(label);
    trace.nodes[operation].name = name.first->second;
  }
  trace.node_of.resize(trace.nodes.size());
  std::iota(trace.node_of.begin(), trace.node_of.end(), 0);
  return trace;
}

/// The graph with a computation for each send and receive, behind all other tasks: a send waits for its own,
/// which waits for what the send has waited for; that of a receive waits for it, and all others for that.
/// `operation_of` gets the operations of the computations.
TaskGraph with_overhead(const TaskGraph& graph, const goal::Schedule& schedule, std::uint64_t overhead,
                        std::vector<std::uint32_t>& operation_of) {
  const auto count = static_cast<std::uint32_t>(graph.tasks.size());
  TaskGraphBuilder builder;
  for (std::uint32_t t = 0; t < count; ++t) {
    builder.add(graph.tasks[t]);
    builder.set_nic(t, graph.nic(t));
  }
  std::vector<std::uint32_t> first(count), last(count);  // task of each operation
  for (std::uint32_t t = 0; t < count; ++t) {
    first[t] = last[t] = t;
    const TaskGraph::Task& task = graph.tasks[t];
    if (task.kind == Kind::compute) continue;
    const std::uint32_t own = builder.compute(task.terminal, overhead, schedule.operations[t].cpu);
    operation_of.push_back(t);
    if (task.kind == Kind::send) {
      builder.require_done(t, own);
      first[t] = own;
    } else {
      builder.require_done(own, t);
      last[t] = own;
    }
  }
  for (std::uint32_t t = 0; t < count; ++t) {
    for (const std::uint32_t before : graph.done_before(t)) builder.require_done(first[t], last[before]);
    for (const std::uint32_t before : graph.begun_before(t)) builder.require_begun(first[t], first[before]);
  }
  return std::move(builder).build();
}

}  // namespace

TaskGraph parse_goal(std::string_view text, const std::string& file,
                     const std::vector<TerminalId>& terminal_of, TaskTrace* trace, std::uint64_t overhead) {
  const auto most_ranks = static_cast<std::uint32_t>(terminal_of.size());
  const goal::Schedule schedule = goal::is_binary(text) ? goal::parse_binary_schedule(text, file, most_ranks)
                                                        : goal::parse_schedule(text, file, most_ranks);
  const std::vector<std::uint32_t> send_of = goal::matched_sends(schedule, file);
  TaskGraphBuilder builder;
  std::uint64_t total = 0;
  for (std::uint32_t i = 0; i < schedule.operations.size(); ++i) {
    const goal::Operation& operation = schedule.operations[i];
    TaskGraph::Task task{operation.kind, terminal_of[operation.rank], operation.cpu, operation.amount};
    // A message of no bytes is its header, which no packet is shorter than.
    if (operation.kind != Kind::compute) task.amount = std::max<std::uint64_t>(task.amount, 1);
    if (operation.kind == Kind::send) {
      task.peer = terminal_of[operation.peer].value;
      if (task.amount > std::numeric_limits<std::uint64_t>::max() - total)
        goal::fail_at(schedule, file, i, "the messages up to here have 2^64 bytes or more");
      total += task.amount;
    } else if (operation.kind == Kind::receive) {
      task.peer = send_of[i];
      task.amount = std::max<std::uint64_t>(schedule.operations[task.peer].amount, 1);
    }
    const std::uint32_t t = builder.add(task);
    if (operation.kind == Kind::send) builder.set_nic(t, operation.nic);
  }
  goal::add_requirements(schedule, builder);
  TaskGraph graph = std::move(builder).build();
  goal::refuse_circle(graph, schedule, file);
  if (trace != nullptr) *trace = trace_of(schedule);
  if (overhead == 0) return graph;
  std::vector<std::uint32_t> operation_of;
  TaskGraph longer = with_overhead(graph, schedule, overhead, operation_of);
  if (trace != nullptr) trace->node_of.insert(trace->node_of.end(), operation_of.begin(), operation_of.end());
  return longer;
}

TaskGraph read_goal_file(const std::string& path, const std::vector<TerminalId>& terminal_of,
                         TaskTrace* trace, std::uint64_t overhead) {
  ReadLimits limits;
  limits.text =
      false;  // of a text NUL bytes are refused below, and at once where they are near its beginning
  limits.judge = [&](std::string_view head) {
    if (!goal::is_binary(head)) (void)Lines(head, path);
  };
  return parse_goal(read_file(path, limits), path, terminal_of, trace, overhead);
}

std::string goal_text(const TaskGraph& graph, std::uint32_t terminals) {
  std::vector<std::vector<std::uint32_t>> tasks_of(terminals);
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) tasks_of[graph.tasks[t].terminal.value].push_back(t);
  std::string text = fmt::format("num_ranks {}\n", terminals);
  for (std::uint32_t terminal = 0; terminal < terminals; ++terminal) {
    if (tasks_of[terminal].empty()) continue;
    text += fmt::format("\nrank {} {{\n", terminal);
    for (const std::uint32_t t : tasks_of[terminal]) {
      append_task(graph, t, text);
      for (const std::uint32_t before : graph.done_before(t))
        text += fmt::format("l{} requires l{}\n", t, before);
      for (const std::uint32_t before : graph.begun_before(t))
        text += fmt::format("l{} irequires l{}\n", t, before);
    }
    text += "}\n";
  }
  return text;
}

}  // namespace unknot
