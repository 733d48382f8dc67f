// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/traffic/patterns/grid_of_processes.hpp"
#include "verify/fabrics.hpp"

namespace unknot {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

std::vector<Flow> flows_of(const Network& network, const std::string& spec, std::uint32_t index = 0) {
  std::vector<Flow> flows;
  make_pattern(network, spec).flows(1, index, flows);
  return flows;
}

/// Parts of the messages between terminals of one router.
double inside_routers(const Network& network, const std::vector<Flow>& flows) {
  const auto inside = std::count_if(flows.begin(), flows.end(), [&](const Flow& flow) {
    return network.router_of(flow.source) == network.router_of(flow.destination);
  });
  return static_cast<double>(inside) / static_cast<double>(flows.size());
}

// Kathareios et al., SC'15, section 5.
TEST(Stencil, DefaultGridsAreThoseOfTheDiameterTwoPaper) {
  EXPECT_THAT(default_grid(make_network("slimfly:q=13,p=9")), ElementsAre(13, 13, 18));
  EXPECT_THAT(default_grid(make_network("slimfly:q=13,p=10")), ElementsAre(13, 13, 20));
  EXPECT_THAT(default_grid(make_network("mlfm:15")), ElementsAre(15, 16, 15));
  EXPECT_THAT(default_grid(make_network("oft:12")), ElementsAre(12, 14, 19));
}

TEST(Stencil, DefaultGridsFillTheNetworkOrNearly) {
  for (std::uint32_t terminals = 0; terminals < 600; ++terminals) {
    const GridExtents grid = default_grid(testing::single(terminals));
    const std::uint32_t processes = grid[0] * grid[1] * grid[2];
    EXPECT_LE(processes, std::max(1U, terminals));
    if (terminals >= 12) {
      EXPECT_GE(processes, terminals - terminals / 4) << terminals;
    }
    const auto [low, high] = std::minmax_element(grid.begin(), grid.end());
    EXPECT_LE(*high, 2 * *low) << terminals;
  }
}

TEST(Stencil, EveryProcessSendsToItsSixNeighboursAndHearsFromThem) {
  const Network network = make_network("torus:5x4,p=3");  // 60 terminals
  for (const char* mapping : {"contiguous", "partition", "random"}) {
    const std::vector<Flow> flows = flows_of(network, std::string("stencil3d:3x5x4,mapping=") + mapping);
    ASSERT_EQ(flows.size(), 360U);
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    std::vector<std::uint32_t> sent(60, 0);
    for (const Flow& flow : flows) {
      EXPECT_TRUE(pairs.emplace(flow.source.value, flow.destination.value).second);
      ++sent[flow.source.value];
    }
    EXPECT_THAT(sent, Each(6U));
    for (const auto& [s, d] : pairs) EXPECT_TRUE(pairs.contains({d, s}));
  }
}

TEST(Stencil, ContiguousNeighboursAreTheGridsOwn) {
  // process x + 3 (y + 4 z), from the definition
  std::multiset<std::pair<std::uint32_t, std::uint32_t>> expected;
  for (std::uint32_t x = 0; x < 3; ++x) {
    for (std::uint32_t y = 0; y < 4; ++y) {
      for (std::uint32_t z = 0; z < 2; ++z) {
        const auto at = [](std::uint32_t i, std::uint32_t j, std::uint32_t k) { return i + 3 * (j + 4 * k); };
        for (const std::uint32_t step : {1U, 2U}) expected.emplace(at(x, y, z), at((x + step) % 3, y, z));
        for (const std::uint32_t step : {1U, 3U}) expected.emplace(at(x, y, z), at(x, (y + step) % 4, z));
        for (int twice = 0; twice < 2; ++twice) expected.emplace(at(x, y, z), at(x, y, 1 - z));
      }
    }
  }
  std::multiset<std::pair<std::uint32_t, std::uint32_t>> actual;
  for (const Flow& flow : flows_of(testing::single(30), "stencil3d:3x4x2"))
    actual.emplace(flow.source.value, flow.destination.value);
  EXPECT_EQ(actual, expected);
}

TEST(Stencil, AnExtentOfOneHasNoMessages) {
  EXPECT_EQ(flows_of(testing::single(9), "stencil3d:1x9x1").size(), 18U);
  EXPECT_TRUE(flows_of(testing::single(9), "stencil3d:1x1x1").empty());
}

TEST(Stencil, PartitionPutsEachProcessOnceAndKeepsMoreInsideRouters) {
  for (const Topology& family : topologies()) {
    for (const std::string& example : family.examples) {
      SCOPED_TRACE(example);
      const Network network = make_network(example);
      const GridExtents grid = default_grid(network);
      std::vector<std::uint32_t> process = partitioned_processes(network, grid);
      std::sort(process.begin(), process.end());
      ASSERT_EQ(process.size(), grid[0] * grid[1] * grid[2]);
      for (std::uint32_t i = 0; i < process.size(); ++i) EXPECT_EQ(process[i], i);
    }
  }
  for (const char* spec : {"slimfly:q=5,p=4", "torus:4x4x4,p=8", "slimfly:q=13,p=9"}) {
    SCOPED_TRACE(spec);
    const Network network = make_network(spec);
    const double bricks = inside_routers(network, flows_of(network, "stencil3d:mapping=partition"));
    EXPECT_GT(bricks, 1.15 * inside_routers(network, flows_of(network, "stencil3d")));
    EXPECT_GT(bricks, 3 * inside_routers(network, flows_of(network, "stencil3d:mapping=random")));
  }
}

}  // namespace
}  // namespace unknot
