// SPDX-License-Identifier: Apache-2.0
// What administrators say: roots, orders of destinations, hop weights, rates; each against a computation of
// its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "refusal.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/network/bfs.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/routing/up_down/down_up_turn.hpp"
#include "unknot/routing/up_down/up_down_order.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

Routing guided(const Network& network, const std::string& engine, Guidance guidance) {
  EngineRequest request;
  request.virtual_lanes = kMaxLanes;
  request.guidance = std::move(guidance);
  Progress quiet;
  return route(network, engine, request, quiet);
}

std::vector<std::uint64_t> shuffled_ports(const Network& network, std::uint64_t seed) {
  std::vector<std::uint64_t> guids;
  for (const TerminalId t : network.terminals()) guids.push_back(network.terminal_port_guid(t));
  Random random(seed, 1);
  random.shuffle(guids);
  return guids;
}

TEST(Guidance, RootsAreThoseOfTheEnginesParameter) {
  const Network network = make_network("torus:4x4,p=2");
  const Guidance guidance{
      .roots = {network.router_guid(RouterId(5)), network.router_guid(RouterId(6)), 0xdead}};
  EXPECT_EQ(guided(network, "updn", guidance).table(), guided(network, "updn:roots=5+6", {}).table());
  EXPECT_NE(guided(network, "updn", guidance).table(), guided(network, "updn", {}).table());
  // A terminal's port or adapter stands for its router.
  const Guidance hosts{
      .roots = {network.terminal_port_guid(TerminalId(10)), network.terminal_node_guid(TerminalId(13))}};
  EXPECT_EQ(guided(network, "updn", hosts).table(), guided(network, "updn:roots=5+6", {}).table());
  EXPECT_NE(refusal([&] { (void)guided(network, "updn:roots=3", guidance); }).find("roots are given twice"),
            std::string::npos);
}

TEST(Guidance, PathsGoUpToTheRootsThenDown) {
  Progress quiet;
  for (const char* spec : {"xgft:m=4x3,w=2x2", "kary-ntree:k=3,n=3", "deimos"}) {
    const Network network = make_network(spec);
    for (const std::uint32_t root : {network.router_count() - 1, network.router_count() / 2}) {
      const Guidance guidance{.roots = {network.router_guid(RouterId(root))}};
      const UpDownOrder order = order_below(network, {RouterId(root)});
      for (const char* engine : {"updn", "ftree", "clos"}) {
        SCOPED_TRACE(std::string(spec) + " " + engine);
        const Routing routing = guided(network, engine, guidance);
        EXPECT_FALSE(find_down_up_turn(network, routing.table(), order.place));
        const Verdict verdict = verify(network, routing, {}, quiet);
        EXPECT_TRUE(verdict.usable());
      }
    }
  }
}

TEST(Guidance, RootsThatLeaveAPairOutAreNamed) {
  // Two of four spines: the leaves have the others in common only.
  const Network tree = make_network("kary-ntree:k=2,n=3");
  std::vector<std::uint64_t> one_side;
  for (const RouterId r : tree.routers()) {
    if (tree.levels()[r.value] == 1) {
      one_side = {tree.router_guid(r)};
      break;
    }
  }
  (void)guided(tree, "ftree", {.roots = one_side});  // a tree around any one router joins all
  std::vector<std::uint64_t> leaves;
  for (const RouterId r : tree.routers()) {
    if (!tree.terminals_at(r).empty()) leaves.push_back(tree.router_guid(r));
  }
  for (const char* engine : {"updn", "ftree", "clos"}) {
    SCOPED_TRACE(engine);
    try {
      (void)guided(tree, engine, {.roots = leaves});
      ADD_FAILURE() << "leaves are no roots";
    } catch (const RoutingFailure& failure) {
      EXPECT_NE(std::string(failure.what()).find("have no path that goes up, then down"), std::string::npos);
    }
  }
}

/// OpenSM's minimum-hop routing, from its definition: a switch at a time, for each host in order the port of
/// those on shortest paths that serves the fewest hosts so far, the lowest of equals.
/// Shifted: the lowest from the place on that the mean of what these ports serve gives.
ForwardingTable by_definition(const Network& network, const std::vector<std::uint32_t>& weight,
                              const std::vector<TerminalId>& order, bool shifted = false) {
  constexpr std::uint64_t kFar = std::numeric_limits<std::uint32_t>::max();
  const std::uint32_t n = network.router_count();
  std::vector<std::vector<std::uint64_t>> far(n, std::vector<std::uint64_t>(n, kFar));
  for (std::uint32_t r = 0; r < n; ++r) far[r][r] = 0;
  for (std::uint32_t round = 0; round < n; ++round) {  // Bellman and Ford
    for (const ChannelId c : network.channels()) {
      for (std::uint32_t to = 0; to < n; ++to) {
        std::uint64_t& here = far[network.source(c).value][to];
        here = std::min(here, weight[c.value] + far[network.target(c).value][to]);
      }
    }
  }
  ForwardingTable table(network);
  for (const RouterId r : network.routers()) {
    std::vector<std::uint32_t> served(network.out(r).size(), 0);
    for (const TerminalId d : order) {
      const RouterId home = network.router_of(d);
      if (home == r) continue;
      std::vector<std::uint32_t> ways;
      for (std::uint32_t i = 0; i < served.size(); ++i) {
        const ChannelId c = network.out(r)[i];
        if (weight[c.value] + far[network.target(c).value][home.value] == far[r.value][home.value])
          ways.push_back(i);
      }
      std::uint32_t sum = 0;
      for (const std::uint32_t i : ways) sum += served[i];
      const auto size = static_cast<std::uint32_t>(ways.size());
      if (shifted) std::rotate(ways.begin(), ways.begin() + sum / size % size, ways.end());
      const std::uint32_t best = *std::min_element(
          ways.begin(), ways.end(), [&](std::uint32_t a, std::uint32_t b) { return served[a] < served[b]; });
      ++served[best];
      table.set(r, d, best);
    }
  }
  return table;
}

std::vector<HopWeight> some_weights(const Network& network, std::uint64_t seed,
                                    std::vector<std::uint32_t>& weight) {
  Random random(seed, 2);
  std::vector<HopWeight> weights;
  weight.assign(network.channel_count(), 1);
  for (const ChannelId c : network.channels()) {
    if (random.below(3) != 0) continue;
    weight[c.value] = 1 + static_cast<std::uint32_t>(random.below(5));
    weights.push_back({network.router_guid(network.source(c)), network.source_port(c), weight[c.value]});
  }
  return weights;
}

TEST(Guidance, MinhopIsOpenSmsForAnyOrderAndAnyWeights) {
  for (const char* spec : {"torus:4x4,p=2", "xgft:m=4x3,w=2x2",
                           "random:switches=20,links=45,terminals=33,seed=9", "torus:4x2x2"}) {
    const Network network = make_network(spec);
    for (const std::uint64_t seed : {1U, 2U}) {
      SCOPED_TRACE(std::string(spec) + " seed " + std::to_string(seed));
      Guidance guidance{.order = shuffled_ports(network, seed)};
      guidance.order.resize(guidance.order.size() / seed);  // the second names half of them
      const std::vector<TerminalId> order = terminals_in_order(network, guidance);
      std::vector<std::uint32_t> weight(network.channel_count(), 1);
      EXPECT_EQ(guided(network, "minhop", guidance).table(), by_definition(network, weight, order));
      guidance.hop_weights = some_weights(network, seed, weight);
      EXPECT_EQ(guided(network, "minhop", guidance).table(), by_definition(network, weight, order));
      guidance.port_shifting = true;
      EXPECT_EQ(guided(network, "minhop", guidance).table(), by_definition(network, weight, order, true));
    }
  }
}

TEST(Guidance, ScatteredPortsServeAsFewAsAnyAndAreOthersBySeed) {
  const Network network = make_network("xgft:m=4x3,w=4x4");
  const ForwardingTable one = guided(network, "minhop", {.scatter_seed = 1}).table();
  EXPECT_EQ(one, guided(network, "minhop", {.scatter_seed = 1}).table());
  EXPECT_NE(one, guided(network, "minhop", {.scatter_seed = 2}).table());
  EXPECT_NE(one, guided(network, "minhop", {}).table());
  // Destination by destination, what a router takes serves no more than another shortest way.
  BreadthFirstSearch search(network);
  std::vector<std::uint32_t> served(network.channel_count(), 0);
  for (const TerminalId d : network.terminals()) {
    const RouterId home = network.router_of(d);
    const std::span<const std::uint32_t> far = search.to(home);
    for (const RouterId r : network.routers()) {
      if (r == home) continue;
      const ChannelId taken = one.next(network, r, d);
      const auto rest = [&](ChannelId c) { return far[network.target(c).value]; };
      for (const ChannelId c : network.out(r)) {
        ASSERT_GE(rest(c), rest(taken));
        if (rest(c) == rest(taken)) {
          ASSERT_GE(served[c.value], served[taken.value]);
        }
      }
      ++served[taken.value];
    }
  }
}

TEST(Guidance, OrderPutsTheNamedFirstAndEachOnce) {
  const Network network = make_network("torus:2x2,p=2");
  const auto guid = [&](std::uint32_t t) { return network.terminal_port_guid(TerminalId(t)); };
  const std::vector<std::uint64_t> guids{guid(5), 0xdead, guid(2), guid(5)};
  std::vector<std::uint32_t> order;
  for (const TerminalId t : terminals_in_order(network, {.order = guids})) order.push_back(t.value);
  EXPECT_EQ(order, (std::vector<std::uint32_t>{5, 2, 0, 1, 3, 4, 6, 7}));
}

TEST(Guidance, WeightedPathsAreTheCheapestAndStayDeadlockFree) {
  Progress quiet;
  for (const char* spec :
       {"torus:4x4,p=2", "random:switches=20,links=45,terminals=33,seed=9", "dragonfly:a=4,h=2,p=2"}) {
    const Network network = make_network(spec);
    std::vector<std::uint32_t> weight;
    const Guidance guidance{.hop_weights = some_weights(network, 5, weight)};
    std::vector<TerminalId> order(network.terminals().begin(), network.terminals().end());
    const ForwardingTable reference = by_definition(network, weight, order);
    const auto cost = [&](const ForwardingTable& table, RouterId from, TerminalId d) {
      std::uint64_t sum = 0;
      for (RouterId at = from; at != network.router_of(d);) {
        const ChannelId c = table.next(network, at, d);
        sum += weight[c.value];
        at = network.target(c);
      }
      return sum;
    };
    for (const char* engine : {"sssp", "dfsssp", "dfsssp-online", "dfsssp:passes=2,rule=best"}) {
      SCOPED_TRACE(std::string(spec) + " " + engine);
      const Routing routing = guided(network, engine, guidance);
      const Verdict verdict = verify(network, routing, {}, quiet);
      ASSERT_TRUE(verdict.complete() && verdict.loop_free());
      if (std::string(engine) != "sssp") {
        EXPECT_TRUE(verdict.deadlock_free);
      }
      for (const TerminalId d : network.terminals()) {
        for (const RouterId r : network.routers())
          ASSERT_EQ(cost(routing.table(), r, d), cost(reference, r, d));
      }
    }
  }
}

TEST(Guidance, WeightsOfOneAndAnOrderByNumberChangeNothing) {
  const Network network = make_network("torus:4x4,p=2");
  Guidance guidance;
  for (const ChannelId c : network.channels())
    guidance.hop_weights.push_back({network.router_guid(network.source(c)), network.source_port(c), 1});
  for (const TerminalId t : network.terminals()) guidance.order.push_back(network.terminal_port_guid(t));
  for (const char* engine : {"minhop", "sssp", "dfsssp"})
    EXPECT_EQ(guided(network, engine, guidance).table(), guided(network, engine, {}).table()) << engine;
}

TEST(Guidance, OrderIsHeededByAllThatSayTheyDo) {
  Progress quiet;
  for (const char* spec : {"torus:4x4,p=2", "xgft:m=4x3,w=2x2", "random:switches=20,links=45,terminals=33"}) {
    const Network network = make_network(spec);
    const Guidance guidance{.order = shuffled_ports(network, 3)};
    for (const Engine& engine : engines()) {
      if (!engine.heeds.order || !refusal(engine, network).empty()) continue;
      SCOPED_TRACE(std::string(spec) + " " + engine.name);
      const Routing routing = guided(network, engine.name, guidance);
      EXPECT_NE(routing.table(), guided(network, engine.name, {}).table());
      const Verdict verdict = verify(network, routing, {}, quiet);
      EXPECT_TRUE(verdict.complete());
      if (engine.promise.deadlock_free) {
        EXPECT_TRUE(verdict.deadlock_free);
      }
      EXPECT_EQ(verdict.longer_pairs == 0, engine.promise.minimal || verdict.longer_pairs == 0);
    }
  }
}

TEST(Guidance, WhatAnEngineMakesNoUseOfIsRefused) {
  const Network network = make_network("torus:4x4");
  const Guidance guidance{.roots = {1}, .hop_weights = {{1, 1, 2}}, .by_rate = true};
  EXPECT_EQ(refusal([&] { (void)guided(network, "lash", guidance); }),
            "engine lash makes no use of roots, hop weights and rates of cables");
  EXPECT_EQ(refusal([&] { (void)guided(network, "dfsssp", guidance); }),
            "engine dfsssp makes no use of roots");
  EXPECT_EQ(refusal([&] { (void)guided(network, "updn", {.port_shifting = true}); }),
            "engine updn makes no use of port shifting");
  EXPECT_EQ(refusal([&] { (void)guided(network, "sssp", {.scatter_seed = 3}); }),
            "engine sssp makes no use of scattered ports");
  EXPECT_EQ(unheeded(heeded(guidance, find_engine("dfsssp").heeds), find_engine("dfsssp").heeds), "");
}

TEST(Guidance, HoldsInEachPartOfABrokenNetwork) {
  // A ring of 8, cut at two cables: each half has a root of its own, and one of the GUIDs.
  const Network ring = make_network("ring:8");
  const Network halves = with_faults(ring, parse_faults(ring, "cables=S-1-S-2+S-5-S-6"));
  const Guidance guidance{.roots = {ring.router_guid(RouterId(3)), ring.router_guid(RouterId(7))}};
  const Routing routing = guided(halves, "updn", guidance);
  Progress quiet;
  const Verdict verdict = verify(halves, routing, {}, quiet);
  EXPECT_TRUE(verdict.deadlock_free);
  EXPECT_EQ(verdict.unroutable_pairs, 2U * 4 * 4);
}

/// Two leaves, four spines; the cables to the last spine run at a quarter of the rate.
Network uneven() {
  NetworkBuilder builder;
  builder.add_routers(6);
  for (std::uint32_t leaf = 0; leaf < 2; ++leaf) {
    for (std::uint32_t spine = 2; spine < 6; ++spine)
      builder.add_cable(RouterId(leaf), RouterId(spine), link_rate_from(spine == 5 ? "1xHDR" : "4xHDR"));
    for (int i = 0; i < 26; ++i) builder.add_terminal(RouterId(leaf));
  }
  return std::move(builder).build();
}

TEST(Guidance, SlowCablesGetTheirShare) {
  const Network network = uneven();
  std::vector<std::uint32_t> costs = costs_by_rate(network);
  ASSERT_EQ(costs.size(), network.channel_count());
  EXPECT_EQ(costs[0], 16U);
  EXPECT_EQ(costs[3], 64U);
  EXPECT_TRUE(costs_by_rate(make_network("torus:4x4")).empty());
  for (const char* engine : {"sssp", "dfsssp"}) {
    const auto load = channel_load(network, guided(network, engine, {.by_rate = true}));
    const auto before = channel_load(network, guided(network, engine, {}));
    // 26 hosts send to 26: 52 rounds of 26 pairs, dealt out as 4:4:4:1, are 8:8:8:2 of them.
    EXPECT_EQ(load[0], 26U * 8) << engine;
    EXPECT_EQ(load[3], 26U * 2) << engine;
    EXPECT_DOUBLE_EQ(largest_load_by_rate(network, load).value() * 2,
                     26 * 8 / link_rate_gigabits(link_rate_from("4xHDR")) * 2);
    EXPECT_GT(largest_load_by_rate(network, before).value(),
              2.9 * largest_load_by_rate(network, load).value());
  }
}

}  // namespace
}  // namespace unknot
