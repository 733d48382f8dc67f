// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>

#include "effort.hpp"
#include "ethernet/random_parts.hpp"
#include "ethernet/slow_judge.hpp"
#include "unknot/ethernet/pauses/failures.hpp"
#include "unknot/ethernet/pauses/pause_verdict.hpp"
#include "unknot/ethernet/tags/tags.hpp"

namespace unknot::ethernet {
namespace {

using test::random_parts;
using test::RandomKind;
using test::SlowJudge;

constexpr std::uint8_t kLossless = 0x18;

/// All that is computed of a fabric.
struct Computed {
  explicit Computed(const std::vector<SwitchParts>& parts, std::uint32_t threads = 1)
      : fabric(join_fabric(parts, kLossless)),
        forwarding(fabric),
        usage(forwarding, threads, progress),
        queues(forwarding),
        waits(forwarding, usage, queues),
        pairs(waits.all(threads, progress)),
        graph(wait_graph(waits, pairs)),
        verdict(pause_verdict(waits, queues, graph)),
        failures(forwarding, usage, queues, waits, graph, verdict) {}

  Progress progress;
  Fabric fabric;
  Forwarding forwarding;
  Usage usage;
  Queues queues;
  Waits waits;
  std::vector<std::uint64_t> pairs;
  DependencyGraph graph;
  PauseVerdict verdict;
  Failures failures;

  [[nodiscard]] SlowJudge::Buffer name(std::uint32_t channel, unsigned priority) const {
    const Channel& c = fabric.channels[channel];
    return {fabric.switches[c.to].name, c.in_port, priority};
  }
  [[nodiscard]] SlowJudge::Link link(std::uint32_t channel) const {
    const Channel& c = fabric.channels[channel];
    return {{fabric.switches[c.from].name, c.out_port}, {fabric.switches[c.to].name, c.in_port}};
  }
};

std::vector<RandomKind> kinds() {
  return {{.qualities = false, .maps = false, .tunnels = false, .sensible = true},
          {.qualities = false, .maps = false, .tunnels = false, .sensible = false},
          {.qualities = true, .maps = false, .tunnels = false, .sensible = true},
          {.qualities = true, .maps = true, .tunnels = false, .sensible = true},
          {.qualities = false, .maps = false, .tunnels = true, .sensible = true},
          {.qualities = true, .maps = true, .tunnels = true, .sensible = true}};
}

/// The waits themselves, the verdict of each priority, loops and losses, by the slow judge.
void compare(const std::vector<SwitchParts>& parts) {
  const Computed all(parts);
  const SlowJudge judge(parts, kLossless, {});
  const std::set<SlowJudge::Buffer> locked = judge.locked();
  EXPECT_EQ(all.verdict.deadlock_free, locked.empty());
  std::set<std::pair<SlowJudge::Buffer, SlowJudge::Buffer>> theirs;
  for (const auto& [buffer, others] : judge.waits()) {
    for (const SlowJudge::Buffer& other : others) theirs.emplace(buffer, other);
  }
  std::set<std::pair<SlowJudge::Buffer, SlowJudge::Buffer>> ours;
  for (const std::uint64_t pair : all.pairs) {
    const auto from = static_cast<std::uint32_t>(pair >> 32);
    const auto to = static_cast<std::uint32_t>(pair);
    if (!all.queues.uniform()) {
      ours.emplace(all.name(all.waits.channel_of(from), all.waits.priority_of(from)),
                   all.name(all.waits.channel_of(to), all.waits.priority_of(to)));
      continue;
    }
    for (const std::uint8_t p : all.queues.priorities())
      ours.emplace(all.name(all.waits.channel_of(from), p), all.name(all.waits.channel_of(to), p));
  }
  EXPECT_EQ(ours, theirs);
  EXPECT_EQ(!all.usage.loops().empty(), judge.loops());
  EXPECT_EQ(!all.usage.dead_ends().empty(), judge.loses());
  if (all.verdict.deadlock_free) {
    for (const auto& [from, to] : theirs) {
      // The numbers of the proof rise along what the judge has found by itself.
      bool rises = false;
      for (std::uint32_t a = 0; a < all.graph.vertex_count(); ++a) {
        for (std::uint32_t b = 0; b < all.graph.vertex_count(); ++b) {
          const auto named = [&](std::uint32_t v, const SlowJudge::Buffer& buffer) {
            const unsigned p = all.queues.uniform() ? std::get<2>(buffer) : all.waits.priority_of(v);
            return all.name(all.waits.channel_of(v), p) == buffer;
          };
          if (named(a, from) && named(b, to)) rises |= all.verdict.number[a] < all.verdict.number[b];
        }
      }
      EXPECT_TRUE(rises);
    }
  } else {
    for (std::size_t i = 0; i < all.verdict.witness.size(); ++i) {
      const PauseWait& wait = all.verdict.witness[i];
      const PauseWait& next = all.verdict.witness[(i + 1) % all.verdict.witness.size()];
      const SlowJudge::Buffer from = all.name(wait.channel, wait.priority);
      EXPECT_TRUE(judge.waits().at(from).count(all.name(next.channel, next.priority)) > 0);
    }
  }
}

/// What a failure brings, by the judge.
void compare_outcome(const Computed& all, const SlowJudge& judge, const FailureOutcome& outcome,
                     std::uint32_t& deadlocks) {
  EXPECT_EQ(outcome.deadlock, !judge.locked().empty());
  if (all.usage.loops().empty()) {
    EXPECT_EQ(outcome.looping > 0, judge.loops());
  }
  if (all.usage.dead_ends().empty()) {
    EXPECT_EQ(outcome.losing > 0, judge.loses());
  }
  for (std::size_t i = 0; i < outcome.witness.size(); ++i) {
    const PauseWait& wait = outcome.witness[i];
    const PauseWait& next = outcome.witness[(i + 1) % outcome.witness.size()];
    EXPECT_TRUE(
        judge.waits().at(all.name(wait.channel, wait.priority)).count(all.name(next.channel, next.priority)) >
        0);
  }
  deadlocks += outcome.deadlock ? 1 : 0;
}

/// Every link, some pairs and every switch down, each computed anew by the judge.
void compare_failures(const std::vector<SwitchParts>& parts, Random& random, std::uint32_t& compared,
                      std::uint32_t& deadlocks, std::uint32_t& switch_deadlocks) {
  const Computed all(parts);
  if (!all.verdict.deadlock_free) return;
  std::vector<std::vector<std::uint32_t>> sets;
  const std::vector<std::uint32_t>& links = all.failures.links();
  for (const std::uint32_t link : links) sets.push_back({link});
  for (unsigned i = 0; i < 3 && links.size() > 1; ++i) {
    const auto a = random.below(static_cast<std::uint32_t>(links.size()));
    const auto b = random.below(static_cast<std::uint32_t>(links.size()));
    if (a != b) sets.push_back({links[a], links[b]});
  }
  for (const std::vector<std::uint32_t>& down : sets) {
    std::set<SlowJudge::Link> cut;
    for (const std::uint32_t link : down) {
      cut.insert(all.link(link));
      cut.insert(all.link(all.fabric.channels[link].reverse));
    }
    const SlowJudge judge(parts, kLossless, cut);
    compare_outcome(all, judge, all.failures.outcome(down), deadlocks);
    ++compared;
  }
  for (std::uint32_t s = 0; s < all.fabric.switches.size(); ++s) {
    const SlowJudge judge(parts, kLossless, {}, all.fabric.switches[s].name);
    compare_outcome(all, judge, all.failures.outcome_of_switch(s), switch_deadlocks);
    ++compared;
  }
}

TEST(Pauses, WaitsAndVerdictAreThoseOfPacketsFollowedOneByOne) {
  std::uint32_t free = 0;
  std::uint32_t locked = 0;
  for (std::uint32_t i = 0; i < 600; ++i) {
    Random random(7, i);
    const RandomKind kind = kinds()[i % kinds().size()];
    SCOPED_TRACE(i);
    const std::vector<SwitchParts> parts = random_parts(random, kind);
    compare(parts);
    if (testing::Test::HasFailure()) return;
    (Computed(parts).verdict.deadlock_free ? free : locked) += 1;
  }
  // Neither answer is rare.
  EXPECT_GT(free, 100U);
  EXPECT_GT(locked, 50U);
}

TEST(Pauses, FailuresAreThoseOfAComputationAnew) {
  std::uint32_t compared = 0;
  std::uint32_t deadlocks = 0;
  std::uint32_t switch_deadlocks = 0;
  const std::uint32_t cases = fewer_cases() ? 150 : 600;
  for (std::uint32_t i = 0; i < cases; ++i) {
    Random random(11, i);
    SCOPED_TRACE(i);
    compare_failures(random_parts(random, kinds()[i % kinds().size()]), random, compared, deadlocks,
                     switch_deadlocks);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(compared, cases * 4 / 5);
  EXPECT_GT(deadlocks, cases / 30);
  EXPECT_GT(switch_deadlocks, cases / 30);
}

/// The place that is rerouted is no part of the circle that its packets get into.
TEST(Pauses, ACircleThatADetourLeadsToIsFound) {
  std::uint32_t counts = 0;
  Random random(11, 365);
  compare_failures(random_parts(random, kinds()[365 % kinds().size()]), random, counts, counts, counts);
}

TEST(Pauses, TagsKeepWhatIsDeliveredFromLossAndFormNoCycle) {
  std::uint32_t more_than_one = 0;
  for (std::uint32_t i = 0; i < 4000; ++i) {
    Random random(13, i);
    SCOPED_TRACE(i);
    const std::vector<SwitchParts> parts = random_parts(random, kinds()[i % kinds().size()]);
    Computed all(parts);
    for (const bool with_failures : {false, true}) {
      const Tags tags = make_tags(all.forwarding, all.usage, all.waits.hops(1, all.progress),
                                  with_failures ? &all.failures : nullptr, 1, all.progress);
      std::string why;
      EXPECT_TRUE(check_tags(all.forwarding, tags,
                             with_failures ? all.failures.links() : std::vector<std::uint32_t>(), &why))
          << why;
      more_than_one += tags.queues > 1 ? 1 : 0;
      // One tag less is not enough for these rules, and a rule less loses packets.
      Tags fewer = tags;
      if (tags.queues > 1) {
        --fewer.queues;
        EXPECT_FALSE(check_tags(all.forwarding, fewer, all.failures.links(), &why)) << i;
        Tags kept = tags;
        for (PortPairRule& rule : kept.rules) rule.rule = TagRule::keep;
        EXPECT_FALSE(check_tags(all.forwarding, kept, {}, &why));
      } else if (!with_failures && !tags.rules.empty()) {
        fewer.rules.erase(fewer.rules.begin() + random.below(static_cast<std::uint32_t>(fewer.rules.size())));
        EXPECT_FALSE(check_tags(all.forwarding, fewer, {}, &why));
      }
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(more_than_one, 40U);
}

/// A circle of rules that keep: each leads to the next and the last to the first. Empty where there is none.
std::vector<std::size_t> circle_of_kept(const std::vector<PortPairRule>& rules) {
  for (std::size_t first = 0; first < rules.size(); ++first) {
    std::vector<std::size_t> before(rules.size(), rules.size());
    std::vector<std::size_t> queue{first};
    if (rules[first].rule != TagRule::keep) continue;
    for (std::size_t q = 0; q < queue.size(); ++q) {
      const std::size_t from = queue[q];
      for (std::size_t to = 0; to < rules.size(); ++to) {
        if (rules[to].rule != TagRule::keep || rules[to].channel != rules[from].next) continue;
        if (to == first) {
          std::vector<std::size_t> circle{from};
          while (circle.back() != first) circle.push_back(before[circle.back()]);
          return circle;
        }
        if (before[to] != rules.size()) continue;
        before[to] = from;
        queue.push_back(to);
      }
    }
  }
  return {};
}

/// Whether some assignment protects all packets with the queues that `tags` has: of each circle one rule has
/// to raise, whichever it is. Rules that raise beyond that protect no more.
bool some_rules_suffice(const Computed& all, const std::vector<std::uint32_t>& links, const Tags& tags,
                        std::set<std::vector<PortPairRule>>& tried) {
  if (!tried.insert(tags.rules).second) return false;
  const std::vector<std::size_t> circle = circle_of_kept(tags.rules);
  if (circle.empty()) return check_tags(all.forwarding, tags, links, nullptr);
  return std::any_of(circle.begin(), circle.end(), [&](std::size_t i) {
    Tags next = tags;
    next.rules[i].rule = TagRule::raise;
    return some_rules_suffice(all, links, next, tried);
  });
}

/// Fabrics that need three queues, found among many: no assignment of rules by ports does with two.
TEST(Pauses, ThreeQueuesAreTheFewestOfAllAssignments) {
  std::uint32_t assignments = 0;
  for (const std::uint32_t i : {2135U, 2213U, 8339U, 15250U, 18611U}) {
    SCOPED_TRACE(i);
    Random random(13, i);
    Computed all(random_parts(random, kinds()[i % kinds().size()]));
    for (const bool with_failures : {false, true}) {
      if (with_failures && i != 8339 && fewer_cases()) continue;  // some have a quarter of a million
      const Tags tags = make_tags(all.forwarding, all.usage, all.waits.hops(1, all.progress),
                                  with_failures ? &all.failures : nullptr, 1, all.progress);
      if (tags.queues < 3) continue;
      EXPECT_EQ(tags.queues, 3U);
      EXPECT_EQ(tags.least_by_ports, 3U);
      const std::vector<std::uint32_t> links =
          with_failures ? all.failures.links() : std::vector<std::uint32_t>();
      EXPECT_TRUE(check_tags(all.forwarding, tags, links, nullptr));
      Tags fewer = tags;
      for (PortPairRule& rule : fewer.rules) rule.rule = TagRule::keep;
      std::set<std::vector<PortPairRule>> tried;
      EXPECT_TRUE(some_rules_suffice(all, links, fewer, tried));
      fewer.queues = 2;
      tried.clear();
      EXPECT_FALSE(some_rules_suffice(all, links, fewer, tried));
      assignments += static_cast<std::uint32_t>(tried.size());
    }
  }
  EXPECT_GT(assignments, 1000U);
}

}  // namespace
}  // namespace unknot::ethernet
