// SPDX-License-Identifier: Apache-2.0
// Engine layers: what must hold of it on every low-diameter network, and the parts that it is made of.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "effort.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/load/flow_load.hpp"
#include "unknot/network/addressed_network.hpp"
#include "unknot/network/bfs.hpp"
#include "unknot/routing/multipath/moving_tree.hpp"
#include "unknot/routing/multipath/rising_lanes.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/tables/further_addresses.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

/// Enough for what must hold with any.
constexpr const char* kLittle = "layers:effort=0.005";

Routing layers(const Network& network, const std::string& spec, std::uint32_t lmc,
               std::uint32_t lanes = kMaxLanes, std::uint32_t threads = 0) {
  Progress quiet;
  EngineRequest request;
  request.virtual_lanes = lanes;
  request.threads = threads;
  const Network wide = addressed_network(network, lmc);
  return with_further_addresses(network, wide, route(wide, spec, request, quiet));
}

/// Longest shortest path between routers with terminals, told by another search.
std::uint32_t distance(const Network& network) {
  std::uint32_t longest = 0;
  BreadthFirstSearch search(network);
  for (const RouterId r : network.routers()) {
    if (network.terminals_at(r).empty()) continue;
    const std::span<const std::uint32_t> hops_from = search.from(r);
    for (const TerminalId t : network.terminals()) {
      const std::uint32_t hops = hops_from[network.router_of(t).value];
      if (hops != BreadthFirstSearch::kUnreached) longest = std::max(longest, hops);
    }
  }
  return longest;
}

double saturation(const Network& network, const Routing& routing, const std::string& pattern) {
  std::vector<Flow> flows;
  make_pattern(network, pattern).flows(1, 0, flows);
  const std::vector<double> load = flow_load(network, routing, flows).load;
  return 1 / std::max(1.0, *std::max_element(load.begin(), load.end()));
}

TEST(Layers, HoldOnEveryNetworkOfLowDiameter) {
  Progress quiet;
  std::vector<std::string> specs = {"slimfly:q=5,p=3",
                                    "hyperx:4x4,p=2",
                                    "dragonfly:a=4,h=2,p=2",
                                    "mesh:1,p=3",
                                    "jellyfish:routers=24,degree=5,p=2",
                                    "hyperx:5,p=2",
                                    "hoffman-singleton"};
  for (const Topology& row : topologies())
    specs.insert(specs.end(), row.examples.begin(), row.examples.end());
  int routed = 0;
  for (const std::string& spec : specs) {
    const Network network = make_network(spec);
    if (!refusal(find_engine("layers"), network).empty()) continue;
    if (std::size_t{network.router_count()} * network.terminal_count() > (fewer_cases() ? 20'000 : 60'000))
      continue;
    for (const std::uint32_t lmc : {0U, 1U, 3U}) {
      SCOPED_TRACE(spec + " " + std::to_string(lmc));
      ++routed;
      const Routing routing = layers(network, kLittle, lmc);
      ASSERT_EQ(routing.further.size(), (1U << lmc) - 1);
      const std::uint32_t longest = std::max(1U, distance(network));
      const std::uint32_t most = std::max(longest + 1, std::min(2 * longest, 4U));
      const Verdict verdict = verify(network, routing, {}, quiet);
      EXPECT_EQ(verdict.unroutable_pairs, 0U);
      EXPECT_TRUE(verdict.loop_free());
      EXPECT_TRUE(verdict.deadlock_free);
      EXPECT_LE(verdict.max_hops, lmc == 0 ? longest : most);
      EXPECT_LE(routing.virtual_lanes, most);
      if (longest <= 3) {
        EXPECT_LE(routing.virtual_lanes, 4U);
      }
      EXPECT_LT(routing.service_levels.highest(), LaneMap::kLevels);
      Routing lowest = routing;
      lowest.further.clear();
      EXPECT_EQ(verify(network, lowest, {}, quiet).longer_pairs, 0U);
      for (const Routing& further : routing.further) {
        EXPECT_LT(further.service_levels.highest(), LaneMap::kLevels);
        EXPECT_EQ(verify(network, further, {}, quiet).unroutable_pairs, 0U);
      }
    }
  }
  EXPECT_GT(routed, 30);
}

TEST(Layers, AreTheSameAtAnyNumberOfThreads) {
  for (const char* spec : {"slimfly:q=5,p=3", "dragonfly:a=4,h=2,p=2"}) {
    SCOPED_TRACE(spec);
    const Network network = make_network(spec);
    const Routing one = layers(network, kLittle, 2, 4, 1);
    const Routing three = layers(network, kLittle, 2, 4, 3);
    ASSERT_EQ(one.further.size(), three.further.size());
    EXPECT_TRUE(one.table() == three.table() && one.service_levels == three.service_levels);
    for (std::size_t i = 0; i < one.further.size(); ++i) {
      EXPECT_TRUE(one.further[i].table() == three.further[i].table());
      EXPECT_TRUE(one.further[i].service_levels == three.further[i].service_levels);
    }
    for (const RouterId r : network.routers()) {
      for (std::uint16_t in = 0; in <= network.port_count(r); ++in) {
        for (std::uint16_t out = 1; out <= network.port_count(r); ++out)
          ASSERT_EQ(one.lane_map->get(r, in, out), three.lane_map->get(r, in, out));
      }
    }
  }
}

/// A tenth of the usual effort; docs/results/layers.md has what the whole gives.
TEST(Layers, HelpAgainstWorstTraffic) {
  const Network network = make_network("slimfly:q=5,p=3");
  const Routing blind = layers(network, "layers:effort=0.01", 3, 4);
  Routing lowest = blind;
  lowest.further.clear();
  EXPECT_NEAR(saturation(network, lowest, "worst-case"), 1.0 / 6, 1e-9);
  EXPECT_GT(saturation(network, blind, "worst-case"), 0.25);
  const Routing tuned = layers(network, "layers:effort=0.1,pattern=worst-case", 3, 4);
  EXPECT_GT(saturation(network, tuned, "worst-case"), 0.66);
  Progress quiet;
  EXPECT_TRUE(verify(network, tuned, {}, quiet).usable());
}

TEST(Layers, RefuseWhatTheyCannotDo) {
  const Network network = make_network("slimfly:q=5,p=3");
  EXPECT_THROW((void)layers(network, kLittle, 1, 1), RoutingFailure);
  EXPECT_THROW((void)layers(network, "layers:hops=6", 1, 4), RoutingFailure);
  EXPECT_THROW((void)layers(network, "layers:pattern=uniform", 1, 4), InputError);
  EXPECT_THROW((void)layers(network, "layers:pattern=nothing", 1, 4), InputError);
  EXPECT_FALSE(refusal(find_engine("layers"), make_network("torus:8x8")).empty());
  // three lanes: no path of four channels
  Progress quiet;
  EXPECT_LE(verify(network, layers(network, kLittle, 2, 3), {}, quiet).max_hops, 3U);
}

/// By each router the last of its channels that lead nearer.
void fill_shortest(const Network& network, RouterId root, std::span<std::uint32_t> hops) {
  BreadthFirstSearch search(network);
  const std::span<const std::uint32_t> distance = search.to(root);
  for (const RouterId r : network.routers()) {
    for (const ChannelId c : network.out(r)) {
      if (r != root && distance[network.target(c).value] + 1 == distance[r.value]) hops[r.value] = c.value;
    }
  }
}

/// Against paths that are walked anew.
TEST(MovingTree, TellsWhatAMoveChanges) {
  const Network network = make_network("jellyfish:routers=16,degree=4,p=1");
  Random random(3);
  const auto path = [&](const std::vector<std::uint32_t>& hops, std::uint32_t root, std::uint32_t from) {
    std::vector<std::uint32_t> channels;
    for (; from != root && channels.size() <= hops.size(); from = network.target(ChannelId(hops[from])).value)
      channels.push_back(hops[from]);
    return channels;
  };
  for (std::uint32_t root = 0; root < network.router_count(); root += 5) {
    std::vector<std::uint32_t> hops(network.router_count(), LayerTrees::kNone);
    fill_shortest(network, RouterId(root), hops);
    MovingTree tree;
    tree.begin(network, root, hops);
    int made = 0;
    for (int i = 0; i < 2000; ++i) {
      const std::uint32_t r = random.below(network.router_count());
      const IdRange<ChannelId> out = network.out(RouterId(r));
      const std::uint32_t c = out[random.below(out.size())].value;
      std::vector<std::uint32_t> after = hops;
      if (r != root) after[r] = c;
      bool fits = r != root && hops[r] != c;
      std::set<std::uint32_t> changed;
      for (std::uint32_t s = 0; s < hops.size() && fits; ++s) {
        const std::vector<std::uint32_t> now = path(after, root, s);
        if (now != path(hops, root, s)) changed.insert(s);
        if (now.size() > 5 && (changed.contains(s) || now.size() > hops.size())) fits = false;
      }
      MovingTree::Move move;
      ASSERT_EQ(tree.look(r, c, 5, move), fits);
      if (!fits) continue;
      EXPECT_EQ(std::set<std::uint32_t>(move.routers.begin(), move.routers.end()), changed);
      std::vector<std::uint32_t> moved = path(hops, root, r);
      moved.erase(moved.begin() + static_cast<std::ptrdiff_t>(move.left.size()), moved.end());
      EXPECT_TRUE(std::equal(moved.begin(), moved.end(), move.left.begin(), move.left.end()));
      tree.make(move);
      ++made;
      ASSERT_EQ(hops, after);
      for (std::uint32_t s = 0; s < hops.size(); ++s) ASSERT_EQ(tree.depth(s), path(hops, root, s).size());
    }
    EXPECT_GT(made, 100);
  }
}

/// Along each path of each tree the lane is 0 at first and rises at each hop.
TEST(RisingLanes, RiseAtEachHop) {
  const Network network = addressed_network(make_network("slimfly:q=5,p=1"), 1);
  LayerTrees trees(network);
  for (const TerminalId t : network.terminals())
    fill_shortest(network, network.router_of(t), trees.towards(t));
  Progress quiet;
  const RisingLanes lanes = rising_lanes(network, 4, trees, quiet);
  EXPECT_EQ(lanes.replaced, 0U);
  EXPECT_EQ(lanes.lanes, 2U);
  for (const TerminalId t : network.terminals()) {
    for (const TerminalId s : network.terminals()) {
      const std::uint8_t level = lanes.levels.get(s, t);
      std::uint32_t last = 0;
      std::uint16_t in = network.terminal_port(s);
      for (RouterId at = network.router_of(s); at != network.router_of(t);) {
        const ChannelId c(trees.towards(t)[at.value]);
        const std::uint32_t lane = lanes.map->lane(level, at, in, network.source_port(c));
        ASSERT_TRUE(at == network.router_of(s) ? lane == 0 : lane > last);
        last = lane;
        in = network.target_port(c);
        at = network.target(c);
      }
    }
  }
}

}  // namespace
}  // namespace unknot
