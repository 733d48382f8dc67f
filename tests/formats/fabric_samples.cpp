// SPDX-License-Identifier: Apache-2.0
#include "formats/fabric_samples.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "unknot/network/builder.hpp"

namespace unknot::test {
namespace {

Network one_router() {
  NetworkBuilder builder;
  const RouterId r = builder.add_router();
  builder.add_terminal(r);
  builder.add_terminal(r);
  return std::move(builder).build();
}

Network ring_without_terminals() {
  NetworkBuilder builder;
  builder.add_routers(4);
  for (std::uint32_t i = 0; i < 4; ++i) builder.add_cable(RouterId(i), RouterId((i + 1) % 4));
  return std::move(builder).build();
}

Network mesh_with_coordinates() {
  NetworkBuilder builder;
  builder.add_routers(6);
  Coordinates at;
  at.dimensions = 2;
  at.extent = {2, 3};
  for (std::uint32_t i = 0; i < 6; ++i) {
    at.value.push_back(i / 3);
    at.value.push_back(i % 3);
    builder.add_terminal(RouterId(i));
    if (i % 3 != 2) builder.add_cable(RouterId(i), RouterId(i + 1));
    if (i < 3) builder.add_cable(RouterId(i), RouterId(i + 3));
  }
  builder.set_coordinates(at);
  builder.set_description("mesh:2x3");
  return std::move(builder).build();
}

Network parallel_cables() {
  NetworkBuilder builder;
  builder.add_routers(3);
  for (const std::uint32_t other : {1U, 2U, 1U, 2U, 2U}) builder.add_cable(RouterId(0), RouterId(other));
  for (std::uint32_t r = 1; r < 3; ++r) builder.add_terminal(RouterId(r));
  builder.set_levels({1, 0, 0});
  return std::move(builder).build();
}

Network one_way_ring() {
  NetworkBuilder builder;
  builder.add_routers(3);
  for (std::uint32_t i = 0; i < 3; ++i) {
    builder.add_terminal(RouterId(i));
    builder.add_channel(RouterId(i), RouterId((i + 1) % 3));
  }
  builder.add_cable(RouterId(0), RouterId(1));
  return std::move(builder).build();
}

/// As a reader of a real dump makes it: everything labelled, gaps in the ports, a two-port adapter on two
/// switches, aggregation nodes, names with anything in them.
Network labelled() {
  NetworkBuilder builder;
  Labels& labels = builder.labels();
  builder.add_routers(2);
  labels.router_name = {R"(MF0;leaf "1":X/U1)", "spine # 2, lid 9 lmc 1"};
  labels.router_guid = {0xb8599f0300000040, 0x7};
  labels.router_lid = {40, 0xBFFF};
  labels.router_ports = {41, 65};
  const LinkRate ndr = link_rate_from("4xNDR");
  builder.add_cable(RouterId(0), 7, RouterId(1), 60, ndr);
  builder.add_cable(RouterId(0), 3, RouterId(1), 65, link_rate_from("12xSDR"));
  builder.add_cable(RouterId(0), 9, RouterId(1), 1);
  struct End {
    std::uint32_t router;
    std::uint16_t router_port;
    std::string name;
    std::uint64_t node_guid, port_guid;
    std::uint32_t lid;
    std::uint16_t port, ports;
    LinkRate rate;
  };
  const std::vector<End> ends{
      {0, 1, "node \t x=1, b\xC3\xBC", 0x100, 0x100, 1, 1, 1, ndr},
      {0, 2, "two ports", 0x200, 0x201, 2, 1, 2, ndr},
      {0, 30, "three ports, two in use; [1] \"S-0\"[1]", 0x300, 0x303, 4, 3, 3, 0},
      {1, 2, "two ports", 0x200, 0x202, 3, 2, 2, link_rate_from("1xXDR")},
      {1, 3, "three ports, two in use; [1] \"S-0\"[1]", 0x300, 0x302, 5, 2, 3, ndr},
      {1, 4, "node \t x=1, b\xC3\xBC", 0x400, 0x401, 6, 1, 1, ndr},
  };
  for (const End& end : ends) {
    builder.add_terminal(RouterId(end.router), end.router_port);
    labels.terminal_name.push_back(end.name);
    labels.terminal_node_guid.push_back(end.node_guid);
    labels.terminal_port_guid.push_back(end.port_guid);
    labels.terminal_lid.push_back(end.lid);
    labels.terminal_adapter_port.push_back(end.port);
    labels.terminal_adapter_ports.push_back(end.ports);
    labels.terminal_rate.push_back(end.rate);
  }
  labels.service_nodes = {
      {RouterId(0), 41, 0xA000, 0xA001, 70, ndr, "Mellanox Technologies Aggregation Node"},
      {RouterId(1), 64, 0xA010, 0xA011, 0, 0, "Mellanox Technologies Aggregation Node"}};
  return std::move(builder).build();
}

/// Service nodes on a network that has no labels otherwise.
Network plain_with_service() {
  NetworkBuilder builder;
  builder.add_routers(2);
  builder.add_cable(RouterId(0), RouterId(1));
  builder.add_terminal(RouterId(0));
  builder.add_terminal(RouterId(1));
  builder.labels().service_nodes = {{RouterId(1), 5, 0xA000, 0xA001, 0, 0, "Aggregation Node"}};
  return std::move(builder).build();
}

std::string rate_text(LinkRate rate) {
  return link_rate_names()[rate];
}

}  // namespace

const std::vector<Sample>& fabric_samples() {
  static const std::vector<Sample> samples = [] {
    std::vector<Sample> all;
    all.push_back({"one router", one_router()});
    all.push_back({"ring without terminals", ring_without_terminals()});
    all.push_back({"mesh with coordinates", mesh_with_coordinates()});
    all.push_back({"parallel cables", parallel_cables()});
    all.push_back({"one-way ring", one_way_ring()});
    all.push_back({"labelled", labelled()});
    all.push_back({"plain with service", plain_with_service()});
    return all;
  }();
  return samples;
}

const FabricFormat& fabric_format(const std::string& name) {
  for (const FabricFormat& format : fabric_formats()) {
    if (format.name == name) return format;
  }
  throw std::logic_error("no format " + name);
}

bool holds_one_way(const FabricFormat& format) {
  return format.name == "json" || format.name == "graphml" || format.name == "dot";
}

bool keeps_all(const FabricFormat& format) {
  return format.name != "anynet" && format.name != "net_dump" && format.name != "floogen";
}

void expect_same_wiring(const Network& a, const Network& b) {
  ASSERT_EQ(a.router_count(), b.router_count());
  ASSERT_EQ(a.terminal_count(), b.terminal_count());
  ASSERT_EQ(a.channel_count(), b.channel_count());
  for (const RouterId r : a.routers()) {
    EXPECT_EQ(a.router_name(r), b.router_name(r));
    EXPECT_EQ(a.router_guid(r), b.router_guid(r));
    EXPECT_EQ(a.router_lid(r), b.router_lid(r));
    EXPECT_EQ(a.port_count(r), b.port_count(r));
  }
  for (const ChannelId c : a.channels()) {
    EXPECT_EQ(a.source(c), b.source(c));
    EXPECT_EQ(a.target(c), b.target(c));
    EXPECT_EQ(a.source_port(c), b.source_port(c));
    EXPECT_EQ(a.target_port(c), b.target_port(c));
  }
  for (const TerminalId t : a.terminals()) {
    EXPECT_EQ(a.router_of(t), b.router_of(t));
    EXPECT_EQ(a.terminal_port(t), b.terminal_port(t));
    EXPECT_EQ(a.terminal_name(t), b.terminal_name(t));
    EXPECT_EQ(a.terminal_port_guid(t), b.terminal_port_guid(t));
    EXPECT_EQ(a.terminal_lid(t), b.terminal_lid(t));
  }
}

void expect_same(const Network& a, const Network& b) {
  ASSERT_NO_FATAL_FAILURE(expect_same_wiring(a, b));
  EXPECT_EQ(a.fingerprint(), b.fingerprint());
  for (const ChannelId c : a.channels()) {
    EXPECT_EQ(a.reverse(c), b.reverse(c));
    EXPECT_EQ(rate_text(a.channel_rate(c)), rate_text(b.channel_rate(c)));
  }
  for (const TerminalId t : a.terminals()) {
    EXPECT_EQ(a.terminal_node_guid(t), b.terminal_node_guid(t));
    EXPECT_EQ(a.terminal_adapter_port(t), b.terminal_adapter_port(t));
    EXPECT_EQ(a.terminal_adapter_ports(t), b.terminal_adapter_ports(t));
    EXPECT_EQ(rate_text(a.terminal_rate(t)), rate_text(b.terminal_rate(t)));
  }
  const auto& x = a.labels().service_nodes;
  const auto& y = b.labels().service_nodes;
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(x[i].router, y[i].router);
    EXPECT_EQ(x[i].router_port, y[i].router_port);
    EXPECT_EQ(x[i].node_guid, y[i].node_guid);
    EXPECT_EQ(x[i].port_guid, y[i].port_guid);
    EXPECT_EQ(x[i].lid, y[i].lid);
    EXPECT_EQ(rate_text(x[i].rate), rate_text(y[i].rate));
    EXPECT_EQ(x[i].name, y[i].name);
  }
}

std::vector<std::string> facts(const Network& network) {
  std::vector<std::string> all;
  for (const RouterId r : network.routers()) {
    all.push_back(fmt::format("router {:x} '{}' lid {} ports {}", network.router_guid(r),
                              network.router_name(r), network.router_lid(r), network.port_count(r)));
  }
  for (const ChannelId c : network.channels()) {
    all.push_back(fmt::format("channel {:x}[{}] {:x}[{}]", network.router_guid(network.source(c)),
                              network.source_port(c), network.router_guid(network.target(c)),
                              network.target_port(c)));
  }
  for (const TerminalId t : network.terminals()) {
    all.push_back(fmt::format("terminal {:x}[{}/{}] {:x} '{}' lid {} on {:x}[{}]",
                              network.terminal_node_guid(t), network.terminal_adapter_port(t),
                              network.terminal_adapter_ports(t), network.terminal_port_guid(t),
                              network.terminal_name(t), network.terminal_lid(t),
                              network.router_guid(network.router_of(t)), network.terminal_port(t)));
  }
  for (const ServiceNode& node : network.labels().service_nodes) {
    all.push_back(fmt::format("service {:x} {:x} '{}' lid {} on {:x}[{}]", node.node_guid, node.port_guid,
                              node.name, node.lid, network.router_guid(node.router), node.router_port));
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace unknot::test
