// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/workloads/workload_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace unknot {
namespace {

using Kind = TaskGraph::Kind;

class TaskGraphCheck {
 public:
  TaskGraphCheck(const TaskGraph& graph, std::uint32_t terminals) : graph_(graph), terminals_(terminals) {}

  std::string run() {
    std::string fault = rows(graph_.first, graph_.requires_done, "done");
    if (fault.empty() && !(graph_.first_begun.empty() && graph_.requires_begun.empty()))
      fault = rows(graph_.first_begun, graph_.requires_begun, "begun");
    if (fault.empty() && !graph_.nics.empty() && graph_.nics.size() != count())
      return "the NICs do not fit the tasks";
    if (fault.empty()) fault = kinds();
    if (fault.empty()) fault = circles();
    return fault;
  }

 private:
  [[nodiscard]] std::size_t count() const { return graph_.tasks.size(); }

  [[nodiscard]] std::string rows(const std::vector<std::uint64_t>& first,
                                 const std::vector<std::uint32_t>& entries, const char* what) const {
    if (first.size() != count() + 1 || first.front() != 0 || first.back() != entries.size() ||
        !std::is_sorted(first.begin(), first.end())) {
      return fmt::format("the rows of what has to be {} do not fit the tasks", what);
    }
    for (std::size_t t = 0; t < count(); ++t) {
      for (std::uint64_t i = first[t]; i < first[t + 1]; ++i) {
        if (entries[i] >= count()) return fmt::format("task {} requires a task that does not exist", t);
        if (graph_.tasks[entries[i]].terminal != graph_.tasks[t].terminal)
          return fmt::format("task {} requires a task of another terminal", t);
      }
    }
    return "";
  }

  [[nodiscard]] std::string kinds() const {
    std::vector<std::uint32_t> receives(count(), 0);
    for (std::size_t t = 0; t < count(); ++t) {
      const TaskGraph::Task& task = graph_.tasks[t];
      if (task.terminal.value >= terminals_) return fmt::format("task {}: no such terminal", t);
      if (task.amount > kMostAmount) return fmt::format("task {}: too large an amount", t);
      if (task.kind == Kind::compute) continue;
      if (task.amount == 0) return fmt::format("task {}: a message of no bytes", t);
      if (task.kind == Kind::send) {
        if (task.peer >= terminals_) return fmt::format("task {}: no such destination", t);
        if (task.peer == task.terminal.value) return fmt::format("task {}: a terminal sends to itself", t);
        continue;
      }
      if (task.peer >= count() || graph_.tasks[task.peer].kind != Kind::send)
        return fmt::format("task {}: receives what no task sends", t);
      const TaskGraph::Task& send = graph_.tasks[task.peer];
      if (send.peer != task.terminal.value)
        return fmt::format("task {}: receives what another terminal gets", t);
      if (send.amount != task.amount) return fmt::format("task {}: of another size than its send", t);
      ++receives[task.peer];
    }
    for (std::size_t t = 0; t < count(); ++t) {
      if (graph_.tasks[t].kind == Kind::send && receives[t] != 1)
        return fmt::format("task {}: a send with {} receives", t, receives[t]);
    }
    return "";
  }

  /// Depth first from every event: task t begins (2 t) or is done (2 t + 1). An event that is met again on
  /// the way to itself waits for itself.
  [[nodiscard]] std::string circles() const {
    enum : std::uint8_t { kNew, kOpen, kClosed };
    std::vector<std::uint8_t> state(2 * count(), kNew);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> stack;  // event, next of its conditions
    for (std::uint64_t root = 0; root < 2 * count(); ++root) {
      if (state[root] != kNew) continue;
      stack.emplace_back(root, 0);
      state[root] = kOpen;
      while (!stack.empty()) {
        const std::uint64_t event = stack.back().first;
        if (stack.back().second == conditions(event)) {
          state[event] = kClosed;
          stack.pop_back();
          continue;
        }
        const std::uint64_t next = condition(event, stack.back().second++);
        if (state[next] == kOpen) return fmt::format("task {} waits for itself", next / 2);
        if (state[next] == kClosed) continue;
        state[next] = kOpen;
        stack.emplace_back(next, 0);
      }
    }
    return "";
  }
  [[nodiscard]] std::uint64_t conditions(std::uint64_t event) const {
    const auto t = static_cast<std::uint32_t>(event / 2);
    if (event % 2 == 0) return graph_.done_before(t).size() + graph_.begun_before(t).size();
    return graph_.tasks[t].kind == Kind::receive ? 2 : 1;
  }
  [[nodiscard]] std::uint64_t condition(std::uint64_t event, std::uint64_t i) const {
    const auto t = static_cast<std::uint32_t>(event / 2);
    if (event % 2 == 1) return i == 0 ? 2 * std::uint64_t{t} : 2 * std::uint64_t{graph_.tasks[t].peer} + 1;
    const auto done = graph_.done_before(t);
    if (i < done.size()) return 2 * std::uint64_t{done[i]} + 1;
    return 2 * std::uint64_t{graph_.begun_before(t)[i - done.size()]};
  }

  const TaskGraph& graph_;
  std::uint32_t terminals_;
};

std::string lists_fault(const Workload& workload, std::uint32_t terminals) {
  for (std::uint32_t t = 0; t < terminals; ++t) {
    const std::uint32_t count = workload.count(TerminalId(t));
    for (std::uint32_t k = 0; k < count; ++k) {
      const Message message = workload.message(TerminalId(t), k);
      const auto fault = [&](const char* what) {
        return fmt::format("message {} of terminal {}: {}", k, t, what);
      };
      if (message.destination.value >= terminals) return fault("no such destination");
      if (message.destination.value == t) return fault("a terminal sends to itself");
      if (message.bytes == 0) return fault("no bytes");
      if (message.bytes > kMostAmount) return fault("too many bytes");
      const Message again = workload.message(TerminalId(t), k);
      if (again.destination != message.destination || again.bytes != message.bytes)
        return fault("another one when asked again");
    }
    if (workload.count(TerminalId(t)) != count) return fmt::format("terminal {}: the count changes", t);
  }
  return "";
}

}  // namespace

std::string workload_fault(const Workload& workload, std::uint32_t terminals) {
  if (workload.at_once == 0) return "no message may be sent at any time";
  std::string fault;
  if (workload.tasks) {
    if (workload.count || workload.message) return "both tasks and lists of messages";
    fault = TaskGraphCheck(*workload.tasks, terminals).run();
  } else {
    if (!workload.count || !workload.message) return "neither tasks nor lists of messages";
    fault = lists_fault(workload, terminals);
  }
  if (fault.empty() && workload.totals && *workload.totals != counted_totals(workload, terminals))
    return "the totals are wrong";
  return fault;
}

}  // namespace unknot
