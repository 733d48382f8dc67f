// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "unknot/bounds/concurrent_flow.hpp"
#include "unknot/design/racks.hpp"
#include "unknot/design/search/network_search.hpp"
#include "unknot/design/search/split_loads.hpp"
#include "unknot/design/search/starts.hpp"
#include "unknot/network/distances.hpp"
#include "unknot/oblivious/oblivious_load.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

CableLimit grid(std::uint32_t columns, double longest) {
  return {.floor = grid_floor(columns), .longest = longest, .terminals = 1};
}

/// Racks of three routers with their terminals, wider apart between rows than along them.
CableLimit racks_of_three(double longest) {
  return {.floor = {.rack_units = 6,
                    .router_units = 1,
                    .terminal_units = 1,
                    .rack_width = 1,
                    .row_pitch = 2,
                    .racks_per_row = 4,
                    .inside = 1,
                    .slack = 2},
          .longest = longest,
          .terminals = 1};
}

FoundNetwork search_of(std::uint32_t routers, std::uint32_t ports, const CableLimit& limit,
                       double effort = 0.1, SearchAim aim = SearchAim::throughput,
                       std::uint32_t threads = 0) {
  Progress silent;
  return search_network(
      {.routers = routers, .ports = ports, .limit = limit, .aim = aim, .effort = effort, .threads = threads},
      silent);
}

std::vector<std::uint32_t> orders(std::uint32_t routers, const CableLimit& limit) {
  std::vector<std::uint32_t> found;
  for (const auto& reach : lift_reaches(routers, limit)) found.push_back(reach->symmetry().order);
  return found;
}

/// By column and row alone: steps between two routers of a grid.
double steps(std::uint32_t a, std::uint32_t b, std::uint32_t columns) {
  const auto apart = [](std::uint32_t x, std::uint32_t y) { return x < y ? y - x : x - y; };
  return apart(a % columns, b % columns) + apart(a / columns, b / columns);
}

TEST(CableLimit, FloorsHaveTheirSymmetries) {
  using Orders = std::vector<std::uint32_t>;
  EXPECT_EQ(orders(16, grid(4, 2)), (Orders{4, 2, 2, 2, 1})) << "a square";
  EXPECT_EQ(orders(9, grid(3, 2)), (Orders{1})) << "a router in the middle of everything";
  EXPECT_EQ(orders(10, grid(5, 2)), (Orders{2, 2, 1})) << "a column in the middle: no mirror there";
  EXPECT_EQ(orders(14, grid(5, 2)), (Orders{1})) << "a row that is not full";
  EXPECT_EQ(orders(6, grid(6, 2)), (Orders{2, 1})) << "one row";
  EXPECT_EQ(orders(24, racks_of_three(4)), (Orders{2, 2, 2, 1})) << "two rows of four racks";
  EXPECT_EQ(orders(15, racks_of_three(4)), (Orders{1}));
}

TEST(CableLimit, ASymmetryKeepsLengths) {
  for (const auto& [routers, limit] :
       {std::pair(36U, grid(6, 3)), {20U, grid(5, 2)}, {24U, racks_of_three(4)}}) {
    const Network bare = lift_network(search_of(routers, 3, limit, 0.001).lift, limit.terminals);
    const Racks racks(bare, limit.floor);
    for (const auto& reach : lift_reaches(routers, limit)) {
      const std::vector<std::uint32_t>& number = reach->symmetry().number;
      const std::uint32_t base = reach->base();
      EXPECT_EQ(std::set<std::uint32_t>(number.begin(), number.end()).size(), routers);
      ASSERT_EQ(number.size(), routers);
      const auto metres = [&, &floor = racks](std::uint32_t a, std::uint32_t b) {
        return floor.metres(floor.of(RouterId(number[a])), floor.of(RouterId(number[b])));
      };
      std::size_t joined = 0;
      for (std::uint32_t a = 0; a < routers; ++a) {
        for (std::uint32_t b = 0; b < routers; ++b) {
          EXPECT_EQ(metres(a, b), metres((a + base) % routers, (b + base) % routers)) << a << " " << b;
          if (a >= base) continue;
          EXPECT_EQ(reach->joins(a, b % base, b / base), a != b && metres(a, b) <= limit.longest);
          joined += static_cast<std::size_t>(reach->joins(a, b % base, b / base));
        }
      }
      std::size_t ends = 0;
      for (std::uint32_t a = 0; a < base; ++a) ends += reach->ends(a).size();
      EXPECT_EQ(ends, joined);
    }
  }
}

TEST(CableLimit, StartsKeepToItAndLeaveFewPortsFree) {
  for (const auto& [routers, ports, limit] : {std::tuple(36U, 4U, grid(6, 2)),
                                              {20U, 3U, grid(5, 1)},
                                              {24U, 5U, racks_of_three(3)},
                                              {9U, 3U, grid(3, 2)}}) {
    for (const auto& reach : lift_reaches(routers, limit)) {
      Random random(7, reach->symmetry().order);
      const Network network = lift_network(random_near_lift(reach, ports, random), limit.terminals);
      const CableLengths lengths = cable_lengths(network, Racks(network, limit.floor));
      EXPECT_LE(lengths.longest, limit.longest);
      EXPECT_LE(2 * lengths.cables, std::uint64_t{routers} * ports);
      if (limit.longest > 1) {
        EXPECT_GE(2 * lengths.cables + 2 * reach->symmetry().order, std::uint64_t{routers} * ports)
            << routers;
      }
    }
  }
}

TEST(CableLimit, SearchedNetworksKeepToIt) {
  for (const SearchAim aim : {SearchAim::throughput, SearchAim::latency}) {
    const Network network = lift_network(search_of(48, 4, grid(8, 2), 0.05, aim).lift, 1);
    double longest = 0;
    for (const ChannelId c : network.channels())
      longest = std::max(longest, steps(network.source(c).value, network.target(c).value, 8));
    EXPECT_EQ(longest, 2);
    for (const RouterId r : network.routers()) EXPECT_LE(network.out(r).size(), 4U);
  }
  const CableLimit limit = racks_of_three(4);
  const Network network = lift_network(search_of(24, 5, limit, 0.05).lift, 1);
  for (const ChannelId c : network.channels()) {
    // racks of three, rows of four racks
    const std::uint32_t a = network.source(c).value / 3;
    const std::uint32_t b = network.target(c).value / 3;
    const double along = std::abs(static_cast<double>(a % 4) - static_cast<double>(b % 4));
    const double across = std::abs(static_cast<double>(a / 4) - static_cast<double>(b / 4));
    EXPECT_LE(a == b ? 1 : 2 + along + 2 * across, 4);
  }
}

TEST(CableLimit, LeastMeanDistanceIsThatOfGraphGolf) {
  // Bounds of the grid category of 2019, as its own program prints them.
  EXPECT_NEAR(least_mean_distance(16, 3, grid(4, 2)), 2.2, 1e-10);
  EXPECT_NEAR(least_mean_distance(25, 4, grid(5, 2)), 2.2133333333, 1e-10);
  EXPECT_NEAR(least_mean_distance(100, 6, grid(10, 3)), 2.8387878788, 1e-10);
  EXPECT_NEAR(least_mean_distance(100, 8, grid(10, 4)), 2.3511111111, 1e-10);
  EXPECT_EQ(least_mean_distance(25, 4, grid(5, 8)), least_mean_distance(25, 4)) << "anything within reach";
  EXPECT_FALSE(std::isfinite(least_mean_distance(25, 4, grid(5, 0.5))));
}

TEST(CableLimit, FindsTheBestKnownOfASmallGrid) {
  const FoundNetwork found = search_of(25, 4, grid(5, 2), 1, SearchAim::latency);
  EXPECT_NEAR(found.mean_distance, 34.0 / 15, 1e-9) << "2.2667 of Graph Golf";
  EXPECT_EQ(found.distances.diameter, 4U);
}

TEST(CableLimit, PortsThatStayFreeDoNoHarm) {
  // 27 ends of cables cannot all be joined
  const FoundNetwork found = search_of(9, 3, grid(3, 2), 0.2);
  const Network network = lift_network(found.lift, 1);
  EXPECT_EQ(network.channel_count(), 26U);
  // what was searched is what is there: free ports move from router to router on the way
  for (const SearchAim aim : {SearchAim::throughput, SearchAim::latency}) {
    for (const auto& [routers, ports, limit] : {std::tuple(9U, 3U, grid(3, 2)),
                                                {20U, 3U, grid(5, 1)},
                                                {15U, 5U, racks_of_three(4)},
                                                {49U, 5U, grid(7, 2)}}) {
      const FoundNetwork one = search_of(routers, ports, limit, 0.05, aim);
      EXPECT_NEAR(distance_statistics(lift_network(one.lift, 1)).mean_distance, one.mean_distance, 1e-9)
          << routers;
    }
  }
  // more ports than there are routers near
  const Network corner = lift_network(search_of(9, 6, grid(3, 1), 0.2).lift, 1);
  EXPECT_EQ(corner.channel_count(), 24U) << "the mesh";
}

TEST(CableLimit, SplitLoadsAreThoseOfTheObliviousRouting) {
  for (const auto& [routers, limit] :
       {std::pair(36U, grid(6, 3)), {24U, racks_of_three(4)}, {9U, grid(3, 2)}}) {
    for (const auto& reach : lift_reaches(routers, limit)) {
      Random random(11, reach->symmetry().order);
      const Lift lift = random_near_lift(reach, 4, random);
      std::vector<std::uint32_t> neighbours;
      lift_neighbours(lift, neighbours);
      SplitLoads loads;
      ASSERT_TRUE(loads.count(routers, 4, lift.base, neighbours));
      const Network network = lift_network(lift, 1);
      Progress silent;
      const ObliviousLoad judge =
          oblivious_load(network, ObliviousPaths::minimal, RouterDemand::uniform(network), 1, silent);
      const double pairs = routers - 1;  // a terminal sends to so many
      double most = 0;
      double sum = 0;
      for (const double load : loads.load()) {
        most = std::max(most, load);
        sum += load;
      }
      EXPECT_NEAR(most, judge.max * pairs, 1e-6);
      EXPECT_NEAR(sum * reach->symmetry().order, judge.mean * pairs * network.channel_count(), 1e-6);
      double powers = 0;
      for (const double load : loads.load()) powers += load * load * load * load / 16;
      EXPECT_NEAR(loads.fourth_powers(2), powers, powers * 1e-9);
    }
  }
}

TEST(CableLimit, CarriesMoreThanTheFoldedTorus) {
  // 8x8, cables of two steps: the torus folded, with 4 ports, has a mean distance of 4 * 64 / 63, and all its
  // channels carry as much.
  const FoundNetwork found = search_of(64, 4, grid(8, 2), 0.3);
  EXPECT_LT(found.mean_distance, 3.6);
  const Network network = lift_network(found.lift, 1);
  Progress silent;
  const RouterDemand demand = RouterDemand::uniform(network);
  const FlowProblem problem{.network = network, .demand = demand};
  const FlowCheck check = check_flow(problem, flow_by_potential(problem, {.gap = 0.03}, silent));
  EXPECT_GT(check.lower, 63.0 / 64);
}

TEST(CableLimit, IsTheSameAtAnyNumberOfThreads) {
  const auto cables = [](std::uint32_t threads) {
    const Network network =
        lift_network(search_of(36, 4, grid(6, 2), 0.05, SearchAim::throughput, threads).lift, 1);
    std::vector<std::vector<std::uint32_t>> all;
    for (const ChannelId c : network.channels())
      all.push_back({network.source(c).value, network.source_port(c), network.target(c).value});
    return all;
  };
  EXPECT_EQ(cables(1), cables(3));
}

TEST(CableLimit, RefusesWhatHasNoAnswer) {
  EXPECT_THROW(search_of(25, 4, grid(5, 0.5)), InputError);
  EXPECT_THROW(search_of(24, 5, racks_of_three(2.9)), InputError) << "racks are three metres apart";
  Progress silent;
  EXPECT_THROW(
      search_network({.routers = 128, .ports = 6, .optical_cubes = true, .limit = grid(16, 3)}, silent),
      InputError);
}

}  // namespace
}  // namespace unknot
