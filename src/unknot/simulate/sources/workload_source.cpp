// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/sources/workload_source.hpp"

#include <algorithm>
#include <cmath>

namespace unknot::simulate {
namespace {

/// A computation that shares its processor with others.
bool takes_turns(const TaskGraph::Task& task) {
  return task.kind == TaskGraph::Kind::compute && task.peer != TaskGraph::kOwnProcessor;
}

}  // namespace
OrderedSource::OrderedSource(const Workload& workload, std::uint32_t terminals, const Settings& settings)
    : workload_(workload), sizes_(settings), terminals_(terminals) {
  for (std::uint32_t t = 0; t < terminals; ++t) terminals_[t].count = workload.count(TerminalId(t));
}

bool OrderedSource::next(std::uint32_t terminal, std::uint64_t cycle, NewPacket& packet) {
  Terminal& self = terminals_[terminal];
  while (self.group < self.count) {
    const std::uint32_t size = std::min(workload_.at_once, self.count - self.group);
    while (self.at < size) {
      const Message message = workload_.message(TerminalId(terminal), self.group + self.at);
      ++self.at;
      if (self.round >= sizes_.packets(message.bytes)) continue;
      self.sent_in_round = true;
      packet = {cycle, message.destination.value, sizes_.flits(message.bytes, self.round), 0};
      return true;
    }
    self.at = 0;
    if (self.sent_in_round) {
      ++self.round;
    } else {
      self.group += size;
      self.round = 0;
    }
    self.sent_in_round = false;
  }
  return false;
}

TaskSource::TaskSource(const TaskGraph& graph, std::uint32_t terminals, const Settings& settings,
                       std::uint32_t at_once, std::vector<TaskTimes>* times)
    : graph_(graph),
      successors_(graph),
      sizes_(settings),
      cycle_ns_(settings.cycle_ns),
      times_(times),
      at_once_(at_once),
      turn_(terminals, 0),
      ready_left_(terminals, 0) {
  const auto tasks = static_cast<std::uint32_t>(graph.tasks.size());
  missing_ = successors_.requirements;
  packets_left_.assign(tasks, 0);
  arrivals_left_.assign(tasks, 0);
  open_.assign(tasks, 0);
  if (times_ != nullptr) times_->assign(tasks, {});
  for (std::uint32_t t = 0; t < tasks; ++t) {
    const TaskGraph::Task& task = graph.tasks[t];
    if (task.kind == TaskGraph::Kind::send)
      packets_left_[t] = arrivals_left_[t] = sizes_.packets(task.amount);
    if (takes_turns(task)) processors_.try_emplace(std::pair(task.terminal.value, task.peer));
  }
  parts_.push_back(std::make_unique<Part>(*this));
  make_nics(terminals);
  std::vector<std::uint32_t> free;
  for (std::uint32_t t = 0; t < tasks; ++t) {
    if (missing_[t] == 0) free.push_back(t);
  }
  for (const std::uint32_t t : free) begin(t, 0);
}

void TaskSource::make_nics(std::uint32_t terminals) {
  std::vector<std::pair<std::uint32_t, std::uint8_t>> used;
  for (std::uint32_t t = 0; t < graph_.tasks.size(); ++t) {
    if (graph_.tasks[t].kind != TaskGraph::Kind::send) continue;
    const std::pair nic(graph_.tasks[t].terminal.value, graph_.nic(t));
    if (used.empty() || used.back() != nic) used.push_back(nic);
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  first_nic_.assign(std::size_t{terminals} + 1, 0);
  free_from_.assign(terminals, 0);
  nics_.resize(used.size());
  for (std::size_t i = 0; i < used.size(); ++i) {
    nics_[i].number = used[i].second;
    ++first_nic_[used[i].first + 1];
  }
  for (std::uint32_t t = 0; t < terminals; ++t) first_nic_[t + 1] += first_nic_[t];
}

void TaskSource::attach(Engine& engine) {
  engine_ = &engine;
}

void TaskSource::requirement_met(std::uint32_t task, std::uint64_t cycle) {
  if (--missing_[task] == 0) begin(task, cycle);
}

void TaskSource::begun(std::uint32_t task, std::uint64_t cycle) {
  if (times_ != nullptr) (*times_)[task].begun = cycle;
  for (const std::uint32_t next : successors_.after_begun(task)) requirement_met(next, cycle);
}

/// All requirements of the task hold. Chains of computations of no length would make this a deep recursion:
/// they go through the timers.
void TaskSource::begin(std::uint32_t task, std::uint64_t cycle) {
  const TaskGraph::Task& what = graph_.tasks[task];
  switch (what.kind) {
    case TaskGraph::Kind::send: {
      const std::uint32_t t = what.terminal.value;
      std::uint32_t nic = first_nic_[t];
      while (nics_[nic].number != graph_.nic(task)) ++nic;
      nics_[nic].waiting.push_back(task);
      if (++ready_left_[t] == 1 && engine_ != nullptr) engine_->wake(t);
      return;
    }
    case TaskGraph::Kind::receive:
      open_[task] = 1;
      if (arrivals_left_[what.peer] == 0) part_of(task).timers.emplace(cycle, task);
      break;
    case TaskGraph::Kind::compute: {
      if (!takes_turns(what)) {
        compute(task, cycle);
        return;
      }
      std::deque<std::uint32_t>& turn = processors_.find({what.terminal.value, what.peer})->second;
      turn.push_back(task);
      if (turn.size() == 1) compute(task, cycle);
      return;
    }
  }
  begun(task, cycle);
}

/// The task's turn on its processor has come.
void TaskSource::compute(std::uint32_t task, std::uint64_t cycle) {
  const auto nanoseconds = static_cast<double>(graph_.tasks[task].amount);
  part_of(task).timers.emplace(cycle + static_cast<std::uint64_t>(std::ceil(nanoseconds / cycle_ns_)), task);
  begun(task, cycle);
}

void TaskSource::finish(std::uint32_t task, std::uint64_t cycle) {
  Part& part = part_of(task);
  ++part.done;
  part.last_done = std::max(part.last_done, cycle);
  if (times_ != nullptr) (*times_)[task].done = cycle;
  if (const TaskGraph::Task& what = graph_.tasks[task]; takes_turns(what)) {
    // Whoever waits for the processor was ready before what is released now.
    std::deque<std::uint32_t>& turn = processors_.find({what.terminal.value, what.peer})->second;
    turn.pop_front();
    if (!turn.empty()) compute(turn.front(), cycle);
  }
  for (const std::uint32_t next : successors_.after_done(task)) requirement_met(next, cycle);
}

bool TaskSource::next(std::uint32_t terminal, std::uint64_t cycle, NewPacket& packet) {
  if (ready_left_[terminal] == 0) return false;
  const std::uint32_t first = first_nic_[terminal];
  const std::uint32_t count = first_nic_[terminal + 1] - first;
  std::uint32_t at = turn_[terminal];
  while (nics_[first + at].active.empty() && nics_[first + at].waiting.empty()) at = (at + 1) % count;
  turn_[terminal] = (at + 1) % count;
  Nic& nic = nics_[first + at];
  while (nic.active.size() < at_once_ && !nic.waiting.empty()) {
    nic.active.push_back({nic.waiting.front(), 0});
    nic.waiting.pop_front();
  }
  if (nic.turn >= nic.active.size()) nic.turn = 0;
  const std::uint32_t task = nic.active[nic.turn].task;
  const TaskGraph::Task& what = graph_.tasks[task];
  const std::uint64_t i = nic.active[nic.turn].packets++;
  packet = {cycle, what.peer, sizes_.flits(what.amount, i), task};
  // Others may become ready by that: they find this one ready still, and do not wake the terminal.
  if (i == 0) {
    if (free_from_[terminal] > cycle) {
      part_of(task).timers.emplace(free_from_[terminal], task | kBegins);
    } else {
      begun(task, cycle);
    }
  }
  if (i + 1 < sizes_.packets(what.amount)) {
    ++nic.turn;
    return true;
  }
  --ready_left_[terminal];
  if (nic.waiting.empty()) {
    nic.active.erase(nic.active.begin() + nic.turn);
  } else {
    nic.active[nic.turn] = {nic.waiting.front(), 0};
    nic.waiting.pop_front();
    ++nic.turn;
  }
  return true;
}

void TaskSource::sent(std::uint32_t message, std::uint64_t cycle) {
  free_from_[graph_.tasks[message].terminal.value] = cycle + 1;
  if (--packets_left_[message] == 0) part_of(message).timers.emplace(cycle, message);
}

void TaskSource::arrived(std::uint32_t message, std::uint64_t cycle) {
  if (--arrivals_left_[message] > 0) return;
  const std::uint32_t receive = successors_.receive_of[message];
  if (receive != TaskSuccessors::kNoTask && open_[receive] != 0)
    part_of(receive).timers.emplace(cycle, receive);
}

void TaskSource::Part::advance(std::uint64_t cycle) {
  while (!timers.empty() && timers.top().first <= cycle) {
    const auto task = static_cast<std::uint32_t>(timers.top().second);
    const bool begins = (timers.top().second & kBegins) != 0;
    timers.pop();
    if (begins) {
      whole.begun(task, cycle);
    } else {
      whole.finish(task, cycle);
    }
  }
}

void TaskSource::divide(const std::vector<std::uint8_t>& part_of_terminal, std::uint32_t parts) {
  part_of_ = part_of_terminal;
  const std::unique_ptr<Part> all = std::move(parts_[0]);
  parts_.clear();
  for (std::uint32_t p = 0; p < parts; ++p) parts_.push_back(std::make_unique<Part>(*this));
  for (; !all->timers.empty(); all->timers.pop())
    part_of(static_cast<std::uint32_t>(all->timers.top().second)).timers.push(all->timers.top());
}

bool TaskSource::finished() const {
  std::size_t done = 0;
  for (const auto& part : parts_) done += part->done;
  return done == graph_.tasks.size();
}

std::uint64_t TaskSource::last_done() const {
  std::uint64_t last = 0;
  for (const auto& part : parts_) last = std::max(last, part->last_done);
  return last;
}

}  // namespace unknot::simulate
