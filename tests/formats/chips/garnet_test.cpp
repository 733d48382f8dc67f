// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "formats/chips/garnet_samples.hpp"
#include "formats/fabric_samples.hpp"
#include "refusal.hpp"
#include "unknot/formats/chips/garnet.hpp"
#include "unknot/formats/chips/link_weights.hpp"
#include "unknot/formats/chips/weighted_ways.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/adaptive/adaptive_verdict.hpp"

namespace unknot {
namespace {

using testing::HasSubstr;
using Weights = std::vector<std::uint32_t>;

/// A connected network of single cables, some of them one-way links beside, a terminal at each router.
Network random_network(std::uint64_t seed, std::uint32_t most) {
  Random random(seed);
  const std::uint32_t size = 2 + random.below(most - 1);
  NetworkBuilder builder;
  builder.add_routers(size);
  std::set<std::pair<std::uint32_t, std::uint32_t>> joined;
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    if (a != b && joined.insert(std::minmax(a, b)).second) builder.add_cable(RouterId(a), RouterId(b));
  };
  for (std::uint32_t r = 1; r < size; ++r) join(r, random.below(r));
  for (std::uint32_t i = 0; i < size; ++i) join(random.below(size), random.below(size));
  for (std::uint32_t r = 0; r < size; ++r) builder.add_terminal(RouterId(r));
  return std::move(builder).build();
}

Weights random_weights(const Network& network, std::uint64_t seed, std::uint32_t most) {
  Random random(seed);
  Weights weights(network.channel_count());
  for (std::uint32_t& weight : weights) weight = 1 + random.below(most);
  return weights;
}

/// Garnet's rule from its words: all ways without a router twice are walked.
std::vector<std::uint16_t> positions_by_walking(const Network& network, const Weights& weights, RouterId from,
                                                RouterId to) {
  std::vector<std::uint64_t> least(network.out(from).size(), std::numeric_limits<std::uint64_t>::max());
  std::vector<bool> seen(network.router_count(), false);
  const std::function<void(RouterId, std::uint64_t, std::size_t)> walk = [&](RouterId at, std::uint64_t total,
                                                                             std::size_t first) {
    if (at == to) {
      least[first] = std::min(least[first], total);
      return;
    }
    seen[at.value] = true;
    for (const ChannelId c : network.out(at))
      if (!seen[network.target(c).value]) walk(network.target(c), total + weights[c.value], first);
    seen[at.value] = false;
  };
  seen[from.value] = true;
  for (std::size_t i = 0; i < least.size(); ++i) {
    const ChannelId c = network.out(from)[static_cast<std::uint32_t>(i)];
    walk(network.target(c), weights[c.value], i);
  }
  const std::uint64_t best = *std::min_element(least.begin(), least.end());
  std::uint32_t lightest = std::numeric_limits<std::uint32_t>::max();
  const auto own = [&](std::size_t i) {
    return weights[network.out(from)[static_cast<std::uint32_t>(i)].value];
  };
  for (std::size_t i = 0; i < least.size(); ++i)
    if (least[i] == best) lightest = std::min(lightest, own(i));
  std::vector<std::uint16_t> positions;
  for (std::size_t i = 0; i < least.size(); ++i)
    if (least[i] == best && own(i) == lightest) positions.push_back(static_cast<std::uint16_t>(i));
  return positions;
}

WantedWays ways_of(const Network& network, const Weights& weights) {
  WantedWays wanted;
  for (const RouterId to : network.routers())
    wanted.destinations.push_back({to, weighted_ways(network, weights, to).positions});
  return wanted;
}

bool same_ways(const WantedWays& a, const WantedWays& b) {
  return std::equal(
      a.destinations.begin(), a.destinations.end(), b.destinations.begin(), b.destinations.end(),
      [](const auto& x, const auto& y) { return x.router == y.router && x.positions == y.positions; });
}

TEST(WeightedWays, AreThoseOfGarnetsRule) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const Network network = random_network(seed, 7);
    const Weights weights = random_weights(network, seed, 3);
    for (const RouterId to : network.routers()) {
      const WeightedWays ways = weighted_ways(network, weights, to);
      EXPECT_TRUE(ways.positions[to.value].empty());
      for (const RouterId from : network.routers()) {
        if (from == to) continue;
        EXPECT_EQ(ways.positions[from.value], positions_by_walking(network, weights, from, to));
      }
    }
  }
}

// Ways that some weights give are given by the weights that are found, and where nothing is found, that is
// said.
TEST(LinkWeights, AreFoundForMostWaysThatWeightsGive) {
  int found = 0;
  constexpr int kCases = 60;
  for (std::uint64_t seed = 1; seed <= kCases; ++seed) {
    SCOPED_TRACE(seed);
    const Network network = random_network(seed, 9);
    const WantedWays wanted = ways_of(network, random_weights(network, seed + 1000, 12));
    Weights weights;
    const std::string trouble = refusal([&] { weights = find_link_weights(network, wanted); });
    EXPECT_THAT(trouble, testing::Not(HasSubstr("whatever they are")));
    if (!trouble.empty()) continue;
    ++found;
    EXPECT_TRUE(same_ways(ways_of(network, weights), wanted));
  }
  EXPECT_GT(found, kCases * 8 / 10);
}

// All weights up to 3 of a triangle and of a square, against what the search says.
TEST(LinkWeights, AreNeverSaidToBeImpossibleWhereTheyExist) {
  for (const char* spec : {"ring:3", "ring:4"}) {
    const Network network = make_network(spec);
    std::uint64_t count = 1;
    for (std::uint32_t c = 0; c < network.channel_count(); ++c) count *= 3;
    for (std::uint64_t code = 0; code < count; code += 37) {
      Weights weights;
      std::uint64_t rest = code;
      for (std::uint32_t c = 0; c < network.channel_count(); ++c) {
        weights.push_back(static_cast<std::uint32_t>(1 + rest % 3));
        rest /= 3;
      }
      const WantedWays wanted = ways_of(network, weights);
      Weights again;
      const std::string trouble = refusal([&] { again = find_link_weights(network, wanted); });
      EXPECT_THAT(trouble, testing::Not(HasSubstr("whatever they are")));
      if (trouble.empty()) {
        EXPECT_TRUE(same_ways(ways_of(network, again), wanted));
      }
    }
  }
}

// All tables of a triangle and of a square with one way for each pair, against all weights up to 5 and 3.
TEST(LinkWeights, ExistWhereTryingAllFindsThem) {
  for (const auto& [spec, most] : {std::pair("ring:3", 5U), std::pair("ring:4", 3U)}) {
    SCOPED_TRACE(spec);
    const Network network = make_network(spec);
    const std::uint32_t size = network.router_count();
    /// The table as a number, a bit for each pair: which of its two links a router takes; nothing for two.
    const auto code_of = [&](const WantedWays& ways) {
      std::uint32_t code = 0;
      for (const WantedWays::Destination& to : ways.destinations) {
        for (const RouterId r : network.routers()) {
          const std::vector<std::uint16_t>& one = to.positions[r.value];
          if (r == to.router) continue;
          if (one.size() != 1) return ~0U;
          code = 2 * code + one.front();
        }
      }
      return code;
    };
    std::set<std::uint32_t> possible;
    std::uint64_t count = 1;
    for (std::uint32_t c = 0; c < network.channel_count(); ++c) count *= most;
    for (std::uint64_t all = 0; all < count; ++all) {
      Weights weights;
      for (std::uint64_t rest = all; weights.size() < network.channel_count(); rest /= most)
        weights.push_back(static_cast<std::uint32_t>(1 + rest % most));
      possible.insert(code_of(ways_of(network, weights)));
    }
    possible.erase(~0U);
    std::uint32_t found = 0;
    for (std::uint32_t code = 0; code < 1U << (size * (size - 1)); ++code) {
      WantedWays wanted;
      std::uint32_t bit = size * (size - 1);
      for (const RouterId to : network.routers()) {
        wanted.destinations.push_back({to, std::vector<std::vector<std::uint16_t>>(size)});
        for (const RouterId r : network.routers())
          if (r != to)
            wanted.destinations.back().positions[r.value] = {static_cast<std::uint16_t>(code >> --bit & 1U)};
      }
      ASSERT_EQ(code_of(wanted), code);
      Weights weights;
      const std::string trouble = refusal([&] { weights = find_link_weights(network, wanted); });
      if (trouble.empty()) {
        ++found;
        EXPECT_EQ(code_of(ways_of(network, weights)), code);
      } else {
        EXPECT_THAT(trouble, testing::AnyOf(HasSubstr("whatever they are"), HasSubstr("in a circle")));
        EXPECT_FALSE(possible.contains(code)) << code;
      }
    }
    EXPECT_GE(found, possible.size());
    EXPECT_GT(possible.size(), 10U);
  }
}

// To 2 from 0 by 1 although there is a link, and to 1 by 2 although there is one: both detours cannot be
// lighter.
TEST(LinkWeights, AreRefusedWhereNoneExist) {
  NetworkBuilder builder;
  builder.add_routers(3);
  for (std::uint32_t a = 0; a < 3; ++a) {
    for (std::uint32_t b = a + 1; b < 3; ++b) builder.add_cable(RouterId(a), RouterId(b));
    builder.add_terminal(RouterId(a));
  }
  const Network network = std::move(builder).build();
  WantedWays wanted = ways_of(network, Weights(network.channel_count(), 1));
  const auto go = [&](std::uint32_t from, std::uint32_t to, std::uint32_t by) {
    for (std::uint16_t i = 0; i < 2; ++i)
      if (network.target(network.out(RouterId(from))[i]).value == by)
        wanted.destinations[to].positions[from] = {i};
  };
  go(0, 2, 1);
  EXPECT_EQ(refusal([&] { (void)find_link_weights(network, wanted); }), "");
  go(0, 1, 2);
  EXPECT_THAT(refusal([&] { (void)find_link_weights(network, wanted); }), HasSubstr("whatever they are"));
  go(1, 2, 0);  // 0 and 1 send to 2 by each other
  EXPECT_THAT(refusal([&] { (void)find_link_weights(network, wanted); }), HasSubstr("can go in a circle"));
}

TEST(LinkWeights, GiveOrdersOfDimensions) {
  for (const char* spec : {"mesh:4x3x2", "torus:5x4", "hypercube:4", "hyperx:4x3"}) {
    SCOPED_TRACE(spec);
    const Network network = make_network(spec);
    const Coordinates& at = *network.coordinates();
    const auto value = [&](std::uint32_t r, std::uint32_t d) {
      return at.value[std::size_t{r} * at.dimensions + d];
    };
    WantedWays wanted;
    for (const RouterId to : network.routers()) {
      WantedWays::Destination one{to, {}};
      one.positions.resize(network.router_count());
      const std::vector<std::uint16_t> none;
      for (const RouterId r : network.routers()) {
        if (r == to) continue;
        std::uint32_t d = 0;
        while (value(r.value, d) == value(to.value, d)) ++d;
        // The neighbour along dimension d that is nearest; upwards of two as near.
        const std::uint32_t size = at.extent[d];
        const auto left = [&](std::uint32_t from) {
          const std::uint32_t up = (value(to.value, d) + size - from) % size;
          if (std::string_view(spec).starts_with("hyperx")) return up == 0 ? 0U : 1U;
          const std::uint32_t straight =
              std::max(from, value(to.value, d)) - std::min(from, value(to.value, d));
          return at.wraps ? std::min(up, size - up) : straight;
        };
        std::uint16_t position = 0;
        for (const ChannelId c : network.out(r)) {
          const RouterId next = network.target(c);
          const bool along = value(next.value, d) != value(r.value, d);
          if (along && left(value(next.value, d)) + 1 == left(value(r.value, d))) {
            std::vector<std::uint16_t>& mine = one.positions[r.value];
            if (mine.empty() || value(next.value, d) == (value(r.value, d) + 1) % size) mine = {position};
          }
          ++position;
        }
      }
      wanted.destinations.push_back(std::move(one));
    }
    Weights weights;
    EXPECT_EQ(refusal([&] { weights = find_link_weights(network, wanted); }), "");
    if (!weights.empty()) {
      EXPECT_TRUE(same_ways(ways_of(network, weights), wanted));
    }
  }
}

TEST(Garnet, ConfigurationIsTheNetwork) {
  for (const char* spec : {"mesh:3x2,p=2", "ring:5", "uniring:4", "hyperx:3x3"}) {
    SCOPED_TRACE(spec);
    const Network network = make_network(spec);
    const std::string text = test::garnet_text(network, Weights(network.channel_count(), 1));
    EXPECT_TRUE(looks_like_garnet(text));
    const Network back = read_garnet(text, "config.ini");
    ASSERT_EQ(back.router_count(), network.router_count());
    ASSERT_EQ(back.terminal_count(), network.terminal_count());
    ASSERT_EQ(back.channel_count(), network.channel_count());
    for (const TerminalId t : network.terminals()) EXPECT_EQ(back.router_of(t), network.router_of(t));
    std::set<std::pair<RouterId, RouterId>> links;
    for (const ChannelId c : network.channels()) links.emplace(network.source(c), network.target(c));
    for (const ChannelId c : back.channels()) {
      EXPECT_TRUE(links.contains({back.source(c), back.target(c)}));
      EXPECT_EQ(back.reverse(c).valid(), links.contains({back.target(c), back.source(c)}));
      EXPECT_EQ(back.channel_latency(c), 1U);
    }
    EXPECT_EQ(back.router_name(RouterId(1)), "routers1");
    EXPECT_EQ(back.terminal_name(TerminalId(1)), "l1_cntrl1");
  }
}

AdaptiveRouting relation_of(const Network& network, const std::string& text) {
  AdaptiveRouting routing;
  read_garnet_weights(network, text, "config.ini", routing);
  return routing;
}

bool proven(const Network& network, const AdaptiveRouting& routing) {
  Progress quiet;
  AdaptiveVerifyOptions options;
  options.threads = 1;
  const auto verdict = verify_adaptive(network, routing, options, quiet);
  return verdict.delivers() && verdict.deadlock_free();
}

TEST(Garnet, WeightsAreTheRelation) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const Network made = random_network(seed, 7);
    const std::string text = test::garnet_text(made, random_weights(made, seed, 2));
    const Network network = read_garnet(text, "config.ini");
    Weights weights;
    for (const ChannelId c : network.channels()) {
      for (const ChannelId d : made.channels()) {
        if (made.source(d) == network.source(c) && made.target(d) == network.target(c))
          weights.push_back(random_weights(made, seed, 2)[d.value]);
      }
    }
    const AdaptiveRouting routing = relation_of(network, text);
    const AdaptivePlane& plane = routing.planes.at(0);
    for (const RouterId r : network.routers()) {
      for (const TerminalId t : network.terminals()) {
        if (network.router_of(t) == r) {
          EXPECT_EQ(plane.entry(r, t), AdaptivePlane::kHere);
          continue;
        }
        const Choice choice = plane.choices(r)[plane.entry(r, t)];
        const auto wanted = positions_by_walking(network, weights, r, network.router_of(t));
        EXPECT_EQ(choice.kind == ChoiceKind::fixed, wanted.size() == 1);
        std::vector<std::uint16_t> positions{choice.fixed};
        if (choice.kind != ChoiceKind::fixed) {
          const auto group = plane.group(r, choice.group);
          positions.assign(group.begin(), group.end());
        }
        EXPECT_EQ(positions, wanted);
        for (const std::uint16_t position : wanted)
          EXPECT_LE(network.target(network.out(r)[choice.fixed]), network.target(network.out(r)[position]));
      }
    }
  }
}

// gem5's own Mesh_XY: links along x weigh 1, along y 2. With 1 for all it can deadlock.
TEST(Garnet, MeshIsFreeOfDeadlockByItsWeightsAlone) {
  const Network mesh = make_network("mesh:3x3");
  Weights weights(mesh.channel_count(), 1);
  const std::string equal = test::garnet_text(mesh, weights);
  EXPECT_FALSE(proven(read_garnet(equal, "c"), relation_of(read_garnet(equal, "c"), equal)));
  for (const ChannelId c : mesh.channels())
    if (mesh.coordinates()->value[2 * mesh.source(c).value] ==
        mesh.coordinates()->value[2 * mesh.target(c).value])
      weights[c.value] = 2;
  const std::string ordered = test::garnet_text(mesh, weights);
  EXPECT_TRUE(proven(read_garnet(ordered, "c"), relation_of(read_garnet(ordered, "c"), ordered)));
}

TEST(Garnet, RelationIsRefusedWhereItIsNotThisNetworksTables) {
  const Network ring = make_network("ring:4");
  const Weights weights(ring.channel_count(), 4000);
  std::string text = test::garnet_text(ring, weights);
  const Network network = read_garnet(text, "c");
  EXPECT_EQ(refusal([&] { (void)relation_of(ring, text); }),
            "config.ini: describes another network than the fabric, expected this file as the fabric too");
  EXPECT_EQ(refusal([&] { (void)relation_of(network, text); }), "");
  const std::string heavy = test::garnet_text(ring, Weights(ring.channel_count(), 5000));
  EXPECT_EQ(refusal([&] { (void)relation_of(network, heavy); }),
            "config.ini: weights add up to 10001 on the way to router 0, where gem5 takes 10000 for no way");
  text.replace(text.find("routing_algorithm=0"), 19, "routing_algorithm=1");
  EXPECT_EQ(refusal([&] { (void)relation_of(network, text); }),
            "config.ini:10: routing_algorithm=1: expected 0, by which Garnet routes by tables");
}

}  // namespace
}  // namespace unknot
