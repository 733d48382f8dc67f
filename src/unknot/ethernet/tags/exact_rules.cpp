// SPDX-License-Identifier: Apache-2.0
#include "unknot/ethernet/tags/exact_rules.hpp"

#include <algorithm>
#include <utility>

#include "unknot/deadlock/components.hpp"
#include "unknot/lanes/cycle_cuts.hpp"
#include "unknot/support/error.hpp"

namespace unknot::ethernet {
namespace {

constexpr std::uint32_t kMostSolutions = 60;
constexpr std::size_t kMostCuts = 1000;  // of one solution

/// The formula of one number of queues.
class RuleFormula {
 public:
  RuleFormula(const TaggedPackets& packets, std::uint32_t queues, RuleKind kind)
      : packets_(packets), queues_(queues), kinds_(kind == RuleKind::ports ? 1 : queues) {
    const auto pairs = static_cast<std::uint32_t>(packets.pairs().size());
    raises_ = solver_.new_variables(std::max(1U, pairs * kinds_));
    const auto states = static_cast<std::uint32_t>(packets.before().size());
    above_ = solver_.new_variables(std::max(1U, states * (queues - 1)));
    for (std::uint32_t s = 1; s < states; ++s) {
      for (const TaggedPackets::Step& step : packets.before()[s]) add_step(s, step);
    }
    cut_cycles([](std::uint32_t, std::uint32_t) { return true; });
  }

  SatAnswer solve(std::uint64_t conflicts, const Progress& progress) {
    for (std::uint32_t i = 0; i < kMostSolutions; ++i) {
      const SatAnswer answer = solver_.solve({.conflicts = conflicts}, progress);
      if (progress.interrupted()) throw Interrupted();
      if (answer != SatAnswer::satisfiable) return answer;
      const auto keeps = [&](std::uint32_t pair, std::uint32_t tag) {
        return !solver_.value(raise(pair, tag));
      };
      if (!cut_cycles(keeps)) return answer;
    }
    return SatAnswer::unknown;
  }

  /// Of a solution by ports alone.
  [[nodiscard]] std::vector<std::uint64_t> raises() const {
    std::vector<std::uint64_t> result;
    for (std::uint32_t p = 0; p < packets_.pairs().size(); ++p) {
      if (solver_.value(raise(p, 1))) result.push_back(packets_.pairs()[p]);
    }
    return result;
  }

 private:
  /// The pair raises packets of the tag.
  [[nodiscard]] int raise(std::uint32_t pair, std::uint32_t tag) const {
    return raises_ + static_cast<int>(pair * kinds_ + (kinds_ == 1 ? 0 : tag - 1));
  }
  /// Some packet in the state has more than that tag, which is below the highest.
  [[nodiscard]] int above(std::uint32_t state, std::uint32_t tag) const {
    return above_ + static_cast<int>(state * (queues_ - 1) + tag - 1);
  }

  void add_step(std::uint32_t to, const TaggedPackets::Step& step) {
    std::vector<int> clause;
    // Tags above never fall. The first state has tag 1 alone.
    for (std::uint32_t tag = 1; tag < queues_ && step.state != 0; ++tag)
      solver_.add_clause(std::vector<int>{-above(step.state, tag), above(to, tag)});
    if (step.pair == TaggedPackets::kFree) return;
    // A packet of at least that tag that is raised has more; of the highest none may be.
    for (std::uint32_t tag = 1; tag <= (step.state == 0 ? 1 : queues_); ++tag) {
      clause.assign(1, -raise(step.pair, tag));
      if (tag > 1) clause.push_back(-above(step.state, tag - 1));
      if (tag < queues_) clause.push_back(above(to, tag));
      solver_.add_clause(clause);
    }
  }

  /// Forbids cycles of pairs that are kept, for every tag; false where there are none.
  template <class Keeps>
  bool cut_cycles(const Keeps& keeps) {
    std::vector<std::vector<std::uint32_t>> cycles;
    const std::vector<std::uint64_t>& pairs = packets_.pairs();
    for (std::uint32_t tag = 1; tag <= kinds_; ++tag) {
      std::vector<std::pair<std::uint32_t, std::uint32_t>> kept;
      for (std::uint32_t p = 0; p < pairs.size(); ++p) {
        if (keeps(p, tag))
          kept.emplace_back(static_cast<std::uint32_t>(pairs[p] >> 32), static_cast<std::uint32_t>(pairs[p]));
      }
      for (auto& cycle : short_cycles(packets_.channel_count(), kept, kMostCuts))
        cycles.push_back(std::move(cycle));
    }
    std::vector<int> clause;
    for (const auto& cycle : cycles) {
      for (std::uint32_t tag = 1; tag <= kinds_; ++tag) {
        clause.clear();
        for (std::size_t i = 0; i < cycle.size(); ++i) {
          const std::uint64_t pair = std::uint64_t{cycle[i]} << 32 | cycle[(i + 1) % cycle.size()];
          const auto at = std::lower_bound(pairs.begin(), pairs.end(), pair) - pairs.begin();
          clause.push_back(raise(static_cast<std::uint32_t>(at), tag));
        }
        solver_.add_clause(clause);
      }
    }
    return !cycles.empty();
  }

  const TaggedPackets& packets_;
  std::uint32_t queues_;
  std::uint32_t kinds_;  // of rules for each pair: one for all tags, or one for each
  SatSolver solver_;
  int raises_ = 0, above_ = 0;  // first variables
};

}  // namespace

TaggedPackets::TaggedPackets(std::uint32_t channels, std::vector<std::uint64_t> pairs)
    : channels_(channels), pairs_(std::move(pairs)), before_(1) {
  const DependencyGraph graph(channels, 1, std::vector<std::uint8_t>(channels, 1), [&](const auto& visit) {
    for (const std::uint64_t pair : pairs_)
      visit(static_cast<std::uint32_t>(pair >> 32), static_cast<std::uint32_t>(pair));
  });
  const std::vector<std::uint32_t> part = cyclic_components(graph).component;
  std::erase_if(pairs_, [&](std::uint64_t pair) {
    const std::uint32_t from = part[pair >> 32];
    return from == CyclicComponents::kNone || from != part[static_cast<std::uint32_t>(pair)];
  });
}

void TaggedPackets::add(const ExpectedHops& expected) {
  std::vector<std::vector<Step>> steps(expected.states);
  std::vector<std::uint32_t> number(expected.states, kFree);
  // Equal ways into a state make equal states. Steps that cannot raise add none.
  const auto number_of = [&](std::uint32_t state) {
    if (state == kNone) return 0U;
    if (number[state] != kFree) return number[state];
    std::vector<Step>& into = steps[state];
    std::sort(into.begin(), into.end());
    into.erase(std::unique(into.begin(), into.end()), into.end());
    const auto host = std::find(into.begin(), into.end(), Step{0, kFree});
    if (host != into.end() && into.size() > 1) into.erase(host);  // of tag 1 there are others
    if (into.size() == 1 && into.front().pair == kFree) return number[state] = into.front().state;
    const auto [found, added] = known_.emplace(into, static_cast<std::uint32_t>(before_.size()));
    if (added) {
      before_.push_back(into);
      steps_ += into.size();
    }
    into = {};
    return number[state] = found->second;
  };
  for (const Hop& hop : expected.hops) {
    std::uint32_t pair = kFree;
    if (hop.channel != kNone) {
      const std::uint64_t both = std::uint64_t{hop.channel} << 32 | hop.next;
      const auto at = std::lower_bound(pairs_.begin(), pairs_.end(), both);
      if (at != pairs_.end() && *at == both) pair = static_cast<std::uint32_t>(at - pairs_.begin());
    }
    steps[hop.next_state].push_back({number_of(hop.state), pair});
  }
  for (std::uint32_t s = 0; s < expected.states; ++s) {
    if (!steps[s].empty()) (void)number_of(s);
  }
}

SatAnswer rules_suffice(const TaggedPackets& packets, std::uint32_t queues, RuleKind kind,
                        std::uint64_t conflicts, const Progress& progress,
                        std::vector<std::uint64_t>* raises) {
  RuleFormula formula(packets, queues, kind);
  const SatAnswer answer = formula.solve(conflicts, progress);
  if (answer == SatAnswer::satisfiable && raises != nullptr) *raises = formula.raises();
  return answer;
}

}  // namespace unknot::ethernet
