// SPDX-License-Identifier: Apache-2.0
// Files in which administrators list GUIDs, as OpenSM takes them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "refusal.hpp"
#include "unknot/formats/text/node_list.hpp"
#include "unknot/network/builder.hpp"

namespace unknot {
namespace {

/// Two leaves with two hosts each, a spine; the hosts of the second are the ports of one adapter.
Network fabric() {
  NetworkBuilder builder;
  builder.add_routers(3);
  builder.add_cable(RouterId(0), 5, RouterId(2), 1);
  builder.add_cable(RouterId(1), 5, RouterId(2), 3);
  for (const std::uint32_t leaf : {0U, 0U, 1U, 1U})
    builder.add_terminal(RouterId(leaf), static_cast<std::uint16_t>(1 + builder.terminal_count() % 2));
  Labels& labels = builder.labels();
  labels.router_name = {"leaf-1", "leaf-2", "spine-1"};
  labels.router_guid = {0xa1, 0xa2, 0xa3};
  labels.router_ports = {8, 8, 8};
  labels.terminal_name = {"n1", "n2", "gw", "gw"};
  labels.terminal_node_guid = {0xb10, 0xb20, 0xb30, 0xb30};
  labels.terminal_port_guid = {0xb11, 0xb21, 0xb31, 0xb32};
  return std::move(builder).build();
}

template <class Id>
std::vector<std::uint32_t> numbers(const std::vector<Id>& ids) {
  std::vector<std::uint32_t> values;
  for (const Id id : ids) values.push_back(id.value);
  return values;
}

using Numbers = std::vector<std::uint32_t>;

TEST(NodeList, TakesWhatOpenSmTakes) {
  const NodeList list = parse_node_list(fabric(),
                                        "# the roots\n"
                                        "\n"
                                        "   0x00000000000000a3   spine-1, rack 4\n"
                                        "0xA1# a comment at once\r\n"
                                        "\t0xb31\n"
                                        "0xdead\n"
                                        "0xa3\n",
                                        "roots");
  EXPECT_EQ(numbers(list.routers), (Numbers{2, 0, 1}));
  EXPECT_EQ(numbers(list.terminals), (Numbers{2}));
  ASSERT_EQ(list.absent.size(), 1U);
  EXPECT_EQ(list.absent[0].guid, 0xdeadU);
  EXPECT_EQ(list.absent[0].line, 6U);
}

TEST(NodeList, AdaptersStandForAllTheirPortsAndNamesForNodes) {
  const Network network = fabric();
  EXPECT_EQ(numbers(parse_node_list(network, "0xb30\n", "f").terminals), (Numbers{2, 3}));
  EXPECT_EQ(numbers(parse_node_list(network, "gw\n", "f").terminals), (Numbers{2, 3}));
  const NodeList names = parse_node_list(network, "leaf-[1-2]\nn2\n", "f");
  EXPECT_EQ(numbers(names.routers), (Numbers{0, 1}));
  EXPECT_EQ(numbers(names.terminals), (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(numbers(parse_node_list(network, "2", "f").routers), (Numbers{2}));
}

TEST(NodeList, RefusesInOneSentence) {
  const Network network = fabric();
  const auto said = [&](const char* text) {
    return refusal([&] { (void)parse_node_list(network, text, "list"); });
  };
  EXPECT_EQ(said(""), "list: names no node");
  EXPECT_EQ(said("# nothing\n\n"), "list: names no node");
  EXPECT_EQ(said("0xa1\n0xfeedg\n"),
            "list:2: '0xfeedg' is no GUID: expected 0x and 1 to 16 hexadecimal digits");
  EXPECT_EQ(said("0x\n"), "list:1: '0x' is no GUID: expected 0x and 1 to 16 hexadecimal digits");
  EXPECT_EQ(said("0x12345678123456789\n"),
            "list:1: '0x12345678123456789' is no GUID: expected 0x and 1 to 16 hexadecimal digits");
  EXPECT_EQ(said("0xa1 0xa2\n"), "list:1: a second GUID: expected one in a line");
  EXPECT_EQ(
      said("0xa1\n\nleaf-3\n"),
      "list:3: nodes: no node is called 'leaf-3'; did you mean 'leaf-1' or 'leaf-2'?; expected a GUID as "
      "0x..., or names or numbers of nodes");
  EXPECT_EQ(said("0xdead\n0xbeef\n"),
            "list: none of its 2 GUIDs is of the fabric, the first is 0x000000000000dead in line 1");
}

TEST(PortValues, TakesOpenSmsFile) {
  const PortValues read =
      parse_port_weights(fabric(), "# slow\n0xa3 1 4\n 0xa3\t3   255 # there\n0xdead 1 2\n", "w");
  ASSERT_EQ(read.weights.size(), 2U);
  EXPECT_EQ(read.weights[0].guid, 0xa3U);
  EXPECT_EQ(read.weights[0].port, 1U);
  EXPECT_EQ(read.weights[0].weight, 4U);
  EXPECT_EQ(read.weights[1].port, 3U);
  EXPECT_EQ(read.weights[1].weight, 255U);
  ASSERT_EQ(read.absent.size(), 1U);
  EXPECT_EQ(read.absent[0].line, 4U);
}

TEST(PortValues, RefusesInOneSentence) {
  const Network network = fabric();
  const auto said = [&](const char* text) {
    return refusal([&] { (void)parse_port_weights(network, text, "w"); });
  };
  const std::string expected = "expected '0x<switch guid> <port, from 1> <weight, 1 to 255>'";
  for (const char* line : {"0xa3 1", "0xa3", "0xa3 0 2", "0xa3 1 0", "0xa3 1 256", "0xa3 1 2 3", "a3 1 2",
                           "0xa3 x 2", "0xa3 1 1.5", "0xa3 70000 2", "0xa3 -1 2"}) {
    EXPECT_EQ(said((std::string("0xa3 1 2\n") + line + "\n").c_str()), "w:2: " + expected) << line;
  }
  EXPECT_EQ(said("0xa3 9 2\n"), "w:1: spine-1 has no port 9, its last is 8");
  EXPECT_EQ(said("0xb11 1 2\n"), "w:1: 0x0000000000000b11 is no switch: weights are of switches' ports");
  EXPECT_EQ(said("0xdead 1 2\n"), "w: has no weight for a switch of the fabric");
  EXPECT_EQ(said(""), "w: has no weight for a switch of the fabric");
}

}  // namespace
}  // namespace unknot
