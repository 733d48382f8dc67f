// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <deque>
#include <set>
#include <utility>
#include <vector>

#include "unknot/design/search/network_search.hpp"
#include "unknot/design/search/starts.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// Sum of the distances from router `source`, one search after another.
std::uint64_t distances_from(const Network& network, std::uint32_t source) {
  std::vector<std::uint32_t> distance(network.router_count(), UINT32_MAX);
  std::deque<std::uint32_t> queue{source};
  distance[source] = 0;
  std::uint64_t sum = 0;
  while (!queue.empty()) {
    const std::uint32_t r = queue.front();
    queue.pop_front();
    sum += distance[r];
    for (const ChannelId c : network.channels()) {
      if (network.source(c) != RouterId(r)) continue;
      const std::uint32_t to = network.target(c).value;
      if (distance[to] != UINT32_MAX) continue;
      distance[to] = distance[r] + 1;
      queue.push_back(to);
    }
  }
  return sum;
}

std::vector<std::vector<std::uint32_t>> cables_of(const Lift& lift) {
  std::vector<std::vector<std::uint32_t>> cables;
  const Network network = lift_network(lift, 1);
  for (const ChannelId c : network.channels())
    cables.push_back({network.source(c).value, network.source_port(c), network.target(c).value});
  return cables;
}

FoundNetwork search_of(std::uint32_t routers, std::uint32_t ports, bool cubes, std::uint32_t threads = 0) {
  Progress silent;
  return search_network(
      {.routers = routers, .ports = ports, .optical_cubes = cubes, .effort = 0.05, .threads = threads},
      silent);
}

TEST(SearchGroup, ObeysTheAxioms) {
  Random random(3);
  std::set<std::string> names;
  for (std::uint32_t draw = 0; draw < 200; ++draw) {
    const SearchGroup group = random_group(draw % 24 + 1, random);
    ASSERT_EQ(group.order(), draw % 24 + 1);
    names.insert(group.name());
    for (std::uint32_t x = 0; x < group.order(); ++x) {
      EXPECT_EQ(group.product(x, 0), x);
      EXPECT_EQ(group.product(0, x), x);
      EXPECT_EQ(group.product(x, group.inverse(x)), 0U) << group.name();
      EXPECT_EQ(group.product(group.inverse(x), x), 0U) << group.name();
      for (std::uint32_t y = 0; y < group.order(); ++y) {
        const std::uint32_t z = (x * 7 + y * 3) % group.order();
        ASSERT_EQ(group.product(group.product(x, y), z), group.product(x, group.product(y, z)))
            << group.name();
      }
    }
  }
  EXPECT_GT(names.size(), 40U);
}

TEST(SearchGroup, HasTheQuaternions) {
  const SearchGroup group(4, 2, 3, 2, 1);
  EXPECT_EQ(group.order(), 8U);
  EXPECT_EQ(group.involutions().size(), 1U);
  EXPECT_EQ(SearchGroup(4, 2, 3, 0, 1).involutions().size(), 5U) << "dihedral";
  EXPECT_THROW(SearchGroup(4, 2, 2, 0, 1), InputError);
}

TEST(NetworkSearch, DistancesAreThoseOfBreadthFirstSearch) {
  for (const auto& [routers, ports] : {std::pair(24U, 4U), {30U, 3U}, {21U, 4U}, {36U, 3U}}) {
    const FoundNetwork found = search_of(routers, ports, false);
    const Network network = lift_network(found.lift, 1);
    std::uint64_t sum = 0;
    for (std::uint32_t r = 0; r < routers; ++r) sum += distances_from(network, r);
    EXPECT_EQ(sum * found.lift.base, found.distances.sum * routers) << routers;
    for (std::uint32_t r = 0; r < routers; ++r) EXPECT_EQ(network.out(RouterId(r)).size(), ports) << routers;
  }
}

TEST(NetworkSearch, FindsMooreGraphs) {
  EXPECT_DOUBLE_EQ(search_of(6, 5, false).mean_distance, 1);
  EXPECT_NEAR(search_of(10, 3, false).mean_distance, least_mean_distance(10, 3), 0.06);  // Petersen has 5/3
  EXPECT_DOUBLE_EQ(least_mean_distance(10, 3), 5.0 / 3);
  EXPECT_DOUBLE_EQ(least_mean_distance(50, 7), (7.0 + 2 * 42) / 49);
}

TEST(NetworkSearch, BeatsTheTorus) {
  EXPECT_LT(search_of(64, 6, false).mean_distance, 3 * 64.0 / 63);    // torus:4x4x4
  EXPECT_LT(search_of(128, 6, true).mean_distance, 4 * 128.0 / 127);  // torus:4x4x8
}

TEST(NetworkSearch, CubesKeepToTheirSwitches) {
  const Network network = lift_network(search_of(256, 6, true).lift, 1);
  EXPECT_EQ(broken_cube_rule(network), "");
  // Each cable by coordinates: within a cube, or between the same places of opposite faces.
  std::uint32_t optical = 0;
  for (const ChannelId c : network.channels()) {
    const std::uint32_t a = network.source(c).value;
    const std::uint32_t b = network.target(c).value;
    std::uint32_t one = 0;
    std::uint32_t three = 0;
    for (const std::uint32_t stride : {16U, 4U, 1U}) {
      const std::uint32_t x = a / stride % 4;
      const std::uint32_t y = b / stride % 4;
      one += static_cast<std::uint32_t>(x + 1 == y || y + 1 == x);
      three += static_cast<std::uint32_t>(x + 3 == y || y + 3 == x);
    }
    EXPECT_EQ(one + three, 1U);
    if (one == 1) {
      EXPECT_EQ(a / 64, b / 64);
    }
    optical += three;
  }
  EXPECT_EQ(optical, 4U * 96);
}

TEST(NetworkSearch, TheRuleOfCubesRefusesOthers) {
  Random random(1);
  Lift lift = random_cube_lift(2, true, random);
  EXPECT_EQ(broken_cube_rule(lift_network(lift, 1)), "");
  std::vector<std::size_t> movable;
  for (std::size_t i = 0; i < lift.cables.size(); ++i) {
    if (lift.cables[i].pool != LiftCable::kFixed) movable.push_back(i);
  }
  ASSERT_EQ(movable.size(), 48U);
  std::swap(lift.cables[movable[0]].to, lift.cables[movable[1]].to);
  EXPECT_NE(broken_cube_rule(lift_network(lift, 1)), "") << "ends of two switches exchanged";
  lift.cables.pop_back();
  EXPECT_NE(broken_cube_rule(lift_network(lift, 1)), "");
}

TEST(NetworkSearch, IsTheSameAtAnyNumberOfThreads) {
  EXPECT_EQ(cables_of(search_of(64, 4, false, 1).lift), cables_of(search_of(64, 4, false, 3).lift));
  EXPECT_EQ(cables_of(search_of(128, 6, true, 1).lift), cables_of(search_of(128, 6, true, 2).lift));
}

TEST(NetworkSearch, RefusesWhatHasNoAnswer) {
  EXPECT_THROW(search_of(7, 3, false), InputError);
  EXPECT_THROW(search_of(4, 4, false), InputError);
  EXPECT_THROW(search_of(100, 6, true), InputError);
  EXPECT_THROW(search_of(128, 5, true), InputError);
  EXPECT_THROW(search_of(5000, 4, false), InputError);
}

}  // namespace
}  // namespace unknot
