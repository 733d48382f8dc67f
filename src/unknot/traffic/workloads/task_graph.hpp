// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "unknot/traffic/workloads/workload.hpp"

// Making task graphs and running through them.
namespace unknot {

/// Collects tasks and requirements in any order.
class TaskGraphBuilder {
 public:
  /// Index of the new task. InputError beyond 2^32 - 2 tasks.
  std::uint32_t add(const TaskGraph::Task& task);
  std::uint32_t send(TerminalId from, TerminalId to, std::uint64_t bytes) {
    return add({TaskGraph::Kind::send, from, to.value, bytes});
  }
  /// Receive of the message of that send.
  std::uint32_t receive(std::uint32_t send);
  /// Beside all that the terminal computes otherwise, unless a processor is named.
  std::uint32_t compute(TerminalId terminal, std::uint64_t nanoseconds,
                        std::uint32_t processor = TaskGraph::kOwnProcessor) {
    return add({TaskGraph::Kind::compute, terminal, processor, nanoseconds});
  }
  /// Of a send, 0 otherwise.
  void set_nic(std::uint32_t task, std::uint8_t nic);
  TaskGraph::Task& task(std::uint32_t index) { return graph_.tasks[index]; }
  void require_done(std::uint32_t task, std::uint32_t before) { done_.emplace_back(task, before); }
  void require_begun(std::uint32_t task, std::uint32_t before) { begun_.emplace_back(task, before); }
  /// Requirements of a task in the order in which they came. O(tasks + requirements).
  TaskGraph build() &&;

 private:
  TaskGraph graph_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> done_, begun_;
};

/// The requirements of a task graph the other way round: who waits for a task.
struct TaskSuccessors {
  explicit TaskSuccessors(const TaskGraph& graph);
  /// Tasks that require task t to be done, or to have begun; one that requires both is in both.
  [[nodiscard]] std::span<const std::uint32_t> after_done(std::uint32_t t) const {
    return {done_.data() + first_done_[t], done_.data() + first_done_[t + 1]};
  }
  [[nodiscard]] std::span<const std::uint32_t> after_begun(std::uint32_t t) const {
    if (first_begun_.empty()) return {};
    return {begun_.data() + first_begun_[t], begun_.data() + first_begun_[t + 1]};
  }
  /// Number of requirements of each task, of both kinds.
  std::vector<std::uint32_t> requirements;
  /// Receive of each send; kNoTask for other tasks, and for a send without.
  std::vector<std::uint32_t> receive_of;
  static constexpr std::uint32_t kNoTask = 0xFFFFFFFFU;

 private:
  std::vector<std::uint64_t> first_done_, first_begun_;
  std::vector<std::uint32_t> done_, begun_;
};

/// Tasks that wait for each other in a circle, each for the one after it and the last for the first; empty
/// where all tasks can be done. Peers of receives must be sends. O(tasks + requirements).
std::vector<std::uint32_t> waiting_circle(const TaskGraph& graph);

}  // namespace unknot
