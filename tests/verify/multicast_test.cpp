// SPDX-License-Identifier: Apache-2.0
// Multicast groups against the definitions: copies are made one by one, and each remembers where it has been.
#include "unknot/verify/multicast/multicast_walk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "effort.hpp"
#include "routed.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/joint_check.hpp"
#include "unknot/verify/verify.hpp"
#include "verify/random_routings.hpp"

namespace unknot {
namespace {

using testing::RandomCase;
using Place = std::pair<std::uint32_t, std::uint32_t>;  // channel, lane

/// What copies of all packets of a group do, found by making them.
struct Copies {
  std::set<std::pair<Place, Place>> arcs;
  std::set<Place> used;
  bool loop = false;
  std::map<std::pair<TerminalId, TerminalId>, std::uint32_t> received;  // by source and terminal
};

/// Lane of a hop, from the tables themselves; 99 where none carries data.
std::uint32_t lane_of(const Routing& routing, std::uint8_t level, RouterId at, std::uint16_t in,
                      std::uint16_t out) {
  const std::uint32_t lane = routing.lane_map ? routing.lane_map->lane(level, at, in, out) : level;
  return lane < std::min(routing.data_lanes, routing.lane_map ? 15U : 64U) ? lane : 99;
}

bool leaves_adapter(const Routing& routing, std::uint8_t level, TerminalId source) {
  if (!routing.lane_map) return level < routing.data_lanes;
  const LaneMap::Row* row = routing.lane_map->source(source);
  return row == nullptr || (*row)[level] < std::min(routing.data_lanes, 15U);
}

class Copier {
 public:
  Copier(const Network& network, const Routing& routing, const MulticastGroup& group, Copies& all)
      : network_(network), routing_(routing), group_(group), all_(all) {}

  void send(TerminalId source) {
    source_ = source;
    if (!leaves_adapter(routing_, group_.level(), source)) return;
    been_.clear();
    copy(network_.router_of(source), network_.terminal_port(source), nullptr);
  }

 private:
  void copy(RouterId at, std::uint16_t in, const Place* held) {
    for (const std::uint16_t port : group_.ports(at)) {
      if (port == in) continue;
      const std::uint32_t lane = lane_of(routing_, group_.level(), at, in, port);
      if (lane == 99) continue;
      for (const TerminalId t : network_.terminals_at(at)) {
        if (network_.terminal_port(t) == port && all_.received[{source_, t}] < 2)
          ++all_.received[{source_, t}];
      }
      const ChannelId c = network_.channel_at(at, port);
      if (!c.valid()) continue;
      const Place next{c.value, lane};
      all_.used.insert(next);
      if (held != nullptr) all_.arcs.insert({*held, next});
      if (std::count(been_.begin(), been_.end(), next) > 0) {
        all_.loop = true;
        continue;
      }
      been_.push_back(next);
      copy(network_.target(c), network_.target_port(c), &next);
      been_.pop_back();
    }
  }

  const Network& network_;
  const Routing& routing_;
  const MulticastGroup& group_;
  Copies& all_;
  TerminalId source_;
  std::vector<Place> been_;  // of this copy
};

Copies copies_of(const Network& network, const Routing& routing, const MulticastGroup& group) {
  Copies all;
  Copier copier(network, routing, group, all);
  for (const TerminalId t : network.terminals()) copier.send(t);
  return all;
}

/// Trees of cables, and masks at random.
MulticastGroup random_group(const Network& network, Random& random, std::uint16_t lid, std::uint8_t level) {
  std::vector<MulticastPort> ports;
  const bool tree = random.below(2) == 0;
  std::vector<std::uint32_t> part(network.router_count());
  for (std::uint32_t r = 0; r < part.size(); ++r) part[r] = r;
  for (const ChannelId c : network.channels()) {
    const RouterId a = network.source(c);
    const RouterId b = network.target(c);
    if (tree) {
      const ChannelId back = network.reverse(c);
      if (!back.valid() || part[a.value] == part[b.value] || random.below(6) == 0) continue;
      std::replace(part.begin(), part.end(), std::uint32_t{part[a.value]}, std::uint32_t{part[b.value]});
      ports.push_back({a, network.source_port(c)});
      ports.push_back({b, network.source_port(back)});
    } else if (random.below(4) == 0) {
      ports.push_back({a, network.source_port(c)});
    }
  }
  for (const TerminalId t : network.terminals()) {
    if (random.below(4) != 0) ports.push_back({network.router_of(t), network.terminal_port(t)});
  }
  return {lid, level, network.router_count(), std::move(ports)};
}

TEST(Multicast, IsFollowedAsItIsDefined) {
  const std::uint64_t cases = fewer_cases() ? 300 : 3000;
  std::uint32_t loops = 0;
  std::uint32_t whole = 0;
  std::uint32_t several = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    RandomCase made = testing::random_case(seed, 6, 2);
    Random random(seed, 5);
    MulticastTables tables;
    for (std::uint32_t i = 0; i < 1 + random.below(3); ++i) {
      tables.groups.push_back(random_group(made.network, random, static_cast<std::uint16_t>(0xC000 + 7 * i),
                                           static_cast<std::uint8_t>(random.below(3))));
    }
    made.routing.multicast = std::make_shared<const MulticastTables>(tables);
    Progress silent;
    const MulticastWalk walk = walk_multicast(made.network, made.routing, 1000, silent);
    MulticastVerdict wanted;
    std::set<std::pair<Place, Place>> arcs;
    std::set<Place> used;
    for (const MulticastGroup& group : tables.groups) {
      Copies all = copies_of(made.network, made.routing, group);
      arcs.insert(all.arcs.begin(), all.arcs.end());
      used.insert(all.used.begin(), all.used.end());
      loops += all.loop ? 1U : 0U;
      wanted.looping_groups += all.loop ? 1U : 0U;
      const std::vector<TerminalId> in_it = members(made.network, group);
      for (const TerminalId s : in_it) {
        for (const TerminalId t : in_it) {
          if (s == t) continue;
          ++wanted.pairs;
          if (all.loop || all.received[{s, t}] == 0) {
            ++wanted.lost_pairs;
          } else if (all.received[{s, t}] > 1) {
            ++wanted.repeated_pairs;
          }
        }
      }
    }
    EXPECT_EQ(walk.verdict.groups, tables.groups.size());
    EXPECT_EQ(walk.verdict.pairs, wanted.pairs) << seed;
    EXPECT_EQ(walk.verdict.lost_pairs, wanted.lost_pairs) << seed;
    EXPECT_EQ(walk.verdict.repeated_pairs, wanted.repeated_pairs) << seed;
    EXPECT_EQ(walk.verdict.looping_groups, wanted.looping_groups) << seed;
    whole += walk.verdict.complete() ? 1U : 0U;
    several += wanted.repeated_pairs > 0 ? 1U : 0U;
    std::set<std::pair<Place, Place>> found;
    std::set<Place> carrying;
    for (DependencyGraph::Vertex v = 0; v < walk.graph.vertex_count(); ++v) {
      if (walk.graph.used(v)) carrying.insert({walk.graph.channel_of(v), walk.graph.lane_of(v)});
      for (const DependencyGraph::Vertex w : walk.graph.next(v)) {
        found.insert({{walk.graph.channel_of(v), walk.graph.lane_of(v)},
                      {walk.graph.channel_of(w), walk.graph.lane_of(w)}});
      }
    }
    EXPECT_EQ(found, arcs) << seed;
    EXPECT_EQ(carrying, used) << seed;
    EXPECT_EQ(walk.graph.arc_count(), arcs.size()) << seed;  // each once
  }
  EXPECT_GT(loops, cases / 20);
  EXPECT_GT(whole, cases / 20);
  EXPECT_GT(several, cases / 50);
}

/// A spanning tree: breadth first from router 0, all terminals.
MulticastTables spanning_tree(const Network& network, std::uint8_t level) {
  std::vector<MulticastPort> ports;
  std::vector<RouterId> order{RouterId(0)};
  std::set<RouterId> seen{RouterId(0)};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const ChannelId c : network.out(order[i])) {
      if (!seen.insert(network.target(c)).second) continue;
      order.push_back(network.target(c));
      ports.push_back({order[i], network.source_port(c)});
      ports.push_back({network.target(c), network.target_port(c)});
    }
  }
  for (const TerminalId t : network.terminals())
    ports.push_back({network.router_of(t), network.terminal_port(t)});
  MulticastTables tables;
  tables.groups.emplace_back(std::uint16_t{0xC000}, level, network.router_count(), std::move(ports));
  return tables;
}

TEST(Multicast, CanDeadlockWithTablesThatAreSoundAlone) {
  const Network network = make_network("mesh:3x3");
  Routing routing = routed(network, "dor");  // X first: no turn from Y to X
  Progress silent;
  ASSERT_TRUE(verify(network, routing, {}, silent).deadlock_free);
  std::uint32_t cycles = 0;
  // A snake through the mesh turns both ways.
  std::vector<MulticastPort> ports;
  const std::vector<std::uint32_t> snake{0, 1, 2, 5, 4, 3, 6, 7, 8};
  for (std::size_t i = 0; i + 1 < snake.size(); ++i) {
    for (const ChannelId c : network.out(RouterId(snake[i]))) {
      if (network.target(c).value != snake[i + 1]) continue;
      ports.push_back({network.source(c), network.source_port(c)});
      ports.push_back({network.target(c), network.target_port(c)});
    }
  }
  for (const TerminalId t : network.terminals())
    ports.push_back({network.router_of(t), network.terminal_port(t)});
  for (const std::uint8_t level : {std::uint8_t{0}, std::uint8_t{1}}) {
    MulticastTables tables;
    tables.groups.emplace_back(std::uint16_t{0xC001}, level, network.router_count(), ports);
    routing.multicast = std::make_shared<const MulticastTables>(tables);
    const Verdict verdict = verify(network, routing, {.certificate = true}, silent);
    ASSERT_TRUE(verdict.multicast);
    EXPECT_TRUE(verdict.multicast->complete());
    EXPECT_EQ(verdict.multicast->pairs, 72U);
    EXPECT_EQ(verdict.deadlock_free, level == 1) << "on lane 1 nothing else travels";
    EXPECT_EQ(verdict.usable(), level == 1);
    if (verdict.witness) {
      ++cycles;
      const auto steps = verdict.witness->steps;
      EXPECT_TRUE(
          std::any_of(steps.begin(), steps.end(), [](const WitnessStep& s) { return s.group == 0xC001; }));
      EXPECT_NE(describe(network, *verdict.witness).find("to group 0xc001"), std::string::npos);
    }
  }
  EXPECT_EQ(cycles, 1U);
}

TEST(Multicast, CertificatesAreHeldAgainstItToo) {
  const Network network = make_network("kary-ntree:k=3,n=2");
  Routing routing = routed(network, "ftree");
  Progress silent;
  const Verdict alone = verify(network, routing, {.certificate = true}, silent);
  ASSERT_TRUE(alone.certificate);
  routing.multicast = std::make_shared<const MulticastTables>(spanning_tree(network, 0));
  const Verdict both = verify(network, routing, {.certificate = true}, silent);
  ASSERT_TRUE(both.certificate);
  std::string why;
  EXPECT_TRUE(check_certificate(network, routing, *both.certificate, &why)) << why;
  routing.multicast = std::make_shared<const MulticastTables>(spanning_tree(network, 3));
  EXPECT_FALSE(check_certificate(network, routing, *both.certificate, &why));
  EXPECT_NE(why.find("multicast groups use"), std::string::npos) << why;
}

TEST(Multicast, EdgesOfTheDefinition) {
  Progress silent;
  // One router: no channel, all the same a copy each. A group of one, and one of nobody.
  const Network one = testing::single(3);
  Routing routing = routed(one, "minhop");
  MulticastTables tables = spanning_tree(one, 0);
  tables.groups.emplace_back(std::uint16_t{0xC001}, std::uint8_t{0}, 1U,
                             std::vector<MulticastPort>{{RouterId(0), 1}});
  tables.groups.emplace_back(std::uint16_t{0xFFFE}, std::uint8_t{0}, 1U, std::vector<MulticastPort>{});
  routing.multicast = std::make_shared<const MulticastTables>(tables);
  Verdict verdict = verify(one, routing, {}, silent);
  EXPECT_EQ(verdict.multicast->pairs, 6U);
  EXPECT_TRUE(verdict.usable());
  // On a level that no lane carries, the last cable counts too.
  tables.groups[0].set_level(1);
  routing.multicast = std::make_shared<const MulticastTables>(tables);
  limit_lanes(routing, 1);
  verdict = verify(one, routing, {}, silent);
  EXPECT_EQ(verdict.multicast->lost_pairs, 6U);
  EXPECT_FALSE(verdict.usable());
  // A loop of three routers is a cycle, though nobody else sends.
  const Network ring = testing::ring(3);
  Routing around = routed(ring, "updn");
  std::vector<MulticastPort> ports;
  for (const ChannelId c : ring.channels()) ports.push_back({ring.source(c), ring.source_port(c)});
  for (const TerminalId t : ring.terminals()) ports.push_back({ring.router_of(t), ring.terminal_port(t)});
  MulticastTables circles;
  circles.groups.emplace_back(std::uint16_t{0xC000}, std::uint8_t{0}, 3U, ports);
  around.multicast = std::make_shared<const MulticastTables>(circles);
  verdict = verify(ring, around, {}, silent);
  EXPECT_EQ(verdict.multicast->looping_groups, 1U);
  EXPECT_FALSE(verdict.deadlock_free);
  ASSERT_FALSE(verdict.multicast->findings.empty());
  EXPECT_NE(describe(ring, verdict.multicast->findings[0]).find("come back to"), std::string::npos);
}

}  // namespace
}  // namespace unknot
