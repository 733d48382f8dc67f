// SPDX-License-Identifier: Apache-2.0
#include "unknot/oblivious/minimal_paths.hpp"

#include <gtest/gtest.h>

#include "oblivious/explicit_paths.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

/// Distances, next channels and numbers of paths against paths listed one by one.
void expect_lists_all(const Network& network, const std::string& what) {
  const MinimalPaths paths(network);
  std::uint64_t unreachable = 0;
  std::uint32_t diameter = 0;
  for (const RouterId d : network.routers()) {
    if (network.terminals_at(d).empty()) {
      EXPECT_EQ(paths.endpoints().index_of(d), EndpointRouters::kNone);
      continue;
    }
    const auto listed = testing::shortest_paths_to(network, d);
    for (const RouterId r : network.routers()) {
      SCOPED_TRACE(what + " " + std::to_string(r.value) + " to " + std::to_string(d.value));
      const auto& from_here = listed[r.value];
      EXPECT_EQ(paths.paths(r, d), static_cast<double>(from_here.size()));
      std::vector<ChannelId> next;
      for (const auto& path : from_here) {
        if (!path.empty() && (next.empty() || next.back() != path.front())) next.push_back(path.front());
      }
      EXPECT_EQ(std::vector<ChannelId>(paths.next(r, d).begin(), paths.next(r, d).end()), next);
      const bool reached = !from_here.empty();
      EXPECT_EQ(paths.distance(r, d), reached ? from_here.front().size() : MinimalPaths::kUnreached);
      if (network.terminals_at(r).empty()) continue;
      if (!reached) ++unreachable;
      if (reached) diameter = std::max<std::uint32_t>(diameter, paths.distance(r, d));
    }
  }
  EXPECT_EQ(paths.unreachable_pairs(), unreachable) << what;
  EXPECT_EQ(paths.diameter(), diameter) << what;
}

TEST(MinimalPaths, ListsAllOfRandomNetworks) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    expect_lists_all(testing::random_fabric(random, seed % 3 == 0), "seed " + std::to_string(seed));
  }
}

TEST(MinimalPaths, ListsAllOfEveryFamily) {
  for (const Topology& topology : topologies()) {
    const Network network = make_network(topology.examples.front());
    if (network.router_count() <= 150) expect_lists_all(network, topology.examples.front());
  }
}

TEST(MinimalPaths, AreTheSameAtAnyNumberOfThreads) {
  const Network network = make_network("hyperx:4x4,p=2");
  const MinimalPaths one(network, 1);
  const MinimalPaths many(network, 5);
  for (const RouterId r : network.routers()) {
    for (const RouterId d : network.routers()) {
      EXPECT_TRUE(std::ranges::equal(one.next(r, d), many.next(r, d)));
      EXPECT_EQ(one.paths(r, d), many.paths(r, d));
    }
  }
}

TEST(MinimalPaths, CountsParallelCablesApart) {
  const Network network = make_network("hyperx:2x2,cables=3,p=1");
  const MinimalPaths paths(network);
  EXPECT_EQ(paths.paths(RouterId(0), RouterId(1)), 3);
  EXPECT_EQ(paths.paths(RouterId(0), RouterId(3)), 18);
  EXPECT_EQ(paths.next(RouterId(0), RouterId(3)).size(), 6U);
}

TEST(MinimalPaths, TakeNetworksWithoutTerminals) {
  NetworkBuilder builder;
  builder.add_routers(3);
  const Network network = std::move(builder).build();
  EXPECT_EQ(MinimalPaths(network).endpoints().count(), 0U);
  EXPECT_EQ(MinimalPaths(Network()).diameter(), 0U);
}

}  // namespace
}  // namespace unknot
