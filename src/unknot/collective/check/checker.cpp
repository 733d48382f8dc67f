// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/check/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "unknot/collective/check/path_rules.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kNever = 0xFFFFFFFFU;

/// Replays a scatter or a broadcast. For a reduction it is given the reversed problem and schedule, and only
/// the sentences are turned back.
class Replay {
 public:
  Replay(const Problem& problem, const Schedule& schedule, bool backwards)
      : problem_(problem),
        schedule_(schedule),
        backwards_(backwards),
        delivered_(problem.messages(), kNever),
        rules_(problem, backwards,
               [this](ViolationKind kind, const PathRules::Text& text) { report(kind, text); }) {}

  ScheduleVerdict run() {
    verdict_.steps = schedule_.step_count();
    verdict_.transfers = schedule_.transfer_count();
    for (step_ = 0; step_ < schedule_.step_count(); ++step_) {
      for (std::uint32_t t = schedule_.step_begin(step_); t < schedule_.step_end(step_); ++t) check(t);
    }
    find_missing();
    verdict_.hops = rules_.hops();
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
    const auto path = schedule_.path(t);
    const PathRules::Text named = [this, t] { return name(t); };
    const bool real = rules_.take(path, step_, shown(step_), named);
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
    rules_.check_ends(path, step_, shown(step_), named);
    check_sender(t, group);
    deliver(t, group);
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
  const Schedule& schedule_;
  bool backwards_;
  std::vector<std::uint32_t> delivered_;  // by message: the step
  PathRules rules_;
  std::uint32_t step_ = 0;
  ScheduleVerdict verdict_;
};

}  // namespace

const char* name_of(ViolationKind kind) {
  static constexpr std::array<const char*, kViolationKinds> names = {
      "unknown_node",     "no_channel",   "no_path",       "through_terminal", "detour",
      "off_route",        "wrong_sender", "not_informed",  "not_a_receiver",   "duplicate",
      "channel_conflict", "send_ports",   "receive_ports", "missing"};
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
