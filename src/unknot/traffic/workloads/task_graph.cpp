// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/workloads/task_graph.hpp"

#include <algorithm>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using Kind = TaskGraph::Kind;
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Second halves of the pairs in compressed rows by their first halves, in the order of the pairs.
void compress(std::size_t rows, const Pairs& pairs, std::vector<std::uint64_t>& first,
              std::vector<std::uint32_t>& entries) {
  first.assign(rows + 1, 0);
  for (const auto& [row, entry] : pairs) ++first[row + 1];
  for (std::size_t row = 0; row < rows; ++row) first[row + 1] += first[row];
  std::vector<std::uint64_t> next(first.begin(), first.end() - 1);
  entries.resize(pairs.size());
  for (const auto& [row, entry] : pairs) entries[next[row]++] = entry;
}

/// Compressed rows turned round: row e of the result has every r whose row has e.
void transpose(const std::vector<std::uint64_t>& first, const std::vector<std::uint32_t>& entries,
               std::vector<std::uint64_t>& first_turned, std::vector<std::uint32_t>& turned) {
  const std::size_t rows = first.size() - 1;
  first_turned.assign(rows + 1, 0);
  for (const std::uint32_t entry : entries) ++first_turned[entry + 1];
  for (std::size_t row = 0; row < rows; ++row) first_turned[row + 1] += first_turned[row];
  std::vector<std::uint64_t> next(first_turned.begin(), first_turned.end() - 1);
  turned.resize(entries.size());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::uint64_t i = first[row]; i < first[row + 1]; ++i)
      turned[next[entries[i]]++] = static_cast<std::uint32_t>(row);
  }
}

/// An execution in which nothing takes time.
class Run {
 public:
  explicit Run(const TaskGraph& graph)
      : graph_(graph), successors_(graph), left_(successors_.requirements), state_(graph.tasks.size()) {}

  /// Which tasks can be done.
  void finish() {
    for (std::uint32_t t = 0; t < left_.size(); ++t) {
      if (left_[t] == 0) ready_.push_back(t);
    }
    while (!ready_.empty()) {
      const std::uint32_t t = ready_.back();
      ready_.pop_back();
      state_[t] = State::begun;
      for (const std::uint32_t next : successors_.after_begun(t)) release(next);
      const TaskGraph::Task& task = graph_.tasks[t];
      if (task.kind != Kind::receive || state_[task.peer] == State::done) done(t);
    }
  }
  [[nodiscard]] bool begun(std::uint32_t t) const { return state_[t] != State::waiting; }
  [[nodiscard]] bool is_done(std::uint32_t t) const { return state_[t] == State::done; }

 private:
  enum class State : std::uint8_t { waiting, begun, done };
  void release(std::uint32_t t) {
    if (--left_[t] == 0) ready_.push_back(t);
  }
  void done(std::uint32_t t) {
    state_[t] = State::done;
    for (const std::uint32_t next : successors_.after_done(t)) release(next);
    const std::uint32_t receive = successors_.receive_of[t];
    if (receive != TaskSuccessors::kNoTask && state_[receive] == State::begun) done(receive);  // once deep
  }
  const TaskGraph& graph_;
  TaskSuccessors successors_;
  std::vector<std::uint32_t> left_, ready_;
  std::vector<State> state_;
};

}  // namespace

std::uint32_t TaskGraphBuilder::add(const TaskGraph::Task& task) {
  if (graph_.tasks.size() >= TaskSuccessors::kNoTask - 1U)
    throw InputError("a workload of 2^32 tasks or more");
  graph_.tasks.push_back(task);
  return static_cast<std::uint32_t>(graph_.tasks.size() - 1);
}

std::uint32_t TaskGraphBuilder::receive(std::uint32_t send) {
  const TaskGraph::Task& sent = graph_.tasks[send];
  return add({Kind::receive, TerminalId(sent.peer), send, sent.amount});
}

void TaskGraphBuilder::set_nic(std::uint32_t task, std::uint8_t nic) {
  if (nic == 0 && graph_.nics.size() <= task) return;
  graph_.nics.resize(graph_.tasks.size(), 0);
  graph_.nics[task] = nic;
}

TaskGraph TaskGraphBuilder::build() && {
  if (!graph_.nics.empty()) graph_.nics.resize(graph_.tasks.size(), 0);
  compress(graph_.tasks.size(), done_, graph_.first, graph_.requires_done);
  if (!begun_.empty()) compress(graph_.tasks.size(), begun_, graph_.first_begun, graph_.requires_begun);
  return std::move(graph_);
}

TaskSuccessors::TaskSuccessors(const TaskGraph& graph)
    : requirements(graph.tasks.size()), receive_of(graph.tasks.size(), kNoTask) {
  transpose(graph.first, graph.requires_done, first_done_, done_);
  if (!graph.first_begun.empty()) transpose(graph.first_begun, graph.requires_begun, first_begun_, begun_);
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    requirements[t] = static_cast<std::uint32_t>(graph.done_before(t).size() + graph.begun_before(t).size());
    if (graph.tasks[t].kind == Kind::receive) receive_of[graph.tasks[t].peer] = t;
  }
}

std::vector<std::uint32_t> waiting_circle(const TaskGraph& graph) {
  Run run(graph);
  run.finish();
  const auto count = static_cast<std::uint32_t>(graph.tasks.size());
  std::uint32_t at = 0;
  while (at < count && run.is_done(at)) ++at;
  if (at == count) return {};
  // Whatever is not done waits for something that is not: following that comes round some time.
  std::vector<std::uint32_t> way;
  std::vector<std::uint32_t> place(count, TaskSuccessors::kNoTask);
  while (place[at] == TaskSuccessors::kNoTask) {
    place[at] = static_cast<std::uint32_t>(way.size());
    way.push_back(at);
    if (run.begun(at)) {  // a receive of what has not been sent
      at = graph.tasks[at].peer;
      continue;
    }
    const auto done = graph.done_before(at);
    const auto undone =
        std::find_if(done.begin(), done.end(), [&](std::uint32_t b) { return !run.is_done(b); });
    if (undone != done.end()) {
      at = *undone;
      continue;
    }
    const auto begun = graph.begun_before(at);
    at = *std::find_if(begun.begin(), begun.end(), [&](std::uint32_t b) { return !run.begun(b); });
  }
  way.erase(way.begin(), way.begin() + place[at]);
  return way;
}

}  // namespace unknot
