// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "unknot/support/ids.hpp"

namespace unknot {

/// Most bytes of one message, and most nanoseconds of one computation: sums stay far from overflow.
constexpr std::uint64_t kMostAmount = std::uint64_t{1} << 48U;

/// What one terminal sends to another.
struct Message {
  TerminalId destination;
  std::uint64_t bytes = 0;  ///< 1 .. kMostAmount
};

/// Work with dependencies: each task begins when all that it requires has been done, and all that it only
/// requires to have begun has begun. Requirements are tasks of the same terminal; of others a terminal learns
/// by receiving.
///
/// Sends that may begin wait for their turn at their NIC in the order in which they became ready, those of
/// one instant in the order of their numbers. So do computations on one processor of a terminal. NICs of a
/// terminal share its cable: they send packets in turn. A send or a computation has begun when its turn has
/// come, a receive as soon as its requirements hold. A message does not wait for its receive to begin.
struct TaskGraph {
  enum class Kind : std::uint8_t {
    send,     ///< a message of `amount` bytes to `peer`; done when its last byte has left the terminal
    receive,  ///< done when it has begun and the message of task `peer` (a send to this terminal) has arrived
    compute,  ///< `amount` nanoseconds, 0 allowed, on processor `peer` of the terminal
  };
  /// For a computation that waits for no other.
  static constexpr std::uint32_t kOwnProcessor = 0xFFFFFFFFU;
  struct Task {
    Kind kind = Kind::send;
    TerminalId terminal;
    std::uint32_t peer = 0;    ///< send: destination; receive: index of the matching send; compute: processor
    std::uint64_t amount = 0;  ///< receive: bytes of its message
    bool operator==(const Task&) const = default;
  };
  std::vector<Task> tasks;
  // Task t requires the tasks requires_done[first[t] .. first[t+1]) to be done.
  std::vector<std::uint64_t> first{0};
  std::vector<std::uint32_t> requires_done;
  // Task t requires the tasks requires_begun[first_begun[t] .. first_begun[t+1]) to have begun. Both are
  // empty where no task requires such a thing.
  std::vector<std::uint64_t> first_begun;
  std::vector<std::uint32_t> requires_begun;
  std::vector<std::uint8_t> nics;  ///< by task, of sends; empty where all are 0

  /// Of a send: the one of its terminal that it goes by.
  [[nodiscard]] std::uint8_t nic(std::uint32_t t) const { return nics.empty() ? std::uint8_t{0} : nics[t]; }
  /// Tasks that have to be done before task t begins.
  [[nodiscard]] std::span<const std::uint32_t> done_before(std::uint32_t t) const {
    return {requires_done.data() + first[t], requires_done.data() + first[t + 1]};
  }
  /// Tasks that have to have begun before task t begins.
  [[nodiscard]] std::span<const std::uint32_t> begun_before(std::uint32_t t) const {
    if (first_begun.empty()) return {};
    return {requires_begun.data() + first_begun[t], requires_begun.data() + first_begun[t + 1]};
  }
  bool operator==(const TaskGraph&) const = default;
};

/// What the tasks of a graph are in the trace that they were read from.
struct TaskTrace {
  struct Node {
    std::uint32_t rank = 0;
    std::uint32_t name = 0;  ///< of names
    std::uint64_t id = 0;    ///< in the trace: an id, or a line
  };
  std::vector<std::string> names;
  std::vector<Node> nodes;
  std::vector<std::uint32_t> node_of;  ///< by task; several may be of one node
  bool collectives = true;             ///< several of one node are one collective
  std::vector<std::string> files;      ///< by rank, each with its nodes in this order; none: all in one file
};

/// Sums over a workload.
struct WorkloadTotals {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  // Of the terminal that has most.
  std::uint64_t most_messages_sent = 0;
  std::uint64_t most_messages_received = 0;
  std::uint64_t most_bytes_sent = 0;
  std::uint64_t most_bytes_received = 0;
  bool operator==(const WorkloadTotals&) const = default;
};

/// A finite exchange: who sends what, in which order. A value, made by a row of the catalogue.
struct Workload {
  std::string name;  ///< spec it was made from, "all-to-all:bytes=7680"
  /// Messages of a terminal, which sends them in order of k = 0 .. count-1 as soon as it can. Functions of
  /// their arguments alone; safe to call from several threads. Null where `tasks` says it all.
  std::function<std::uint32_t(TerminalId)> count;
  std::function<Message(TerminalId, std::uint32_t k)> message;
  /// Messages that a terminal, of tasks a NIC, sends at the same time, their packets in turn; at least 1. It
  /// may be as large as the number of terminals.
  std::uint32_t at_once = 1;
  std::shared_ptr<const TaskGraph> tasks;
  std::shared_ptr<const TaskTrace> trace = nullptr;  ///< of the tasks, where they come from one
  /// Sums, where the maker knows them; ask workload_totals().
  std::optional<WorkloadTotals> totals;
};

/// Sums over a workload on a network of that many terminals: those its maker knows, else counted.
/// O(messages + tasks) time, O(terminals) memory. InputError where there are more bytes than 64 bits count.
WorkloadTotals workload_totals(const Workload& workload, std::uint32_t terminals);
/// The same, always counted.
WorkloadTotals counted_totals(const Workload& workload, std::uint32_t terminals);

}  // namespace unknot
