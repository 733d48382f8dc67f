// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <tuple>

#include "unknot/support/error.hpp"
#include "unknot/traffic/workloads/goal_schedule.hpp"
#include "unknot/traffic/workloads/task_graph.hpp"

namespace unknot::goal {
namespace {

using Kind = TaskGraph::Kind;
constexpr std::uint32_t kNone = TaskSuccessors::kNoTask;

/// Sends and receives of the same source, destination and tag, in the order of the text.
std::vector<std::uint32_t> matched_in_order(const Schedule& schedule) {
  std::vector<std::uint32_t> sends;
  std::vector<std::uint32_t> receives;
  const std::vector<Operation>& operations = schedule.operations;
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    if (operations[i].kind == Kind::send) sends.push_back(i);
    if (operations[i].kind == Kind::receive) receives.push_back(i);
  }
  const auto key = [&](std::uint32_t i) {
    const Operation& o = operations[i];
    return o.kind == Kind::send ? std::tuple(o.rank, o.peer, o.tag) : std::tuple(o.peer, o.rank, o.tag);
  };
  const auto before = [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); };
  std::stable_sort(sends.begin(), sends.end(), before);
  std::stable_sort(receives.begin(), receives.end(), before);
  std::vector<std::uint32_t> send_of(operations.size(), kNone);
  auto send = sends.begin();
  for (const std::uint32_t receive : receives) {
    while (send != sends.end() && before(*send, receive)) ++send;
    if (send == sends.end() || before(receive, *send)) continue;
    send_of[receive] = *send++;
  }
  return send_of;
}

/// The requirements without the messages: as many tasks as operations, none of which waits for another rank.
TaskGraph requirements_alone(const Schedule& schedule) {
  TaskGraphBuilder builder;
  for (std::size_t i = 0; i < schedule.operations.size(); ++i) builder.compute(TerminalId(0), 0);
  add_requirements(schedule, builder);
  return std::move(builder).build();
}

/// The execution in rounds.
class Rounds {
 public:
  Rounds(const Schedule& schedule, const TaskGraph& requirements)
      : operations_(schedule.operations),
        successors_(requirements),
        left_(successors_.requirements),
        send_of_(operations_.size(), kNone),
        posted_(schedule.ranks),
        waiting_(schedule.ranks) {}

  std::vector<std::uint32_t> run() {
    std::vector<std::uint32_t> round;
    for (std::uint32_t i = 0; i < left_.size(); ++i) {
      if (left_[i] == 0) next_.push_back(i);
    }
    while (!next_.empty()) {
      round.clear();
      round.swap(next_);
      std::sort(round.begin(), round.end());
      for (const std::uint32_t i : round) begin(i);
    }
    return std::move(send_of_);
  }

 private:
  [[nodiscard]] bool suits(std::uint32_t receive, std::uint32_t send) const {
    const Operation& r = operations_[receive];
    const Operation& s = operations_[send];
    return (r.peer == kAny || r.peer == s.rank) && (r.tag == kAny || r.tag == s.tag);
  }

  void begin(std::uint32_t i) {
    release(successors_.after_begun(i));
    const Operation& operation = operations_[i];
    if (operation.kind == Kind::send) {
      std::list<std::uint32_t>& posted = posted_[operation.peer];
      const auto receive =
          std::find_if(posted.begin(), posted.end(), [&](std::uint32_t r) { return suits(r, i); });
      if (receive == posted.end()) {
        waiting_[operation.peer].push_back(i);
      } else {
        match(*receive, i);
        posted.erase(receive);
      }
    } else if (operation.kind == Kind::receive) {
      std::list<std::uint32_t>& waiting = waiting_[operation.rank];
      const auto send =
          std::find_if(waiting.begin(), waiting.end(), [&](std::uint32_t s) { return suits(i, s); });
      if (send == waiting.end()) {
        posted_[operation.rank].push_back(i);
        return;  // done when it matches
      }
      match(i, *send);
      waiting.erase(send);
      return;
    }
    release(successors_.after_done(i));
  }

  void match(std::uint32_t receive, std::uint32_t send) {
    send_of_[receive] = send;
    release(successors_.after_done(receive));
  }

  void release(std::span<const std::uint32_t> operations) {
    for (const std::uint32_t i : operations) {
      if (--left_[i] == 0) next_.push_back(i);
    }
  }

  const std::vector<Operation>& operations_;
  TaskSuccessors successors_;
  std::vector<std::uint32_t> left_, next_;
  std::vector<std::uint32_t> send_of_;
  std::vector<std::list<std::uint32_t>> posted_, waiting_;  // by rank
};

/// "line 7", or "operation 7 of rank 2".
std::string place_of(const Schedule& schedule, std::uint32_t operation) {
  const Operation& what = schedule.operations[operation];
  return schedule.binary ? fmt::format("operation {} of rank {}", what.line, what.rank)
                         : fmt::format("line {}", what.line);
}

std::string told(const Operation& operation) {
  const auto number = [](std::uint32_t value) { return value == kAny ? "-1" : fmt::format("{}", value); };
  return fmt::format("{} rank {}, tag {}", operation.kind == Kind::send ? "send to" : "receive from",
                     number(operation.peer), number(operation.tag));
}

}  // namespace

void fail_at(const Schedule& schedule, const std::string& file, std::uint32_t operation,
             const std::string& why) {
  if (!schedule.binary) throw InputError(file, schedule.operations[operation].line, why);
  throw InputError(fmt::format("{}: {}: {}", file, place_of(schedule, operation), why));
}

void add_requirements(const Schedule& schedule, TaskGraphBuilder& builder) {
  for (const Requirement& r : schedule.requirements) {
    if (r.begun) {
      builder.require_begun(r.operation, r.before);
    } else {
      builder.require_done(r.operation, r.before);
    }
  }
}

void refuse_circle(const TaskGraph& graph, const Schedule& schedule, const std::string& file) {
  const std::vector<std::uint32_t> circle = waiting_circle(graph);
  if (circle.empty()) return;
  std::string lines;
  for (const std::uint32_t task : circle) {
    if (lines.size() > 60) {
      lines += " and others";
      break;
    }
    const Operation& operation = schedule.operations[task];
    lines += schedule.binary ? fmt::format(" {}:{}", operation.rank, operation.line)
                             : fmt::format(" {}", operation.line);
  }
  fail_at(schedule, file, circle[0],
          fmt::format("operations wait for each other in a circle, those of {}{}",
                      schedule.binary ? "rank and number" : "lines", lines));
}

std::vector<std::uint32_t> matched_sends(const Schedule& schedule, const std::string& file) {
  const std::vector<Operation>& operations = schedule.operations;
  const bool any = std::any_of(operations.begin(), operations.end(), [](const Operation& o) {
    return o.kind == Kind::receive && (o.peer == kAny || o.tag == kAny);
  });
  std::vector<std::uint32_t> send_of;
  if (any) {
    const TaskGraph requirements = requirements_alone(schedule);
    refuse_circle(requirements, schedule, file);
    send_of = Rounds(schedule, requirements).run();
  } else {
    send_of = matched_in_order(schedule);
  }
  std::vector<bool> received(operations.size(), false);
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    if (operations[i].kind != Kind::receive || send_of[i] == kNone) continue;
    received[send_of[i]] = true;
    const Operation& send = operations[send_of[i]];
    if (send.amount <= operations[i].amount) continue;
    fail_at(schedule, file, i,
            fmt::format("the message of {} has {} bytes, its receive takes {}",
                        place_of(schedule, send_of[i]), send.amount, operations[i].amount));
  }
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    if (operation.kind == Kind::receive && send_of[i] == kNone) {
      fail_at(schedule, file, i, fmt::format("{}: no message is there for it", told(operation)));
    }
    if (operation.kind == Kind::send && !received[i]) {
      fail_at(schedule, file, i, fmt::format("{}: no receive takes its message", told(operation)));
    }
  }
  return send_of;
}

}  // namespace unknot::goal
