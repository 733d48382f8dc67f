// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/patterns/longest_matching.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "verify/fabrics.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kFar = 1'000'000;

std::vector<Flow> flows_of(const Network& network) {
  std::vector<Flow> flows;
  make_pattern(network, "longest-matching").flows(1, 0, flows);
  return flows;
}

std::uint64_t length_of(const Network& network, const std::vector<Flow>& flows) {
  std::uint64_t length = 0;
  for (const Flow& flow : flows) {
    const std::uint32_t hops = testing::distances_to(
        network, network.router_of(flow.destination))[network.router_of(flow.source).value];
    EXPECT_LT(hops, kFar);
    length += hops;
  }
  return length;
}

/// Over all permutations of the terminals; pairs without a path are idle.
std::uint64_t longest_of_all(const Network& network) {
  std::vector<std::vector<std::uint32_t>> to;
  for (const RouterId r : network.routers()) to.push_back(testing::distances_to(network, r));
  std::vector<std::uint32_t> target(network.terminal_count());
  std::iota(target.begin(), target.end(), 0U);
  std::uint64_t longest = 0;
  do {
    std::uint64_t length = 0;
    for (std::uint32_t t = 0; t < target.size(); ++t) {
      const std::uint32_t hops =
          to[network.router_of(TerminalId(target[t])).value][network.router_of(TerminalId(t)).value];
      length += hops < kFar ? hops : 0;
    }
    longest = std::max(longest, length);
  } while (std::next_permutation(target.begin(), target.end()));
  return longest;
}

TEST(LongestMatching, IsTheLongestOfAllPermutations) {
  Random random(5);
  std::uint32_t compared = 0;
  for (int i = 0; i < 200; ++i) {
    const Network network = testing::random_fabric(random, i % 2 == 0, 6, 3);
    if (network.terminal_count() > 7) continue;
    ++compared;
    EXPECT_EQ(length_of(network, flows_of(network)), longest_of_all(network));
  }
  EXPECT_GT(compared, 40U);
}

TEST(LongestMatching, IsOneToOneBetweenRoutersOnEveryTopology) {
  for (const Topology& family : topologies()) {
    for (const std::string& example : family.examples) {
      const Network network = make_network(example);
      if (network.terminal_count() > 1500) continue;
      SCOPED_TRACE(example);
      std::set<TerminalId> sources;
      std::set<TerminalId> destinations;
      for (const Flow& flow : flows_of(network)) {
        EXPECT_NE(network.router_of(flow.source), network.router_of(flow.destination));
        EXPECT_EQ(flow.weight, 1);
        EXPECT_TRUE(sources.insert(flow.source).second);
        EXPECT_TRUE(destinations.insert(flow.destination).second);
      }
    }
  }
}

TEST(LongestMatching, IsTheSameAtAnyNumberOfThreads) {
  Progress silent;
  for (const char* spec : {"jellyfish:routers=80,degree=5,terminals=190", "mesh:9x9", "ring:150"}) {
    const Network network = make_network(spec);
    const LongestMatching one = longest_matching(network, 1, silent);
    const LongestMatching three = longest_matching(network, 3, silent);
    EXPECT_EQ(one.parts, three.parts);
    EXPECT_EQ(one.sender, three.sender);
    EXPECT_EQ(one.receiver, three.receiver);
  }
}

TEST(LongestMatching, TooLargeIsRefusedBeforeAnyWork) {
  Progress silent;
  NetworkBuilder builder;
  builder.add_routers(50'000);
  for (std::uint32_t r = 0; r < 50'000; ++r) builder.add_terminal(RouterId(r));
  EXPECT_THROW((void)longest_matching(std::move(builder).build(), 1, silent), InputError);
}

}  // namespace
}  // namespace unknot
