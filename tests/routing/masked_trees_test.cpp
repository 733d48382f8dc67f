// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/orders/masked_trees.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "routing/lane_cover.hpp"
#include "stop_after.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/routing/orders/covering.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

/// A network, orders of its lanes that cover it, and trees to start from.
struct Covered {
  Covered(Network network, std::uint32_t lanes) : at(std::move(network)) {
    static constexpr std::array kStarts{StartOrders::up_down, StartOrders::linear};
    const Progress quiet;
    CoveringPortfolio portfolio(at.network, at.dags, at.level, 1, 1);
    auto covering = portfolio.find(lanes, kStarts, OrderSearch::Tie::first, nullptr, 3'000'000, 0, quiet);
    if (!covering) throw InputError("no covering of " + at.network.description());
    (void)covering->search->widen(50'000, quiet);
    for (std::uint32_t j = 0; j < at.dags.size(); ++j) {
      const std::uint16_t* const row = covering->search->entries(j);
      entries.insert(entries.end(), row, row + at.network.router_count());
    }
    orders = std::move(covering->orders);
  }
  [[nodiscard]] MaskedTrees trees() const { return {at.network, at.dags, *orders, entries}; }

  test::CoverCase at;
  std::unique_ptr<LaneOrders> orders;
  std::vector<std::uint16_t> entries;
};

std::vector<std::unique_ptr<Covered>> covered_networks() {
  std::vector<std::unique_ptr<Covered>> all;
  for (const auto& [spec, lanes] : std::vector<std::pair<std::string, std::uint32_t>>{
           {"ring:6,p=2", 2},
           {"torus:4x3,p=2", 1},
           {"torus:4x3,p=2", 3},
           {"kautz:b=3,n=2,terminals=7", 2},
           {"kautz:b=2,n=3,p=2", 2},
           {"dragonfly:a=4,h=2,p=2", 2},
           {"random:switches=30,links=70,terminals=25,seed=3", 2},
           {"uniring:5", 3}}) {
    all.push_back(std::make_unique<Covered>(make_network(spec), lanes));
  }
  all.push_back(std::make_unique<Covered>(test::doubled_ring(7).described_as("doubled ring"), 2));
  return all;
}

std::vector<std::uint32_t> all_terminals(const Network& network) {
  std::vector<std::uint32_t> terminals(network.terminal_count());
  std::iota(terminals.begin(), terminals.end(), 0);
  return terminals;
}

/// Calls use(source, destination, previous channel or none, channel) along every path.
template <class Use>
void walk_all(const Network& network, const Routing& routing, const Use& use) {
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId d : network.terminals()) {
      if (s == d) continue;
      ChannelId previous;
      RouterId at = network.router_of(s);
      for (std::uint32_t hops = 0; at != network.router_of(d); ++hops) {
        const ChannelId next = routing.table().next(network, at, d);
        ASSERT_TRUE(next.valid() && hops < network.router_count());
        use(s, d, previous, next);
        previous = next;
        at = network.target(next);
      }
    }
  }
}

void expect_sound(const Covered& covered, const MaskedTrees& trees) {
  const Network& network = covered.at.network;
  const LaneOrders& orders = *covered.orders;
  const Routing routing = trees.routing();
  Progress quiet;
  const Verdict verdict = verify(network, routing, {.threads = 1}, quiet);
  EXPECT_TRUE(verdict.minimal());
  EXPECT_TRUE(verdict.deadlock_free);
  EXPECT_EQ(routing.virtual_lanes, orders.lanes());
  EXPECT_LT(routing.service_levels.highest(), orders.lanes());
  EXPECT_EQ(trees.load(), channel_load(network, routing, 1));
  // Each path keeps to the order of its lane.
  walk_all(network, routing, [&](TerminalId s, TerminalId d, ChannelId previous, ChannelId next) {
    if (!previous.valid()) return;
    const std::uint32_t first = network.out(network.source(next)).first();
    const LaneOrders::Mask mask = orders.allowed(orders.first_turn(previous.value) + next.value - first);
    ASSERT_NE(mask >> routing.service_levels.get(s, d) & 1, 0) << s.value << " to " << d.value;
  });
}

std::uint64_t pairs_of(std::uint64_t count) {
  return count * (count - 1) / 2;
}

/// Pairs of flows of different sources and destinations that meet, for each channel where they do.
std::uint64_t meetings(const Network& network, const Routing& routing) {
  struct Flows {
    std::uint64_t all = 0;
    std::map<std::uint32_t, std::uint64_t> of_source = {}, to_destination = {};
  };
  std::vector<Flows> by_channel(network.channel_count());
  walk_all(network, routing, [&](TerminalId s, TerminalId d, ChannelId, ChannelId next) {
    Flows& flows = by_channel[next.value];
    ++flows.all;
    ++flows.of_source[s.value];
    ++flows.to_destination[d.value];
  });
  std::uint64_t sum = 0;
  for (const Flows& flows : by_channel) {
    sum += pairs_of(flows.all);
    for (const auto& [source, count] : flows.of_source) sum -= pairs_of(count);
    for (const auto& [destination, count] : flows.to_destination) sum -= pairs_of(count);
  }
  return sum;
}

std::uint64_t sum_of_squares(const std::vector<std::uint64_t>& load) {
  return std::accumulate(load.begin(), load.end(), std::uint64_t{0},
                         [](std::uint64_t sum, std::uint64_t each) { return sum + each * each; });
}

TEST(MaskedTrees, KeepEveryPathShortestAndOnItsLane) {
  const Progress quiet;
  for (const auto& covered : covered_networks()) {
    SCOPED_TRACE(covered->at.network.description());
    MaskedTrees trees = covered->trees();
    expect_sound(*covered, trees);
    std::vector<std::uint32_t> order = all_terminals(covered->at.network);
    Random random(5);
    for (int pass = 0; pass < 3; ++pass) {
      trees.rebalance(order, quiet);
      expect_sound(*covered, trees);
      if (pass == 1) {
        trees.anneal(order, 20, random, quiet);
      } else {
        trees.polish(order, quiet);
      }
      expect_sound(*covered, trees);
      random.shuffle(order);
      if (HasFailure()) FAIL() << "pass " << pass;
    }
  }
}

TEST(MaskedTrees, RebalancingEvensTheLoad) {
  const Progress quiet;
  int better = 0;
  for (const auto& covered : covered_networks()) {
    MaskedTrees trees = covered->trees();
    const std::uint64_t before = sum_of_squares(trees.load());
    for (int pass = 0; pass < 3; ++pass) trees.rebalance(all_terminals(covered->at.network), quiet);
    const std::uint64_t after = sum_of_squares(trees.load());
    EXPECT_LE(after, before) << covered->at.network.description();
    better += after < before ? 1 : 0;
  }
  EXPECT_GE(better, 5);
}

TEST(MaskedTrees, ATableIsTakenUpAsItIs) {
  const Progress quiet;
  for (const auto& covered : covered_networks()) {
    MaskedTrees trees = covered->trees();
    trees.rebalance(all_terminals(covered->at.network), quiet);
    const Routing routing = trees.routing();
    const MaskedTrees again(covered->at.network, covered->at.dags, *covered->orders, routing.table());
    EXPECT_EQ(again.load(), trees.load()) << covered->at.network.description();
    EXPECT_EQ(again.routing().table(), routing.table()) << covered->at.network.description();
    EXPECT_EQ(again.routing().service_levels, routing.service_levels) << covered->at.network.description();
  }
}

TEST(MaskedTrees, PolishingNeverMakesMoreFlowsMeet) {
  const Progress quiet;
  int better = 0;
  for (const auto& covered : covered_networks()) {
    const Network& network = covered->at.network;
    MaskedTrees trees = covered->trees();
    trees.rebalance(all_terminals(network), quiet);
    Random random(1);
    std::uint64_t before = meetings(network, trees.routing());
    for (int pass = 0; pass < 3; ++pass) {
      trees.polish(all_terminals(network), quiet);
      const std::uint64_t after = meetings(network, trees.routing());
      EXPECT_LE(after, before) << network.description() << " pass " << pass;
      better += after < before ? 1 : 0;
      before = after;
    }
  }
  EXPECT_GE(better, 5);
}

TEST(MaskedTrees, PolishingWithoutRestrictionsNeverMakesMoreFlowsMeet) {
  // Where everything is allowed, as on fat trees. Other networks serve as well: nothing here is verified.
  const Progress quiet;
  std::vector<Network> networks = test::small_networks();
  networks.push_back(make_network("xgft:m=4x4,w=2x2"));
  networks.push_back(make_network("kary-ntree:k=3,n=3"));
  int better = 0;
  for (Network& network : networks) {
    const test::CoverCase at(std::move(network));
    const LaneOrders any = LaneOrders::unrestricted(at.network);
    std::vector<std::uint16_t> entries(at.dags.size() * at.network.router_count(), 0);
    for (std::size_t j = 0; j < at.dags.size(); ++j) {
      const CoverDag& dag = at.dags[j];
      for (std::uint32_t i = 0; i < dag.positions(); ++i)
        entries[j * at.network.router_count() + dag.order[i]] = dag.entry[dag.first[i]];
    }
    MaskedTrees trees(at.network, at.dags, any, entries);
    Random random(1);
    std::uint64_t before = meetings(at.network, trees.routing());
    for (int pass = 0; pass < 2; ++pass) {
      trees.polish(all_terminals(at.network), quiet);
      const Routing routing = trees.routing();
      EXPECT_EQ(trees.load(), channel_load(at.network, routing, 1));
      const std::uint64_t after = meetings(at.network, routing);
      EXPECT_LE(after, before) << at.network.description() << " pass " << pass;
      better += after < before ? 1 : 0;
      before = after;
    }
  }
  EXPECT_GE(better, 5);
}

TEST(MaskedTrees, PolishingEachTerminalAloneIsPolishingAll) {
  // The counts that polishing keeps between calls stay in step.
  const Progress quiet;
  const Covered covered(make_network("torus:4x3,p=2"), 3);
  MaskedTrees at_once = covered.trees();
  MaskedTrees one_by_one = covered.trees();
  Random a(9);
  Random b(9);
  at_once.anneal(all_terminals(covered.at.network), 10, a, quiet);
  for (const std::uint32_t t : all_terminals(covered.at.network)) one_by_one.anneal({t}, 10, b, quiet);
  EXPECT_EQ(at_once.routing().table(), one_by_one.routing().table());
}

TEST(MaskedTrees, RebalancingBetweenPolishesIsTakenIntoAccount) {
  // Polishing after rebalancing is the same whether or not there was polishing before.
  const Progress quiet;
  const Covered covered(make_network("dragonfly:a=4,h=2,p=2"), 2);
  const std::vector<std::uint32_t> terminals = all_terminals(covered.at.network);
  Random random(1);
  MaskedTrees polished = covered.trees();
  polished.polish(terminals, quiet);
  polished.rebalance(terminals, quiet);
  MaskedTrees fresh(covered.at.network, covered.at.dags, *covered.orders, polished.routing().table());
  polished.polish(terminals, quiet);
  fresh.polish(terminals, quiet);
  EXPECT_EQ(polished.routing().table(), fresh.routing().table());
}

TEST(MaskedTrees, StopWhenAskedWithTheTreesThatThereAre) {
  const Covered covered(make_network("torus:4x3,p=2"), 3);
  const std::vector<std::uint32_t> terminals = all_terminals(covered.at.network);
  MaskedTrees trees = covered.trees();
  Random random(1);
  EXPECT_THROW(trees.rebalance(terminals, test::StopAfter(8)), Interrupted);
  expect_sound(covered, trees);
  EXPECT_THROW(trees.anneal(terminals, 5, random, test::StopAfter(8)), Interrupted);
  expect_sound(covered, trees);
}

}  // namespace
}  // namespace unknot
