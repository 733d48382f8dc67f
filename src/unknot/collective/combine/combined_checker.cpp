// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/combine/combined_checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "unknot/collective/check/path_rules.hpp"

namespace unknot {
namespace {

class Replay {
 public:
  Replay(const CombinedProblem& problem, const CombinedSchedule& schedule)
      : problem_(problem),
        schedule_(schedule),
        sources_(problem.source.size()),
        held_(problem.nodes.size() * sources_, false),
        rules_(problem.base, false,
               [this](ViolationKind kind, const PathRules::Text& text) { report(kind, text); }) {
    for (std::uint32_t b = 0; b < problem.blocks(); ++b) {
      for (std::uint64_t s = problem.first_source[b]; s < problem.first_source[b + 1]; ++s)
        held_[at(problem.rank_of(problem.source[s]), s)] = true;
    }
  }

  ScheduleVerdict run() {
    verdict_.steps = schedule_.step_count();
    verdict_.transfers = schedule_.transfer_count();
    for (step_ = 0; step_ < schedule_.step_count(); ++step_) {
      arrivals_.clear();
      contributions_.clear();
      for (std::uint32_t t = schedule_.step_begin(step_); t < schedule_.step_end(step_); ++t) send(t);
      receive();
    }
    find_missing();
    verdict_.hops = rules_.hops();
    return std::move(verdict_);
  }

 private:
  /// One block on its way: what its sender held when the step began.
  struct Arrival {
    std::uint32_t rank, block;
    bool combines;
    std::uint32_t transfer;
    std::size_t first;  // among contributions_
  };

  void report(ViolationKind kind, const PathRules::Text& sentence) {
    ++verdict_.count[static_cast<std::size_t>(kind)];
    if (verdict_.findings.empty() || verdict_.findings.back().step != step_)
      verdict_.findings.push_back({step_, 0, kind, sentence()});
    ++verdict_.findings.back().count;
  }
  [[nodiscard]] std::size_t at(std::uint32_t rank, std::uint64_t source) const {
    return rank * sources_ + source;
  }
  [[nodiscard]] std::string name(std::uint32_t t) const {
    return fmt::format("step {}: transfer {} to {}", step_ + 1, schedule_.sender(t).value,
                       schedule_.receiver(t).value);
  }
  [[nodiscard]] std::string name(std::uint32_t t, const Block& block) const {
    return fmt::format("{} of block [{}, {}]", name(t), block.origin.value, block.part);
  }

  void send(std::uint32_t t) {
    const PathRules::Text named = [this, t] { return name(t); };
    const auto path = schedule_.path(t);
    if (!rules_.take(path, step_, step_ + 1, named)) return;
    rules_.check_ends(path, step_, step_ + 1, named);
    const std::uint32_t from = problem_.rank_of(path.front());
    const std::uint32_t to = problem_.rank_of(path.back());
    if (from == Problem::kNone || to == Problem::kNone) {
      report(ViolationKind::unknown_node, [&] {
        return fmt::format("{}: node {} takes no part", name(t),
                           (from == Problem::kNone ? path.front() : path.back()).value);
      });
      return;
    }
    if (schedule_.combines(t) && !problem_.reduces()) {
      report(ViolationKind::wrong_sender,
             [&] { return fmt::format("{}: in {} nothing is combined", name(t), problem_.collective); });
      return;
    }
    for (const Block& block : schedule_.blocks(t)) send_block(t, from, to, block);
  }

  void send_block(std::uint32_t t, std::uint32_t from, std::uint32_t to, const Block& named) {
    const std::uint32_t b = problem_.block_of(named);
    if (b == Problem::kNone) {
      report(ViolationKind::unknown_node,
             [&] { return fmt::format("{}: there is no such block", name(t, named)); });
      return;
    }
    const std::size_t first = contributions_.size();
    bool any = false;
    for (std::uint64_t s = problem_.first_source[b]; s < problem_.first_source[b + 1]; ++s) {
      contributions_.push_back(held_[at(from, s)]);
      any = any || contributions_.back();
    }
    if (any) {
      arrivals_.push_back({to, b, schedule_.combines(t), t, first});
      return;
    }
    report(ViolationKind::not_informed, [&] {
      return fmt::format("{}: the sender holds nothing of it before this step", name(t, named));
    });
  }

  /// All that came in a step, by receiver and block: one copy, or parts that have no contribution in common.
  void receive() {
    std::stable_sort(arrivals_.begin(), arrivals_.end(), [](const Arrival& a, const Arrival& b) {
      return std::pair(a.rank, a.block) < std::pair(b.rank, b.block);
    });
    for (std::size_t i = 0; i < arrivals_.size(); ++i) {
      const Arrival& one = arrivals_[i];
      const bool alone = i == 0 || arrivals_[i - 1].rank != one.rank || arrivals_[i - 1].block != one.block;
      const bool mixed = !alone && !(one.combines && arrivals_[i - 1].combines);
      if (mixed || !fits(one)) {
        report(ViolationKind::duplicate, [&] {
          const std::string begin = name(one.transfer, problem_.block[one.block]);
          if (mixed) return fmt::format("{}: another transfer brings this block in the same step", begin);
          return one.combines ? fmt::format("{}: a contribution would count twice", begin)
                              : fmt::format("{}: the receiver holds the same already", begin);
        });
        continue;
      }
      for (std::uint64_t s = problem_.first_source[one.block]; s < problem_.first_source[one.block + 1];
           ++s) {
        const bool comes = contributions_[one.first + (s - problem_.first_source[one.block])];
        held_[at(one.rank, s)] = comes || (one.combines && held_[at(one.rank, s)]);
      }
    }
  }

  /// Combining: nothing in common. A copy: not the same.
  [[nodiscard]] bool fits(const Arrival& one) const {
    bool same = true, apart = true;
    for (std::uint64_t s = problem_.first_source[one.block]; s < problem_.first_source[one.block + 1]; ++s) {
      const bool comes = contributions_[one.first + (s - problem_.first_source[one.block])];
      const bool there = held_[at(one.rank, s)];
      same = same && comes == there;
      apart = apart && !(comes && there);
    }
    return one.combines ? apart : !same;
  }

  void find_missing() {
    const bool prefix = problem_.outcome == Outcome::scan;
    for (std::uint32_t b = 0; b < problem_.blocks(); ++b) {
      const Block& block = problem_.block[b];
      for (const NodeId target : problem_.targets(b)) {
        const std::uint32_t rank = problem_.rank_of(target);
        for (std::uint64_t s = problem_.first_source[b]; s < problem_.first_source[b + 1]; ++s) {
          const NodeId source = problem_.source[s];
          const bool wanted = !prefix || source <= target;
          if (held_[at(rank, s)] == wanted) continue;
          report(ViolationKind::missing, [&] {
            return fmt::format("node {} ends {} what node {} has of block [{}, {}]", target.value,
                               wanted ? "without" : "with", source.value, block.origin.value, block.part);
          });
        }
      }
    }
  }

  const CombinedProblem& problem_;
  const CombinedSchedule& schedule_;
  std::size_t sources_;              // of all blocks
  std::vector<bool> held_;           // by rank and source of a block
  std::vector<Arrival> arrivals_;    // of the step
  std::vector<bool> contributions_;  // of its blocks
  std::uint32_t step_ = 0;
  ScheduleVerdict verdict_;
  PathRules rules_;
};

}  // namespace

ScheduleVerdict check_combined(const CombinedProblem& problem, const CombinedSchedule& schedule) {
  return Replay(problem, schedule).run();
}

}  // namespace unknot
