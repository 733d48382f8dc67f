// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace unknot {
namespace {

constexpr std::uint32_t kNever = 0xFFFFFFFFU;

/// Uses of things within the current step: reset by the number of the step, not by clearing.
class StepCounter {
 public:
  explicit StepCounter(std::size_t things) : step_(things, kNever), count_(things, 0) {}
  /// One more use; returns how many there are now.
  std::uint32_t add(std::size_t thing, std::uint32_t step) {
    if (step_[thing] != step) {
      step_[thing] = step;
      count_[thing] = 0;
    }
    return ++count_[thing];
  }

 private:
  std::vector<std::uint32_t> step_, count_;
};

/// Replays a scatter or a broadcast. For a reduction it is given the reversed problem and schedule, and only
/// the sentences are turned back.
class Replay {
 public:
  Replay(const Problem& problem, const Schedule& schedule, bool backwards)
      : problem_(problem),
        graph_(*problem.graph),
        schedule_(schedule),
        backwards_(backwards),
        delivered_(problem.messages(), kNever),
        arcs_(graph_.arc_count()),
        links_(graph_.link_count()),
        sent_(graph_.node_count()),
        received_(graph_.node_count()),
        hops_of_(problem.extra_hops == Problem::kAnyLength ? 0 : graph_.node_count()) {}

  ScheduleVerdict run() {
    verdict_.steps = schedule_.step_count();
    verdict_.transfers = schedule_.transfer_count();
    for (step_ = 0; step_ < schedule_.step_count(); ++step_) {
      for (std::uint32_t t = schedule_.step_begin(step_); t < schedule_.step_end(step_); ++t) check(t);
    }
    find_missing();
    if (backwards_) turn_back();
    return std::move(verdict_);
  }

 private:
  template <class MakeText>
  void report(ViolationKind kind, MakeText text) {
    ++verdict_.count[static_cast<std::size_t>(kind)];
    if (verdict_.findings.empty() || verdict_.findings.back().step != step_)
      verdict_.findings.push_back({step_, 0, kind, text()});
    ++verdict_.findings.back().count;
  }
  /// The step as people count, in the order of the schedule that was given.
  [[nodiscard]] std::uint32_t shown(std::uint32_t step) const {
    return backwards_ ? schedule_.step_count() - step : step + 1;
  }
  [[nodiscard]] std::string name(std::uint32_t t) const {
    const auto path = schedule_.path(t);
    std::string text = fmt::format("step {}: ", shown(step_));
    const NodeId from = backwards_ ? path.back() : path.front();
    const NodeId to = backwards_ ? path.front() : path.back();
    text += fmt::format("transfer {} to {}", from.value, to.value);
    if (problem_.delivery == Delivery::broadcast) {
      text += fmt::format(" of {} {}", backwards_ ? "the result for" : "the message of",
                          schedule_.origin(t).value);
    }
    return text;
  }

  void check(std::uint32_t t) {
    const bool real = walk(t);
    const NodeId origin = schedule_.origin(t);
    const std::uint32_t group = problem_.group_of(origin);
    if (group == Problem::kNone) {
      report(ViolationKind::unknown_node, [&] {
        return fmt::format("{}: origin {} has no {} in this collective", name(t), origin.value,
                           backwards_ ? "result" : "message");
      });
      return;
    }
    if (!real) return;
    count_ports(t);
    check_length(t);
    check_sender(t, group);
    deliver(t, group);
  }

  /// The path itself; takes its arcs. False where it is none: nothing is delivered then.
  bool walk(std::uint32_t t) {
    const auto path = schedule_.path(t);
    bool good = true;
    for (const NodeId n : path) {
      if (n.value < graph_.node_count()) continue;
      report(ViolationKind::unknown_node, [&] {
        return fmt::format("{}: there is no node {}; nodes are 0 to {}", name(t), n.value,
                           graph_.node_count() - 1);
      });
      return false;
    }
    if (path.size() < 2) {
      report(ViolationKind::no_path, [&] { return fmt::format("{}: the path has no channel", name(t)); });
      return false;
    }
    sorted_.assign(path.begin(), path.end());
    std::sort(sorted_.begin(), sorted_.end());
    if (const auto twice = std::adjacent_find(sorted_.begin(), sorted_.end()); twice != sorted_.end()) {
      report(ViolationKind::no_path,
             [&] { return fmt::format("{}: the path comes to node {} twice", name(t), twice->value); });
      good = false;
    }
    for (std::size_t i = 1; i + 1 < path.size(); ++i) {
      if (!graph_.is_leaf(path[i])) continue;
      report(ViolationKind::through_terminal,
             [&] { return fmt::format("{}: the path leads through terminal {}", name(t), path[i].value); });
      good = false;
    }
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      const ArcId arc = graph_.find(path[i], path[i + 1]);
      if (arc.valid()) {
        take(arc);
        continue;
      }
      report(ViolationKind::no_channel, [&] {
        return fmt::format("{}: no channel leads from {} to {}", name(t),
                           (backwards_ ? path[i + 1] : path[i]).value,
                           (backwards_ ? path[i] : path[i + 1]).value);
      });
      good = false;
    }
    return good;
  }

  void take(ArcId arc) {
    ++verdict_.hops;
    const auto ends = [&] {
      const NodeId from = backwards_ ? graph_.head(arc) : graph_.tail(arc);
      const NodeId to = backwards_ ? graph_.tail(arc) : graph_.head(arc);
      return std::pair(from.value, to.value);
    };
    const auto messages = [](std::uint32_t n) {
      return n == 1 ? "one message" : fmt::format("{} messages", n);
    };
    const std::uint32_t capacity = graph_.capacity(arc);
    if (arcs_.add(arc.value, step_) > capacity) {
      report(ViolationKind::channel_conflict, [&] {
        return fmt::format("step {}: more than {} on the channel from {} to {}", shown(step_),
                           messages(capacity), ends().first, ends().second);
      });
    }
    const std::uint32_t link = graph_.link(arc);
    const std::uint32_t both = graph_.link_capacity(link);
    if (graph_.link_class() == LinkClass::half_duplex && links_.add(link, step_) > both) {
      report(ViolationKind::channel_conflict, [&] {
        return fmt::format("step {}: more than {} on the half-duplex link between {} and {}", shown(step_),
                           messages(both), ends().first, ends().second);
      });
    }
  }

  void count_ports(std::uint32_t t) {
    const auto check = [&](NodeId node, StepCounter& counter, std::uint32_t limit, bool sends) {
      if (counter.add(node.value, step_) <= limit) return;
      report(sends ? ViolationKind::send_ports : ViolationKind::receive_ports, [&] {
        return fmt::format("step {}: node {} {} more than {} message{}, as many as it has ports",
                           shown(step_), node.value, sends ? "sends" : "receives", limit,
                           limit == 1 ? "" : "s");
      });
    };
    check(schedule_.distributor(t), sent_, problem_.send_ports, !backwards_);
    check(schedule_.receiver(t), received_, problem_.receive_ports, backwards_);
  }

  void check_length(std::uint32_t t) {
    if (problem_.extra_hops == Problem::kAnyLength) return;
    const auto path = schedule_.path(t);
    std::vector<std::uint32_t>& hops = hops_of_[path.front().value];
    if (hops.empty()) graph_.distances_from(path.front(), hops);
    const std::uint64_t most = std::uint64_t{hops[path.back().value]} + problem_.extra_hops;
    if (path.size() - 1 <= most) return;
    report(ViolationKind::detour, [&] {
      return fmt::format("{}: the path has {} channels where at most {} are allowed", name(t),
                         path.size() - 1, most);
    });
  }

  void check_sender(std::uint32_t t, std::uint32_t group) {
    const NodeId origin = schedule_.origin(t);
    const NodeId from = schedule_.distributor(t);
    if (from == origin) return;
    if (problem_.delivery == Delivery::scatter) {
      report(ViolationKind::wrong_sender, [&] {
        return fmt::format("{}: a message of {} must be sent by it, not by {}", name(t), origin.value,
                           from.value);
      });
      return;
    }
    const std::uint32_t message = problem_.message_of(group, from);
    if (message == Problem::kNone) {
      report(ViolationKind::wrong_sender, [&] {
        return backwards_ ? fmt::format("{}: node {} does not contribute to this result", name(t), from.value)
                          : fmt::format("{}: node {} is not to get this message", name(t), from.value);
      });
      return;
    }
    const std::uint32_t got = delivered_[message];
    if (got < step_) return;
    report(ViolationKind::not_informed, [&] {
      if (backwards_)
        return fmt::format("{}: node {} does not pass its own part on in a later step", name(t), from.value);
      return fmt::format("{}: node {} does not have the message before this step", name(t), from.value);
    });
  }

  void deliver(std::uint32_t t, std::uint32_t group) {
    const NodeId to = schedule_.receiver(t);
    const std::uint32_t message = problem_.message_of(group, to);
    if (message == Problem::kNone) {
      report(ViolationKind::not_a_receiver, [&] {
        return backwards_ ? fmt::format("{}: node {} has nothing to send", name(t), to.value)
                          : fmt::format("{}: node {} is not to get this message", name(t), to.value);
      });
      return;
    }
    if (delivered_[message] == kNever) {
      delivered_[message] = step_;
    } else if (!problem_.repeats) {
      report(ViolationKind::duplicate, [&] {
        return backwards_ ? fmt::format("{}: node {} sends its part also in step {}", name(t), to.value,
                                        shown(delivered_[message]))
                          : fmt::format("{}: node {} has got this message in step {}", name(t), to.value,
                                        shown(delivered_[message]));
      });
    }
  }

  void find_missing() {
    for (std::uint32_t g = 0; g < problem_.groups(); ++g) {
      for (std::uint32_t m = problem_.first[g]; m < problem_.first[g + 1]; ++m) {
        if (delivered_[m] != kNever) continue;
        report(ViolationKind::missing, [&] {
          const std::uint32_t owner = problem_.owner[g].value;
          const std::uint32_t other = problem_.partner[m].value;
          return backwards_ ? fmt::format("node {} never sends its part of the result for {}", other, owner)
                            : fmt::format("node {} never gets the message of {}", other, owner);
        });
      }
    }
  }

  void turn_back() {
    const std::uint32_t steps = schedule_.step_count();
    for (StepFinding& finding : verdict_.findings) {
      if (finding.step < steps) finding.step = steps - 1 - finding.step;
    }
    std::sort(verdict_.findings.begin(), verdict_.findings.end(),
              [](const StepFinding& a, const StepFinding& b) { return a.step < b.step; });
  }

  const Problem& problem_;
  const NodeGraph& graph_;
  const Schedule& schedule_;
  bool backwards_;
  std::vector<std::uint32_t> delivered_;  // by message: the step
  StepCounter arcs_, links_, sent_, received_;
  std::vector<std::vector<std::uint32_t>> hops_of_;  // by source, found when asked for
  std::vector<NodeId> sorted_;
  std::uint32_t step_ = 0;
  ScheduleVerdict verdict_;
};

}  // namespace

const char* name_of(ViolationKind kind) {
  static constexpr std::array<const char*, kViolationKinds> names = {
      "unknown_node", "no_channel",    "no_path",        "through_terminal", "detour",
      "wrong_sender", "not_informed",  "not_a_receiver", "duplicate",        "channel_conflict",
      "send_ports",   "receive_ports", "missing"};
  return names[static_cast<std::size_t>(kind)];
}

std::uint64_t ScheduleVerdict::violations() const {
  return std::accumulate(count.begin(), count.end(), std::uint64_t{0});
}

ScheduleVerdict check_schedule(const Problem& problem, const Schedule& schedule) {
  if (problem.delivery != Delivery::reduction) return Replay(problem, schedule, false).run();
  const Problem reversed = time_reversed(problem);
  return Replay(reversed, time_reversed(schedule, problem.delivery), true).run();
}

}  // namespace unknot
