// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/bfs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "network/small_networks.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

/// All distances by relaxing every channel until nothing changes: slow, and nothing like a queue.
std::vector<std::vector<std::uint32_t>> relaxed_distances(const Network& net) {
  const std::uint32_t n = net.router_count();
  std::vector<std::vector<std::uint32_t>> d(n, std::vector<std::uint32_t>(n, BreadthFirstSearch::kUnreached));
  for (std::uint32_t r = 0; r < n; ++r) d[r][r] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t s = 0; s < n; ++s) {
      for (const ChannelId c : net.channels()) {
        const std::uint32_t via = d[s][net.source(c).value];
        std::uint32_t& at = d[s][net.target(c).value];
        if (via != BreadthFirstSearch::kUnreached && via + 1 < at) {
          at = via + 1;
          changed = true;
        }
      }
    }
  }
  return d;
}

TEST(BreadthFirstSearch, AgreesWithRelaxationBothWays) {
  for (const char* spec : {"torus:4x3", "kautz:b=2,n=3,oriented=1", "uniring:7", "xgft:m=3x3,w=2x2", "deimos",
                           "random:switches=30,links=40"}) {
    const Network net = make_network(spec);
    const auto expected = relaxed_distances(net);
    BreadthFirstSearch search(net);
    for (const RouterId r : net.routers()) {
      const auto from = search.from(r);
      EXPECT_TRUE(std::equal(from.begin(), from.end(), expected[r.value].begin())) << spec;
      EXPECT_EQ(search.eccentricity(), *std::max_element(from.begin(), from.end()));
      const auto to = search.to(r);
      for (const RouterId s : net.routers()) EXPECT_EQ(to[s.value], expected[s.value][r.value]) << spec;
    }
  }
}

TEST(BreadthFirstSearch, LeavesTheUnreachableOut) {
  const Network net = testing_networks::channels(4, {{0, 1}, {1, 2}});
  BreadthFirstSearch search(net);
  const auto from = search.from(RouterId(1));
  EXPECT_EQ(
      std::vector<std::uint32_t>(from.begin(), from.end()),
      (std::vector<std::uint32_t>{BreadthFirstSearch::kUnreached, 0, 1, BreadthFirstSearch::kUnreached}));
  const auto to = search.to(RouterId(2));
  EXPECT_EQ(std::vector<std::uint32_t>(to.begin(), to.end()),
            (std::vector<std::uint32_t>{2, 1, 0, BreadthFirstSearch::kUnreached}));
  EXPECT_EQ(search.order().size(), 3U);
}

TEST(BreadthFirstSearch, OrderIsByDistance) {
  const Network net = make_network("torus:5x5");
  BreadthFirstSearch search(net);
  const auto d = search.from(RouterId(7));
  EXPECT_EQ(search.order().size(), 25U);
  EXPECT_TRUE(std::is_sorted(search.order().begin(), search.order().end(),
                             [&](RouterId a, RouterId b) { return d[a.value] < d[b.value]; }));
}

}  // namespace
}  // namespace unknot
