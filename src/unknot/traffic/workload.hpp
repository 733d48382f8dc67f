// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "unknot/support/ids.hpp"

namespace unknot {

/// What one terminal sends to another.
struct Message {
  TerminalId destination;
  std::uint64_t bytes = 0;  ///< positive
};

/// Work with dependencies: each task begins when all that it requires has been done.
struct TaskGraph {
  enum class Kind : std::uint8_t {
    send,     ///< a message of `amount` bytes to `peer`; done when its last byte has left the terminal
    receive,  ///< done when the message of task `peer` (a send to this terminal) has arrived
    compute,  ///< `amount` nanoseconds; a terminal computes any number of things at once
  };
  struct Task {
    Kind kind = Kind::send;
    TerminalId terminal;
    std::uint32_t peer = 0;  ///< send: destination; receive: index of the matching send
    std::uint64_t amount = 0;
  };
  std::vector<Task> tasks;
  // Task t requires the tasks requires[first[t] .. first[t+1]) to be done.
  std::vector<std::uint64_t> first{0};
  std::vector<std::uint32_t> requires_done;
};

/// A finite exchange: who sends what, in which order. A value, made by a row of the catalogue.
struct Workload {
  std::string name;  ///< spec it was made from, "all-to-all:bytes=7680"
  /// Messages of a terminal, which sends them in order of k = 0 .. count-1 as soon as it can. Functions of
  /// their arguments alone; safe to call from several threads. Null where `tasks` says it all.
  std::function<std::uint32_t(TerminalId)> count;
  std::function<Message(TerminalId, std::uint32_t k)> message;
  /// Messages that a terminal sends at the same time, their packets in turn; at least 1.
  std::uint32_t at_once = 1;
  std::shared_ptr<const TaskGraph> tasks;
};

}  // namespace unknot
