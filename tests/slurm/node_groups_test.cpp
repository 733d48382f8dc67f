// SPDX-License-Identifier: Apache-2.0
#include "unknot/slurm/topology/node_groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

#include "unknot/network/bfs.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/slurm/topology/tree_error.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::slurm {
namespace {

/// All hosts of the fabric, each in one group.
void expect_all_hosts_once(const Network& network, const std::vector<NodeGroup>& groups) {
  std::set<std::string> names, nodes;
  std::size_t count = 0;
  for (const NodeGroup& group : groups) {
    EXPECT_TRUE(names.insert(group.name).second) << group.name;
    EXPECT_FALSE(group.nodes.empty());
    nodes.insert(group.nodes.begin(), group.nodes.end());
    count += group.nodes.size();
  }
  EXPECT_EQ(nodes.size(), count);
  EXPECT_EQ(count, network.terminal_count());
}

std::uint32_t distance(const Network& network, const std::string& a, const std::string& b) {
  RouterId from{0}, to{0};
  for (const TerminalId t : network.terminals()) {
    if (network.terminal_name(t) == a) from = network.router_of(t);
    if (network.terminal_name(t) == b) to = network.router_of(t);
  }
  return BreadthFirstSearch(network).from(from)[to.value];
}

/// Length around of nodes in this order.
std::uint32_t around(const Network& network, const std::vector<std::string>& nodes) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    sum += distance(network, nodes[i], nodes[(i + 1) % nodes.size()]);
  return sum;
}

TEST(NodeGroups, OfEveryTopologyHoldAllHostsAndKeepTheRules) {
  for (const Topology& topology : topologies()) {
    for (const std::string& spec : topology.examples) {
      const Network network = make_network(spec);
      if (network.terminal_count() == 0 || network.terminal_count() > 300) continue;
      SCOPED_TRACE(spec);
      const Blocks blocks = make_blocks(network);
      expect_all_hosts_once(network, blocks.blocks);
      ASSERT_FALSE(blocks.sizes.empty());
      for (const std::uint32_t size : blocks.sizes) {
        EXPECT_EQ(size % blocks.sizes.front(), 0U);
        EXPECT_TRUE(std::has_single_bit(size / blocks.sizes.front()));
      }
      for (const NodeGroup& block : blocks.blocks) EXPECT_GE(block.nodes.size(), blocks.sizes.front());
      const std::vector<NodeGroup> rings = make_rings(network);
      expect_all_hosts_once(network, rings);
      for (const NodeGroup& ring : rings) EXPECT_LE(ring.nodes.size(), kMostOfRing);
    }
  }
}

TEST(NodeGroups, BlocksOfATreeAreThoseOfItsSwitches) {
  const Network network = make_network("kary-ntree:k=4,n=2");
  const Blocks blocks = make_blocks(network);
  EXPECT_EQ(blocks.blocks.size(), 4U);
  EXPECT_EQ(blocks.sizes, (std::vector<std::uint32_t>{4, 16}));
  EXPECT_EQ(tree_error(network, tree_of_groups(blocks.blocks)).rms, 0);
  // Groups of a dragonfly, whose routers are all one channel apart.
  const Blocks groups = make_blocks(make_network("dragonfly:a=4,h=1,p=2"));
  EXPECT_EQ(groups.blocks.size(), 5U);
  for (const NodeGroup& block : groups.blocks) EXPECT_EQ(block.nodes.size(), 8U);
}

TEST(NodeGroups, RingsOfATorusAreItsLines) {
  for (const char* spec : {"torus:8x8", "torus:4x16", "torus:3x5x4", "ring:12"}) {
    const Network network = make_network(spec);
    EXPECT_EQ(ring_step(network, make_rings(network)), 1) << spec;
  }
}

/// Every order of small rings is tried.
TEST(NodeGroups, NoOrderOfARingIsShorter) {
  Random random(3);
  for (int round = 0; round < 40; ++round) {
    const auto routers = static_cast<std::uint32_t>(4 + random.below(4));
    NetworkBuilder builder;
    builder.add_routers(routers);
    for (std::uint32_t r = 1; r < routers; ++r)
      builder.add_cable(RouterId(r), RouterId(static_cast<std::uint32_t>(random.below(r))));
    for (std::uint32_t extra = 0; extra < 2; ++extra) {
      const auto a = static_cast<std::uint32_t>(random.below(routers)), b = (a + 1) % routers;
      builder.add_cable(RouterId(a), RouterId(b));
    }
    for (std::uint32_t r = 0; r < routers; ++r) builder.add_terminal(RouterId(r));
    const Network network = std::move(builder).build();
    for (const NodeGroup& ring : make_rings(network)) {
      std::vector<std::string> order = ring.nodes;
      std::sort(order.begin(), order.end());
      std::uint32_t least = around(network, order);
      while (std::next_permutation(order.begin() + 1, order.end()))
        least = std::min(least, around(network, order));
      EXPECT_EQ(around(network, ring.nodes), least) << "round " << round;
    }
  }
}

/// Two rails: hosts have an adapter in each, and no cable joins them.
TEST(NodeGroups, RailsAreOnePlace) {
  NetworkBuilder builder;
  builder.add_routers(6);  // two leaves and a spine, twice
  for (const std::uint32_t rail : {0U, 3U}) {
    builder.add_cable(RouterId(rail), RouterId(rail + 2));
    builder.add_cable(RouterId(rail + 1), RouterId(rail + 2));
    for (std::uint32_t host = 0; host < 4; ++host) {
      builder.add_terminal(RouterId(rail + host / 2));
      builder.labels().terminal_name.push_back("node" + std::to_string(host) + " mlx5_" +
                                               std::to_string(rail / 3));
    }
  }
  const Network network = std::move(builder).build();
  const TopologyTree tree = topology_tree(network);
  std::size_t hosts = 0;
  for (const TopologyTree::Switch& one : tree.switches) hosts += one.hosts.size();
  EXPECT_EQ(hosts, 4U);
  EXPECT_EQ(tree.switches.size(), 3U);
  EXPECT_EQ(tree_error(network, tree).rms, 0);
  EXPECT_EQ(make_blocks(network).blocks.size(), 2U);
}

}  // namespace
}  // namespace unknot::slurm
