// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "formats/fabric_samples.hpp"
#include "refusal.hpp"
#include "unknot/formats/chips/floogen.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using Ports = std::map<std::uint16_t, std::string>;

/// What is on each port of each router, by name.
std::map<std::string, Ports> ports_of(const Network& network) {
  std::map<std::string, Ports> all;
  for (const RouterId r : network.routers()) {
    Ports& ports = all[network.router_name(r)];
    for (const ChannelId c : network.out(r))
      ports[network.source_port(c)] = network.router_name(network.target(c));
    for (const TerminalId t : network.terminals_at(r))
      ports[network.terminal_port(t)] = network.terminal_name(t);
  }
  return all;
}

// North, East, South, West and Eject are FlooGen's ports 0 to 4; y grows to the north.
TEST(Floogen, MeshHasItsDirections) {
  const Network mesh = read_floogen(
      "network_type: axi\n"
      "endpoints: [{name: core, array: [2, 2]}, {name: mem, array: [2]}]\n"
      "routers: [{name: r, array: [2, 2], degree: 5}]\n"
      "connections:\n"
      "- {src: core, dst: r, src_range: [[0, 1], [0, 1]], dst_range: [[0, 1], [0, 1]], dst_dir: Eject}\n"
      "- {src: mem, dst: r, src_range: [[1, 0]], dst_range: [[0, 0], [0, 1]], dst_dir: west}\n",
      "m.yml");
  const std::map<std::string, Ports> expected = {
      {"r_0_0", {{1, "r_0_1"}, {2, "r_1_0"}, {4, "mem_1"}, {5, "core_0_0"}}},
      {"r_0_1", {{2, "r_1_1"}, {3, "r_0_0"}, {4, "mem_0"}, {5, "core_0_1"}}},
      {"r_1_0", {{1, "r_1_1"}, {4, "r_0_0"}, {5, "core_1_0"}}},
      {"r_1_1", {{3, "r_1_0"}, {4, "r_0_1"}, {5, "core_1_1"}}}};
  EXPECT_EQ(ports_of(mesh), expected);
  EXPECT_EQ(mesh.port_count(RouterId(0)), 5U);
}

// Links without a direction take free ports: those of a router in the order in which they are made.
TEST(Floogen, TreeTakesFreePorts) {
  const Network tree = read_floogen(
      "network_type: axi\n"
      "endpoints: [{name: leaf, array: 4}, {name: io}]\n"
      "routers: [{name: t, tree: [1, 2]}, {name: x}]\n"
      "connections:\n"
      "- {src: leaf, dst: t, src_range: [[0, 3]], dst_lvl: 1, allow_multi: true}\n"
      "- {src: t, dst: x, src_lvl: 0, src_dir: 0}\n"
      "- {src: x, dst: io}\n",
      "t.yml");
  const std::map<std::string, Ports> expected = {{"t_0", {{1, "x"}, {2, "t_0_0"}, {3, "t_0_1"}}},
                                                 {"t_0_0", {{1, "t_0"}, {2, "leaf_0"}, {3, "leaf_1"}}},
                                                 {"t_0_1", {{1, "t_0"}, {2, "leaf_2"}, {3, "leaf_3"}}},
                                                 {"x", {{1, "t_0"}, {2, "io"}}}};
  EXPECT_EQ(ports_of(tree), expected);
}

TEST(Floogen, RoutersAloneAreJoinedWhereThatIsAskedFor) {
  const Network line = read_floogen(
      "network_type: axi\nendpoints: []\nrouters: [{name: r, array: [1, 2], auto_connect: false}, {name: "
      "s}]\n"
      "connections: [{src: s, dst: r, dst_idx: [0, 1]}, {src: r_0_0, dst: s}]\n",
      "l.yml");
  const std::map<std::string, Ports> expected = {
      {"r_0_0", {{1, "s"}}}, {"r_0_1", {{1, "s"}}}, {"s", {{1, "r_0_1"}, {2, "r_0_0"}}}};
  EXPECT_EQ(ports_of(line), expected);
}

TEST(Floogen, EveryNetworkOfSingleCablesComesBackPortByPort) {
  std::uint32_t written = 0;
  for (const Topology& family : topologies()) {
    for (const std::string& spec : family.examples) {
      SCOPED_TRACE(spec);
      const Network network = make_network(spec);
      std::string text;
      const std::string trouble = refusal([&] { text = write_floogen(network); });
      if (!trouble.empty()) {
        EXPECT_THAT(trouble,
                    testing::AnyOf(testing::HasSubstr("parallel cables"), testing::HasSubstr("one-way")));
        continue;
      }
      ++written;
      const Network back = read_floogen(text, spec);
      ASSERT_EQ(back.router_count(), network.router_count());
      ASSERT_EQ(back.terminal_count(), network.terminal_count());
      EXPECT_EQ(back.router_name(RouterId(0)), "router_0");
      EXPECT_EQ(back.fingerprint(), network.fingerprint());
    }
  }
  EXPECT_GT(written, 60U);
}

TEST(Floogen, NamesStayWhereTheyAreNamesOfHardware) {
  const std::string text =
      "network_type: axi\nendpoints: [{name: core}]\nrouters: [{name: hub}]\nconnections: [{src: core, dst: "
      "hub}]\n";
  const Network back = read_floogen(write_floogen(read_floogen(text, "n")), "n");
  EXPECT_EQ(back.router_name(RouterId(0)), "hub");
  EXPECT_EQ(back.terminal_name(TerminalId(0)), "core");
}

}  // namespace
}  // namespace unknot
