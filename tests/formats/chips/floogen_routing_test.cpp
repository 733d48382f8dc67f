// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "refusal.hpp"
#include "unknot/formats/chips/floogen.hpp"
#include "unknot/formats/chips/floogen_routing.hpp"

namespace unknot {
namespace {

std::string floogen_data(const std::string& name) {
  std::ifstream file(std::string(UNKNOT_TEST_DATA) + "/floogen/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class Id, class Range, class Name>
Id one_called(const Range& all, const std::string& wanted, const Name& name_of_one) {
  const auto found = std::find_if(all.begin(), all.end(), [&](Id id) { return name_of_one(id) == wanted; });
  EXPECT_NE(found, all.end()) << wanted;
  return *found;
}
TerminalId terminal_called(const Network& network, const std::string& name) {
  return one_called<TerminalId>(network.terminals(), name,
                                [&](TerminalId t) { return network.terminal_name(t); });
}
RouterId router_called(const Network& network, const std::string& name) {
  return one_called<RouterId>(network.routers(), name, [&](RouterId r) { return network.router_name(r); });
}

/// FlooGen's number of the port by which a router sends; -1 where it does not.
int floogen_port(const Network& network, const Routing& routing, RouterId r, TerminalId t) {
  if (network.router_of(t) == r) return network.terminal_port(t) - 1;
  const ChannelId c = routing.table().next(network, r, t);
  return c.valid() ? network.source_port(c) - 1 : routing.table().stray_port(r, t) - 1;
}

// What FlooGen (FlooNoC 2fa02eb, with networkx 3.6.1) makes of these files is beside them.
TEST(FloogenRouting, TablesByIdAreThoseOfFloogen) {
  for (const std::string name : {"mesh-id", "ring-id"}) {
    SCOPED_TRACE(name);
    const std::string text = floogen_data(name + ".yml");
    const Network network = read_floogen(text, name);
    const FloogenRouting made = read_floogen_routing(network, text, name);
    EXPECT_EQ(name_of(made.algorithm), "ID");
    const nlohmann::json wanted = nlohmann::json::parse(floogen_data(name + ".json"));
    ASSERT_EQ(wanted.size(), network.router_count());
    for (const auto& [r, row] : wanted.items()) {
      for (const TerminalId t : network.terminals()) {
        const std::string to = network.terminal_name(t);
        EXPECT_EQ(floogen_port(network, made.routing, router_called(network, r), t),
                  network.router_of(t) == router_called(network, r) ? network.terminal_port(t) - 1
                  : row.contains(to)                                ? row[to].get<int>()
                                                                    : -1)
            << r << " to " << to;
      }
    }
  }
}

TEST(FloogenRouting, SourceRoutesAreThoseOfFloogen) {
  for (const std::string name : {"mesh-src", "ring-src"}) {
    SCOPED_TRACE(name);
    const std::string text = floogen_data(name + ".yml");
    const Network network = read_floogen(text, name);
    const FloogenRouting made = read_floogen_routing(network, text, name);
    EXPECT_EQ(name_of(made.algorithm), "SRC");
    const nlohmann::json wanted = nlohmann::json::parse(floogen_data(name + ".json"));
    ASSERT_EQ(wanted.size(), network.terminal_count());
    for (const auto& [s, row] : wanted.items()) {
      for (const auto& [d, ports] : row.items()) {
        const TerminalId from = terminal_called(network, s);
        const TerminalId to = terminal_called(network, d);
        EXPECT_EQ(from != to && made.speak(from, to), !ports.is_null()) << s << " to " << d;
        std::vector<int> found;
        for (const ChannelId c : made.routing.routes()->route(from, to))
          found.push_back(network.source_port(c) - 1);
        if (ports.is_null()) {
          EXPECT_TRUE(found.empty());
          continue;
        }
        found.push_back(network.terminal_port(to) - 1);
        EXPECT_EQ(found, ports.get<std::vector<int>>()) << s << " to " << d;
      }
    }
  }
}

std::string with_algorithm(const std::string& name, const std::string& algorithm) {
  std::string text = floogen_data(name);
  const std::string key = "route_algo: \"";
  const std::size_t at = text.find(key) + key.size();
  return text.replace(at, text.find('"', at) - at, algorithm);
}

// mem_y is to the west of router_0_y. By XY a packet from another row goes west in its own: to another mem,
// or nowhere. By YX it is in the right row before it goes west.
TEST(FloogenRouting, CoordinatesLeadWhereTheyLead) {
  const std::string xy = floogen_data("mesh-xy.yml");
  const Network network = read_floogen(xy, "m");
  const FloogenRouting made = read_floogen_routing(network, xy, "m");
  EXPECT_EQ(name_of(made.algorithm), "XY");
  enum : int { north, east, south, west, eject };
  const auto port = [&](const FloogenRouting& by, const std::string& r, const std::string& t) {
    return floogen_port(network, by.routing, router_called(network, r), terminal_called(network, t));
  };
  EXPECT_EQ(port(made, "router_2_0", "core_0_2"), west);
  EXPECT_EQ(port(made, "router_0_0", "core_0_2"), north);
  EXPECT_EQ(port(made, "router_0_2", "core_0_1"), south);
  EXPECT_EQ(port(made, "router_0_2", "core_0_2"), eject);
  EXPECT_EQ(port(made, "router_0_0", "mem_2"), west);
  const ChannelId none = made.routing.table().next(network, router_called(network, "router_0_0"),
                                                   terminal_called(network, "mem_2"));
  EXPECT_FALSE(none.valid());  // mem_0 is there
  const std::string yx = with_algorithm("mesh-xy.yml", "YXRouting");
  const FloogenRouting other = read_floogen_routing(network, yx, "m");
  EXPECT_EQ(name_of(other.algorithm), "YX");
  EXPECT_EQ(port(other, "router_2_0", "core_0_2"), north);
  EXPECT_EQ(port(other, "router_2_0", "mem_2"), north);
  EXPECT_EQ(port(other, "router_2_2", "mem_2"), west);
}

TEST(FloogenRouting, WhatItCannotBeIsSaid) {
  const std::string mesh = floogen_data("mesh-xy.yml");
  const std::string ring = floogen_data("ring-id.yml");
  const Network on_mesh = read_floogen(mesh, "m");
  const Network on_ring = read_floogen(ring, "r");
  const auto said = [](const Network& network, const std::string& text) {
    return refusal([&] { (void)read_floogen_routing(network, text, "f"); });
  };
  EXPECT_EQ(said(on_mesh, with_algorithm("mesh-xy.yml", "Diagonal")),
            "f:4: route_algo: expected XY, YX, ID or SRC, not 'Diagonal'");
  EXPECT_EQ(
      said(on_mesh, with_algorithm("mesh-xy.yml", "XY_MIRRORED")),
      "f:4: route_algo XY_MIRRORED sends requests and responses on links of their own, one by XY and the "
      "other by YX: expected a file with either");
  EXPECT_EQ(said(on_mesh, "routers: [{name: a}]\nendpoints: [{name: b}]\nconnections: [{src: a, dst: b}]\n"),
            "f:1: no router a in the fabric");
  EXPECT_EQ(said(on_ring, ring.substr(0, ring.find("routing:")) + ring.substr(ring.find("protocols:"))),
            "f: expected 'routing' with 'route_algo', XY, YX, ID or SRC");
  EXPECT_EQ(said(on_ring, with_algorithm("ring-id.yml", "XY")),
            "f:14: route_algo XY takes routers in an array, which a is not");
  std::string undirected = mesh;
  undirected.erase(undirected.rfind(", dst_dir: \"West\""), 17);
  EXPECT_EQ(said(on_mesh, undirected),
            "f:22: route_algo XY needs the direction of mem_0: North, East, South, West or Eject");
  std::string shifted = mesh;
  shifted.insert(shifted.find("  - name: \"mem\"") + 15, "\n    xy_id_offset: {x: -1, y: 0}");
  EXPECT_EQ(said(on_mesh, shifted), "");
  shifted.replace(shifted.find("x: -1"), 5, "x: 1");
  EXPECT_EQ(said(on_mesh, shifted),
            "f:14: route_algo XY leads from router router_0_0 to port 4, and not to mem_0 on it");
}

}  // namespace
}  // namespace unknot
