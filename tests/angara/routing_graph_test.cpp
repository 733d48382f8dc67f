// SPDX-License-Identifier: Apache-2.0
#include "unknot/angara/routing_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "angara/systems.hpp"
#include "unknot/angara/route_choices.hpp"
#include "unknot/angara/route_search.hpp"
#include "unknot/angara/system.hpp"

namespace unknot::angara {
namespace {

struct Size {
  const char* spec;
  double vertices, edges;  // a node
};

TEST(RoutingGraph, HasTheSizeOfTheReference) {
  for (const Size& size : {Size{"torus:5", 6, 12},
                           {"torus:3x4", 14, 44},
                           {"torus:3x3x3", 34, 135},
                           {"torus:3x3x3x3", 90, 401}}) {
    const Network network = make_network(size.spec);
    const System system(network, Augmentation::none);
    EXPECT_EQ(system.graph.states(), size.vertices) << size.spec;
    EXPECT_EQ(static_cast<double>(system.graph.edge_count()) / network.router_count(), size.edges)
        << size.spec;
  }
  const Network desmos = make_network("torus:4x2x2x2");
  EXPECT_EQ(System(desmos, Augmentation::none).graph.edge_count(), 264U * 32);
  EXPECT_EQ(static_cast<double>(System(desmos, Augmentation::direction_sets).graph.edge_count()),
            312.75 * 32);
}

// The direct listing against a search of the routing graph, route by route.
TEST(RouteChoices, AreTheShortestPathsOfTheRoutingGraph) {
  Progress quiet;
  for (const unknot::testing::AngaraCase& one : unknot::testing::angara_cases()) {
    const Network network = make(one);
    for (const Augmentation augmentation : {Augmentation::none, Augmentation::direction_sets}) {
      const System system(network, augmentation);
      const RouteChoices choices(system.graph, 2, quiet);
      RouteSearch search(system.graph);
      for (const TerminalId s : network.terminals()) {
        search.run(network.router_of(s).value);
        for (const TerminalId d : network.terminals()) {
          std::vector<RouteCode> listed;
          search.list(network.router_of(d).value, listed);
          const auto routes = choices.of(s.value, d.value);
          std::vector<RouteCode> sorted(routes.begin(), routes.end());
          std::sort(sorted.begin(), sorted.end());
          ASSERT_EQ(sorted, listed) << one.spec << " " << one.faults << ": " << s.value << " to " << d.value;
        }
      }
    }
  }
}

std::string unroutable(const unknot::testing::AngaraCase& one, Augmentation augmentation) {
  Progress quiet;
  const Network network = make(one);
  const System system(network, augmentation);
  const RouteChoices choices(system.graph, 1, quiet);
  std::string pairs;
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId d : network.terminals()) {
      if (s == d || !choices.of(s.value, d.value).empty()) continue;
      pairs += network.router_name(network.router_of(s)).substr(2) + ">" +
               network.router_name(network.router_of(d)).substr(2) + " ";
    }
  }
  return pairs;
}

std::size_t count(const std::string& pairs) {
  return static_cast<std::size_t>(std::count(pairs.begin(), pairs.end(), '>'));
}

// Section 5 of the reference; routers are numbered as there, the last dimension fastest.
TEST(RouteChoices, UnroutablePairsAreThoseOfTheReference) {
  using enum Augmentation;
  EXPECT_EQ(unroutable({"torus:3x3", "routers=0+8"}, direction_sets), "6>2 ");
  EXPECT_EQ(unroutable({"torus:4x2", "cables=0:3"}, none), "1>0 3>0 5>0 7>0 ");
  EXPECT_EQ(unroutable({"torus:4x2", "cables=0:3"}, direction_sets), "");
  EXPECT_EQ(count(unroutable({"torus:4x2x2", "cables=0:5"}, none)), 8U);
  EXPECT_EQ(count(unroutable({"torus:4x2x2", "cables=0:5"}, direction_sets)), 0U);
  EXPECT_EQ(count(unroutable({"torus:4x2x2x2", "cables=0:7"}, none)), 16U);
  EXPECT_EQ(count(unroutable({"torus:4x2x2x2", "cables=0:7"}, direction_sets)), 0U);
  EXPECT_EQ(count(unroutable({"torus:4x2x2x2", "routers=0+31"}, none)), 72U);
  EXPECT_EQ(count(unroutable({"torus:4x2x2x2", "routers=0+31"}, direction_sets)), 3U);
  EXPECT_EQ(count(unroutable({"torus:2x4", "cables=0:1"}, none)), 4U);
  EXPECT_EQ(count(unroutable({"torus:2x4", "cables=0:1"}, direction_sets)), 4U);
  EXPECT_EQ(count(unroutable({"torus:2x4", "cables=0:1"}, exact)), 0U);
  EXPECT_EQ(count(unroutable({"torus:2x3x4", "cables=0:1"}, direction_sets)), 12U);
  EXPECT_EQ(count(unroutable({"torus:2x3x4", "cables=0:1"}, exact)), 0U);
  EXPECT_EQ(count(unroutable({"torus:4x2", "cables=0:1+0:3"}, direction_sets)), 8U);
}

// The paper: 81.6 % over the 49 two-dimensional tori of sizes 2 to 8.
TEST(RouteChoices, SingleRouteShareInTwoDimensions) {
  Progress quiet;
  double sum = 0;
  for (int x = 2; x <= 8; ++x) {
    for (int y = 2; y <= 8; ++y) {
      const Network network = make_network("torus:" + std::to_string(x) + "x" + std::to_string(y));
      const System system(network, Augmentation::direction_sets);
      sum += RouteChoices(system.graph, 0, quiet).single_route_share();
    }
  }
  EXPECT_NEAR(sum / 49, 0.8161, 0.00005);
}

TEST(RouteCode, ReadsBackEverySequenceItWrites) {
  const Network network = make_network("torus:3x3x3");
  const Torus torus(network);
  int written = 0;
  int refused = 0;
  // All sequences of up to five directions.
  for (std::uint32_t length = 0; length <= 5; ++length) {
    std::uint32_t all = 1;
    for (std::uint32_t i = 0; i < length; ++i) all *= 6;
    for (std::uint32_t number = 0; number < all; ++number) {
      std::vector<Direction> directions;
      for (std::uint32_t i = 0, rest = number; i < length; ++i, rest /= 6)
        directions.push_back(static_cast<Direction>(rest % 6));
      const auto code = encode(torus, directions);
      if (!code) {
        ++refused;
        continue;
      }
      ++written;
      std::vector<Direction> back;
      code->for_each_stretch(3, [&](Direction d, std::uint32_t count) { back.insert(back.end(), count, d); });
      EXPECT_EQ(back, directions);
      EXPECT_EQ(code->hops(), length);
    }
  }
  EXPECT_GT(written, 500);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace unknot::angara
