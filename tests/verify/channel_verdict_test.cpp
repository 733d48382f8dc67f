// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/relation/channel_verdict.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace unknot {
namespace {

using RelationChannel = ChannelRelation::Channel;
using RelationFlow = ChannelRelation::Flow;

/// A relation of functions.
class MadeRelation final : public ChannelRelation {
 public:
  std::function<bool(RelationChannel, RelationChannel, const RelationFlow&)> allowed =
      [](RelationChannel, RelationChannel, const RelationFlow&) { return true; };
  std::function<bool(RelationChannel, std::uint32_t)> escape = [](RelationChannel, std::uint32_t) {
    return false;
  };
  std::function<bool(std::uint32_t, std::uint32_t)> moves = [](std::uint32_t, std::uint32_t) { return true; };

  MadeRelation(std::uint32_t routers, std::vector<VirtualChannel> channels, std::vector<RelationFlow> flows,
               std::uint32_t subnets = 1)
      : ChannelRelation(routers, std::move(channels), std::move(flows), subnets) {}
  [[nodiscard]] bool allows(RelationChannel from, RelationChannel next,
                            const RelationFlow& flow) const override {
    return allowed(from, next, flow);
  }
  [[nodiscard]] bool is_escape(RelationChannel channel, std::uint32_t subnet) const override {
    return escape(channel, subnet);
  }
  [[nodiscard]] bool must_move(std::uint32_t mover, std::uint32_t stalled) const override {
    return moves(mover, stalled);
  }
};

std::vector<ChannelRelation::VirtualChannel> ring(std::uint32_t routers, std::uint32_t lanes) {
  std::vector<ChannelRelation::VirtualChannel> channels;
  for (std::uint32_t r = 0; r < routers; ++r) {
    for (std::uint32_t lane = 0; lane < lanes; ++lane) channels.push_back({r, (r + 1) % routers, lane});
  }
  return channels;
}

TEST(ChannelVerdict, ARingOfOneLaneBlocks) {
  std::vector<RelationFlow> flows;
  for (std::uint32_t d = 0; d < 4; ++d) flows.push_back({d, 0, false, {(d + 2) % 4}});
  const MadeRelation relation(4, ring(4, 1), flows);
  Progress silent;
  const ChannelVerdict verdict = verify_relation(relation, silent);
  EXPECT_TRUE(verdict.delivers());
  EXPECT_FALSE(verdict.deadlock_free());
  EXPECT_FALSE(verdict.usable());
  EXPECT_EQ(verdict.max_hops, 2U);
  EXPECT_EQ(verdict.dependencies, 4U);
  EXPECT_EQ(verdict.witness_kind, ChannelWitness::blocked);
  ASSERT_EQ(verdict.witness.size(), 4U);
  EXPECT_EQ(describe(relation, verdict.witness[0]),
            "packets to router 2 from 0 in 0 -> 1 lane 0 wait for 1 -> 2 lane 0");
}

TEST(ChannelVerdict, AFlowThatCanTurnBackIsNotDelivered) {
  MadeRelation relation(3, {{0, 1, 0}, {1, 0, 0}, {1, 2, 0}}, {{2, 0, false, {0}}});
  Progress silent;
  ChannelVerdict verdict = verify_relation(relation, silent);
  EXPECT_EQ(verdict.looping_flows, 1U);
  EXPECT_EQ(verdict.lost_flows, 0U);
  relation.allowed = [](RelationChannel, RelationChannel next, const RelationFlow&) { return next != 2; };
  EXPECT_EQ(verify_relation(relation, silent).lost_flows, 0U);
  relation.allowed = [](RelationChannel from, RelationChannel, const RelationFlow&) {
    return from == ChannelRelation::kEntrance;
  };
  verdict = verify_relation(relation, silent);
  EXPECT_EQ(verdict.lost_flows, 1U);
  ASSERT_EQ(verdict.findings.size(), 1U);
  EXPECT_EQ(describe(relation, verdict.findings[0]),
            "packets to router 2 from 0 in 0 -> 1 lane 0 have no way on");
}

TEST(ChannelVerdict, OrderedFlowsHaveOneNextRouter) {
  const std::vector<ChannelRelation::VirtualChannel> diamond = {{0, 1, 0}, {0, 2, 0}, {1, 3, 0}, {2, 3, 0}};
  Progress silent;
  EXPECT_TRUE(verify_relation(MadeRelation(4, diamond, {{3, 0, false, {0}}}), silent).usable());
  EXPECT_EQ(verify_relation(MadeRelation(4, diamond, {{3, 0, true, {0}}}), silent).unordered_flows, 1U);
}

TEST(ChannelVerdict, ASubnetMovesWhileAnotherStalls) {
  const std::vector<RelationFlow> flows = {{1, 0, false, {0}}, {1, 1, false, {0}}};
  MadeRelation relation(2, {{0, 1, 0}, {0, 1, 1}}, flows, 2);
  Progress silent;
  EXPECT_FALSE(verify_relation(relation, silent).subnets_move());
  relation.moves = [](std::uint32_t v, std::uint32_t w) { return v < w; };
  EXPECT_FALSE(verify_relation(relation, silent).subnets_move());
  // Lane 0 is for subnet 0 alone, which need not stop for subnet 1.
  relation.allowed = [](RelationChannel, RelationChannel next, const RelationFlow& flow) {
    return next >= flow.subnet;
  };
  EXPECT_TRUE(verify_relation(relation, silent).subnets_move());
  relation.moves = [](std::uint32_t v, std::uint32_t w) { return v > w; };
  EXPECT_FALSE(verify_relation(relation, silent).subnets_move());
}

/// From the definitions, by sets.
struct SlowVerdict {
  bool delivers = true, acyclic = true, escape = true, blocked = false;
  /// By flow and channel that is anybody's escape: escapes that packets of the flow ask for while they hold
  /// it.
  std::vector<std::map<RelationChannel, std::set<RelationChannel>>> asks = {};
};

bool has_cycle(const std::map<RelationChannel, std::set<RelationChannel>>& after) {
  std::map<RelationChannel, std::set<RelationChannel>> reach = after;
  for (bool more = true; more;) {
    more = false;
    for (auto& [a, targets] : reach) {
      for (const RelationChannel b : std::set<RelationChannel>(targets)) {
        const auto next = after.find(b);
        if (next == after.end()) continue;
        for (const RelationChannel c : next->second) more = targets.insert(c).second || more;
      }
    }
  }
  return std::any_of(reach.begin(), reach.end(),
                     [](const auto& one) { return one.second.contains(one.first); });
}

SlowVerdict slow_verdict(const MadeRelation& relation) {
  SlowVerdict verdict;
  std::map<RelationChannel, std::set<RelationChannel>> all;
  std::map<RelationChannel, std::set<RelationChannel>> extended;
  std::vector<std::pair<RelationChannel, std::set<RelationChannel>>> packets;
  for (const RelationFlow& flow : relation.flows()) {
    auto& asks = verdict.asks.emplace_back();
    std::map<RelationChannel, std::set<RelationChannel>> choices;
    const auto look = [&](RelationChannel from, std::uint32_t router) {
      std::set<RelationChannel> next;
      for (RelationChannel c = 0; router != flow.destination && c < relation.channel_count(); ++c)
        if (relation.channel(c).from == router && relation.allows(from, c, flow)) next.insert(c);
      return next;
    };
    std::vector<RelationChannel> todo;
    for (const std::uint32_t source : flow.sources) {
      const std::set<RelationChannel> first = look(ChannelRelation::kEntrance, source);
      verdict.delivers = verdict.delivers && (!first.empty() || source == flow.destination);
      todo.insert(todo.end(), first.begin(), first.end());
    }
    while (!todo.empty()) {
      const RelationChannel c = todo.back();
      todo.pop_back();
      if (choices.contains(c)) continue;
      choices[c] = look(c, relation.channel(c).to);
      if (choices[c].empty() && relation.channel(c).to != flow.destination) verdict.delivers = false;
      todo.insert(todo.end(), choices[c].begin(), choices[c].end());
    }
    verdict.delivers = verdict.delivers && !has_cycle(choices);
    for (const auto& [c, next] : choices) {
      if (next.empty()) continue;
      packets.emplace_back(c, next);
      all[c].insert(next.begin(), next.end());
      const auto escapes = [&](RelationChannel d) { return relation.is_escape(d, flow.subnet); };
      verdict.escape = verdict.escape && std::any_of(next.begin(), next.end(), escapes);
      bool anybodys = false;
      for (std::uint32_t v = 0; v < relation.subnet_count(); ++v)
        anybodys = anybodys || relation.is_escape(c, v);
      if (!anybodys) continue;
      std::set<RelationChannel> behind;
      for (std::vector<RelationChannel> from = {c}; !from.empty();) {
        const RelationChannel b = from.back();
        from.pop_back();
        if (!behind.insert(b).second) continue;
        for (const RelationChannel d : choices[b]) {
          if (escapes(d)) {
            asks[c].insert(d);
          } else {
            from.push_back(d);
          }
        }
      }
      extended[c].insert(asks[c].begin(), asks[c].end());
    }
  }
  verdict.acyclic = !has_cycle(all);
  verdict.escape = verdict.escape && !has_cycle(extended);
  std::set<RelationChannel> full;
  for (const auto& [c, next] : packets) full.insert(c);
  for (std::size_t before = 0; before != full.size();) {
    before = full.size();
    std::set<RelationChannel> stay;
    for (const auto& [c, next] : packets)
      if (full.contains(c) && std::includes(full.begin(), full.end(), next.begin(), next.end()))
        stay.insert(c);
    full = std::move(stay);
  }
  verdict.blocked = !full.empty();
  return verdict;
}

std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ x >> 16) * 0x85EBCA6BU;
  x = (x ^ x >> 13) * 0xC2B2AE35U;
  return x ^ x >> 16;
}

TEST(ChannelVerdict, AgreesWithTheDefinitionsOnRandomRelations) {
  std::map<std::pair<ChannelProof, ChannelWitness>, int> seen;
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    std::mt19937 dice(seed);
    const std::uint32_t routers = 3 + dice() % 3;
    // In half of them lane 0 leads up to the last router, and may be taken always.
    const bool led = seed % 2 == 1;
    std::vector<ChannelRelation::VirtualChannel> channels;
    for (std::uint32_t u = 0; u < routers; ++u) {
      for (std::uint32_t v = 0; v < routers; ++v) {
        if (u == v || (dice() % 2 != 0 && !(led && v == u + 1))) continue;
        for (std::uint32_t lane = 0, lanes = 1 + dice() % 2; lane < lanes; ++lane)
          channels.push_back({u, v, lane});
      }
    }
    std::vector<RelationFlow> flows;
    for (std::uint32_t f = 0; f < 4; ++f) {
      const std::uint32_t source = dice() % routers;
      flows.push_back({led ? routers - 1 : static_cast<std::uint32_t>(dice() % routers),
                       static_cast<std::uint32_t>(dice() % 2),
                       false,
                       {source}});
    }
    MadeRelation relation(routers, channels, flows, 2);
    const std::uint32_t density = 3 + dice() % 6;  // of ten
    relation.allowed = [&](RelationChannel from, RelationChannel next, const RelationFlow& flow) {
      const ChannelRelation::VirtualChannel& to = channels[next];
      return (led && to.lane == 0 && to.from < to.to) ||
             mixed(seed * 7919 + (from + 1) * 977 + next * 31 + flow.destination * 7 + flow.subnet) % 10 <
                 density;
    };
    const std::uint32_t escapes = dice() % 3;
    relation.escape = [&](RelationChannel c, std::uint32_t v) {
      const ChannelRelation::VirtualChannel& one = channels[c];
      if (led) return one.lane == 0 && one.from < one.to;
      return escapes == 0 ? one.lane == 0 : mixed(seed * 31 + c * 3 + v) % 4 >= escapes;
    };
    Progress silent;
    const ChannelVerdict found = verify_relation(relation, silent);
    const SlowVerdict slow = slow_verdict(relation);
    SCOPED_TRACE(seed);
    EXPECT_EQ(found.delivers(), slow.delivers);
    EXPECT_EQ(found.proof == ChannelProof::acyclic, slow.acyclic);
    if (!slow.acyclic) {
      EXPECT_EQ(found.proof == ChannelProof::escape, slow.escape);
      EXPECT_EQ(found.witness_kind == ChannelWitness::blocked, !slow.escape && slow.blocked);
    }
    // A proof leaves nothing that could block.
    if (found.deadlock_free()) EXPECT_FALSE(slow.blocked);
    std::set<RelationChannel> holds;
    for (const WaitingPacket& packet : found.witness) holds.insert(packet.holds);
    if (found.witness_kind == ChannelWitness::blocked) {
      for (const WaitingPacket& packet : found.witness)
        for (const RelationChannel c : packet.waits_for) EXPECT_TRUE(holds.contains(c));
    }
    if (found.witness_kind == ChannelWitness::cycle) {
      for (std::size_t i = 0; i < found.witness.size(); ++i) {
        const WaitingPacket& packet = found.witness[i];
        EXPECT_EQ(packet.waits_for,
                  std::vector<RelationChannel>{found.witness[(i + 1) % found.witness.size()].holds});
        const auto& asks = slow.asks.at(packet.flow);
        EXPECT_TRUE(asks.contains(packet.holds) && asks.at(packet.holds).contains(packet.waits_for[0]));
      }
    }
    ++seen[{found.proof, found.witness_kind}];
  }
  for (const auto& kind : {std::pair(ChannelProof::acyclic, ChannelWitness::none),
                           std::pair(ChannelProof::escape, ChannelWitness::none),
                           std::pair(ChannelProof::none, ChannelWitness::blocked),
                           std::pair(ChannelProof::none, ChannelWitness::cycle),
                           std::pair(ChannelProof::none, ChannelWitness::no_escape)})
    EXPECT_GT(seen[kind], 5) << static_cast<int>(kind.first) << ' ' << static_cast<int>(kind.second);
}

}  // namespace
}  // namespace unknot
