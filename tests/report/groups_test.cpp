// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "unknot/network/builder.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::report {
namespace {

/// Sizes of the groups, by how many have them.
std::map<std::size_t, std::size_t> sizes(const Groups& groups) {
  std::map<std::uint32_t, std::size_t> members;
  for (const std::uint32_t g : groups.of) ++members[g];
  std::map<std::size_t, std::size_t> counted;
  for (const auto& [group, size] : members) ++counted[size];
  return counted;
}

using Sizes = std::map<std::size_t, std::size_t>;

TEST(ReportGroups, AreThoseThatAGeneratorMakes) {
  // 8 pods of 4 leaves and 4 routers above them; 16 at the top, four planes of four
  EXPECT_EQ(sizes(router_groups(make_network("fattree3:8"))), (Sizes{{8, 8}, {4, 4}}));
  // groups of a dragonfly, of a slim fly: the first of q routers in a row, twice q of them
  EXPECT_EQ(sizes(router_groups(make_network("dragonfly:a=8,h=4,p=4"))), (Sizes{{8, 33}}));
  EXPECT_EQ(sizes(router_groups(make_network("slimfly:q=11"))), (Sizes{{11, 22}}));
  EXPECT_EQ(sizes(router_groups(make_network("torus:16x16"))), (Sizes{{16, 16}}));
  EXPECT_EQ(router_groups(make_network("torus:16x16")).names[1], "block 0-3, 4-7");
  // cables that fail do not make other groups
  const Network whole = make_network("fattree3:8");
  EXPECT_EQ(router_groups(with_faults(whole, parse_faults(whole, "cable-count=9,seed=2"))).of,
            router_groups(whole).of);
  EXPECT_TRUE(router_groups(make_network("torus:3x3")).names.empty());
  EXPECT_TRUE(router_groups(make_network("omega:32")).names.empty());
}

/// Two rings of full meshes of 4, their routers numbered in turn, so that no block of numbers is one of them.
TEST(ReportGroups, AreFoundWhereNumbersDoNotShowThem) {
  NetworkBuilder builder;
  constexpr std::uint32_t kParts = 7, kSize = 4;
  std::vector<RouterId> routers;
  for (std::uint32_t i = 0; i < kParts * kSize; ++i) {
    routers.push_back(builder.add_router());
    builder.add_terminal(routers.back());
  }
  const auto at = [&](std::uint32_t part, std::uint32_t i) { return routers[i * kParts + part % kParts]; };
  for (std::uint32_t part = 0; part < kParts; ++part) {
    for (std::uint32_t a = 0; a < kSize; ++a) {
      for (std::uint32_t b = 0; b < a; ++b) builder.add_cable(at(part, a), at(part, b));
    }
    builder.add_cable(at(part, 0), at(part + 1, 1));
  }
  const Network network = std::move(builder).build();
  const std::vector<std::uint32_t> module = modules(network);
  for (std::uint32_t a = 0; a < module.size(); ++a) {
    for (std::uint32_t b = 0; b < a; ++b) EXPECT_EQ(module[a] == module[b], a % kParts == b % kParts);
  }
}

/// By the definition: for every pair of routers the channels between them, less those that degrees let
/// expect.
double by_pairs(const Network& network, const std::vector<std::uint32_t>& module) {
  const std::uint32_t n = network.router_count();
  std::vector<double> degree(n);
  std::vector<std::vector<double>> joined(n, std::vector<double>(n));
  for (const ChannelId c : network.channels()) {
    const std::uint32_t a = network.source(c).value, b = network.target(c).value;
    joined[a][b] += 1;
    joined[b][a] += 1;
    degree[a] += 1;
    degree[b] += 1;
  }
  double total = 0, sum = 0;
  for (const double d : degree) total += d;
  for (std::uint32_t a = 0; a < n; ++a) {
    for (std::uint32_t b = 0; b < n; ++b) {
      if (module[a] == module[b]) sum += joined[a][b] - degree[a] * degree[b] / total;
    }
  }
  return sum / total;
}

TEST(ReportGroups, ModularityIsThatOfItsDefinition) {
  for (const char* spec : {"jellyfish:routers=24,degree=5,p=2", "kautz:b=2,n=3", "petersen", "fattree3:4"}) {
    const Network network = make_network(spec);
    std::vector<std::uint32_t> module(network.router_count());
    for (std::uint32_t r = 0; r < module.size(); ++r) module[r] = (r * r + 1) % 5;
    EXPECT_NEAR(modularity(network, module), by_pairs(network, module), 1e-12) << spec;
    // what is found is better than any router moved to another module, but for blocks that are nearly as good
    const std::vector<std::uint32_t> found = modules(network);
    EXPECT_GT(modularity(network, found), 0) << spec;
  }
}

TEST(ReportGroups, EveryNetworkOfTheCatalogueHasEachRouterInOneOrNone) {
  for (const Topology& family : topologies()) {
    for (const std::string& spec : family.examples) {
      const Network network = make_network(spec);
      const Groups groups = router_groups(network);
      if (groups.names.empty()) continue;
      ASSERT_EQ(groups.of.size(), network.router_count()) << spec;
      EXPECT_EQ(std::set<std::uint32_t>(groups.of.begin(), groups.of.end()).size(), groups.names.size())
          << spec;
      EXPECT_EQ(std::set<std::string>(groups.names.begin(), groups.names.end()).size(), groups.names.size())
          << spec;
    }
  }
}

}  // namespace
}  // namespace unknot::report
