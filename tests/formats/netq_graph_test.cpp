// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/fabric/netq_graph.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

using testing::ElementsAre;

std::string device(const char* id, const char* name, int tier, const char* type) {
  return fmt::format(R"({{"id": "{}", "name": "{}", "tier": {}, "device_type": "{}", "size": 1}})", id, name,
                     tier, type);
}

std::string cable(const char* a, const char* x, const char* b, const char* y) {
  return fmt::format(
      R"({{"interfaces": [{{"node": "{}", "interface": "{}"}}, {{"node": "{}", "interface": "{}"}}]}})", a, x,
      b, y);
}

/// A switch by its tier, one by its type alone, a host with two interfaces.
TEST(NetqGraph, PortsAreInTheOrderOfTheNamesOfInterfaces) {
  const std::string text =
      "[{\"nodes\": [{\"tier\": 1, \"compounded_nodes\": [" + device("n0", "leaf", 1, "device") +
      "]}, {\"tier\": -1, \"compounded_nodes\": [" + device("n1", "stray", -1, "switch") + "," +
      device("n2", "host", -1, "discovered_via_lldp") + "]}], \"links\": [{\"compounded_links\": [" +
      cable("n0", "swp10", "n2", "ens1") + "," + cable("n2", "ens0", "n0", "swp9s1") + "," +
      cable("n0", "swp9s0", "n1", "swp1") + "," + cable("n1", "swp2", "n0", "swp2") + "]}]}]";
  ASSERT_TRUE(looks_like_netq_graph(text));
  const Network network = read_netq_graph(text, "graph");
  ASSERT_EQ(network.router_count(), 2U);
  EXPECT_EQ(network.router_name(RouterId(0)), "leaf");
  EXPECT_EQ(network.port_count(RouterId(0)), 4U);
  std::vector<std::string> all;
  for (const ChannelId c : network.channels()) {
    all.push_back(fmt::format("{}[{}] {}[{}]", network.router_name(network.source(c)), network.source_port(c),
                              network.router_name(network.target(c)), network.target_port(c)));
  }
  for (const TerminalId t : network.terminals()) {
    all.push_back(fmt::format("{}[{}/{}] {}[{}]", network.terminal_name(t), network.terminal_adapter_port(t),
                              network.terminal_adapter_ports(t), network.router_name(network.router_of(t)),
                              network.terminal_port(t)));
  }
  std::sort(all.begin(), all.end());
  // Of the leaf: swp2, swp9s0, swp9s1, swp10.
  EXPECT_THAT(all, ElementsAre("host[1/2] leaf[3]", "host[2/2] leaf[4]", "leaf[1] stray[2]",
                               "leaf[2] stray[1]", "stray[1] leaf[2]", "stray[2] leaf[1]"));
}

/// The sample of topograph's tests, counted by its own "size" members.
TEST(NetqGraph, ReadsTheGraphOfARealFabric) {
  const std::string path = std::string(UNKNOT_SHARED_DIR) + "/data/topograph/topologyGraph.json";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no sample data";
  const Network network = read_netq_graph(read_file(path), path);
  const auto document = nlohmann::json::parse(read_file(path));
  std::map<std::string, std::string> names;
  std::map<std::string, int> tiers;
  for (const auto& group : document[0]["nodes"]) {
    for (const auto& node : group["compounded_nodes"]) {
      names[node["id"]] = node["name"];
      tiers[node["id"]] = node["tier"];
    }
  }
  std::map<std::pair<std::string, std::string>, std::size_t> stated;
  for (const auto& link : document[0]["links"]) {
    std::string a = link["src"];
    std::string b = link["target"];
    if (tiers[a] == -1) std::swap(a, b);
    if (tiers[b] != -1) stated[{names[b], names[a]}] += link["size"].get<std::size_t>();
    stated[{names[a], names[b]}] += link["size"].get<std::size_t>();
  }
  std::map<std::pair<std::string, std::string>, std::size_t> found;
  for (const ChannelId c : network.channels()) {
    ++found[{network.router_name(network.source(c)), network.router_name(network.target(c))}];
  }
  for (const TerminalId t : network.terminals()) {
    ++found[{network.router_name(network.router_of(t)), network.terminal_name(t)}];
  }
  EXPECT_EQ(found, stated);
}

}  // namespace
}  // namespace unknot
