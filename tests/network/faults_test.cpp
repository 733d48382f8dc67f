// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/faults.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "refusal.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

std::string faults_refusal(const Network& net, std::string_view text) {
  return refusal([&] { (void)parse_faults(net, text); });
}

template <class Id>
std::vector<std::uint32_t> numbers(const std::vector<Id>& ids) {
  std::vector<std::uint32_t> values;
  values.reserve(ids.size());
  for (const Id id : ids) values.push_back(id.value);
  return values;
}

using Numbers = std::vector<std::uint32_t>;

/// Two routers with a two-port and a one-port adapter, an aggregation node, names that repeat.
Network labelled() {
  NetworkBuilder builder;
  builder.add_routers(3);
  builder.add_cable(RouterId(0), 7, RouterId(1), 9, link_rate_from("4xNDR"));
  builder.add_cable(RouterId(1), 2, RouterId(2), 3, link_rate_from("4xHDR"));
  builder.add_terminal(RouterId(0), 1);
  builder.add_terminal(RouterId(0), 2);
  builder.add_terminal(RouterId(2), 5);
  Labels& labels = builder.labels();
  labels.router_name = {"leaf", "spine", "leaf"};
  labels.router_guid = {0xa0, 0xa1, 0xa2};
  labels.router_lid = {10, 11, 12};
  labels.router_ports = {40, 41, 42};
  labels.terminal_name = {"node01 HCA-1", "node01 HCA-1", "node02"};
  labels.terminal_node_guid = {0xb0, 0xb0, 0xb8};
  labels.terminal_port_guid = {0xb1, 0xb2, 0xb9};
  labels.terminal_lid = {1, 2, 3};
  labels.terminal_adapter_port = {1, 2, 1};
  labels.terminal_adapter_ports = {2, 2, 1};
  labels.terminal_rate = {link_rate_from("4xNDR"), link_rate_from("4xNDR"), link_rate_from("2xNDR")};
  labels.service_nodes = {{RouterId(0), 41, 0xc0, 0xc1, 20, 0, "agg0"},
                          {RouterId(2), 43, 0xc2, 0xc3, 21, 0, "agg2"}};
  builder.set_levels({0, 1, 0});
  builder.set_description("labelled");
  return std::move(builder).build();
}

TEST(Faults, CablesAreNamedByBothEnds) {
  NetworkBuilder builder;
  builder.add_routers(3);
  builder.add_cable(RouterId(0), 1, RouterId(1), 5);
  builder.add_cable(RouterId(0), 2, RouterId(1), 6);
  builder.add_cable(RouterId(1), 7, RouterId(2), 1);
  builder.labels().router_name = {"leaf-4", "spine", "leaf"};
  const Network net = std::move(builder).build();
  const auto channels = [&](std::string_view text) { return numbers(parse_faults(net, text).channels); };
  EXPECT_EQ(channels("cables=leaf-4:2-spine:6"), (Numbers{1, 3}));
  EXPECT_EQ(channels("cables=leaf-4-spine"), (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(channels("cables=0-1"), channels("cables=leaf-4-spine"));
  EXPECT_EQ(channels("cables=spine-leaf-4:1"), (Numbers{0, 2}));
  EXPECT_EQ(channels("channels=spine-leaf"), (Numbers{4}));
  EXPECT_EQ(channels("cables=leaf-4:1+spine-leaf"), (Numbers{0, 2, 4, 5}));
  EXPECT_NE(faults_refusal(net, "cables=leaf-4-leaf").find("no cable joins"), std::string::npos);
  EXPECT_NE(faults_refusal(net, "cables=leaf-4:1-spine:6").find("no cable joins"), std::string::npos);
  EXPECT_NE(faults_refusal(net, "cables=leaf-5:1-spine:6"), "");
}

TEST(Faults, LabelsSurviveForWhatRemains) {
  const Network net = labelled();
  const Network left = with_faults(net, parse_faults(net, "routers=0"));
  ASSERT_EQ(left.router_count(), 2U);
  ASSERT_EQ(left.terminal_count(), 1U);
  ASSERT_EQ(left.channel_count(), 2U);
  EXPECT_EQ(left.router_name(RouterId(0)), "spine");
  EXPECT_EQ(left.router_guid(RouterId(1)), 0xa2U);
  EXPECT_EQ(left.router_lid(RouterId(1)), 12U);
  EXPECT_EQ(left.port_count(RouterId(1)), 42);
  EXPECT_EQ(left.terminal_name(TerminalId(0)), "node02");
  EXPECT_EQ(left.terminal_node_guid(TerminalId(0)), 0xb8U);
  EXPECT_EQ(left.terminal_port_guid(TerminalId(0)), 0xb9U);
  EXPECT_EQ(left.terminal_lid(TerminalId(0)), 3U);
  EXPECT_EQ(left.terminal_port(TerminalId(0)), 5);
  EXPECT_EQ(left.terminal_rate(TerminalId(0)), link_rate_from("2xNDR"));
  EXPECT_EQ(left.channel_rate(ChannelId(0)), link_rate_from("4xHDR"));
  EXPECT_EQ(left.source_port(ChannelId(0)), 2);
  EXPECT_EQ(left.target_port(ChannelId(0)), 3);
  ASSERT_EQ(left.labels().service_nodes.size(), 1U);
  EXPECT_EQ(left.labels().service_nodes[0].router, RouterId(1));
  EXPECT_EQ(left.labels().service_nodes[0].name, "agg2");
  EXPECT_EQ(left.levels()[0], 1U);
  EXPECT_EQ(left.levels()[1], 0U);
  EXPECT_NE(left.description().find("labelled"), std::string::npos);
}

TEST(Faults, SystematicNamesAndAddressesStayTheOriginals) {
  const Network net = make_network("torus:4x4,p=2");
  const Network left = with_faults(net, parse_faults(net, "routers=3+7,terminals=0,cables=20"));
  std::map<std::uint64_t, RouterId> original;
  for (const RouterId r : net.routers()) original[net.router_guid(r)] = r;
  ASSERT_EQ(left.router_count(), 14U);
  EXPECT_EQ(left.terminal_count(), 27U);
  for (const RouterId r : left.routers()) {
    const RouterId was = original.at(left.router_guid(r));
    EXPECT_EQ(left.router_name(r), net.router_name(was));
    EXPECT_EQ(left.router_lid(r), net.router_lid(was));
    EXPECT_EQ(left.port_count(r), net.port_count(was));
    for (std::uint32_t d = 0; d < 2; ++d) {
      EXPECT_EQ(left.coordinates()->value[r.value * 2 + d], net.coordinates()->value[was.value * 2 + d]);
    }
    // Each port leads where it led.
    for (const ChannelId c : left.out(r)) {
      const ChannelId then = net.channel_at(was, left.source_port(c));
      ASSERT_TRUE(then.valid());
      EXPECT_EQ(left.router_name(left.target(c)), net.router_name(net.target(then)));
      EXPECT_EQ(left.target_port(c), net.target_port(then));
    }
    for (const TerminalId t : left.terminals_at(r)) {
      const TerminalId then = net.terminal_at(was, left.terminal_port(t));
      EXPECT_EQ(left.terminal_lid(t), net.terminal_lid(then));
      EXPECT_EQ(left.terminal_name(t), net.terminal_name(then));
      EXPECT_EQ(left.terminal_port_guid(t), net.terminal_port_guid(then));
    }
  }
  EXPECT_TRUE(left.coordinates()->wraps);
}

TEST(Faults, NoFaultsChangeNoAddress) {
  for (const Topology& row : topologies()) {
    const Network net = make_network(row.examples[0]);
    EXPECT_EQ(with_faults(net, {}).fingerprint(), net.fingerprint()) << row.name;
  }
}

TEST(Faults, ACableFailsBothWaysAChannelOne) {
  const Network net = make_network("ring:4");
  const Faults cable = parse_faults(net, "cables=S-1:1");
  ASSERT_EQ(cable.channels.size(), 2U);
  EXPECT_EQ(net.reverse(cable.channels[0]), cable.channels[1]);
  EXPECT_EQ(with_faults(net, cable).channel_count(), 6U);

  const Faults channel = parse_faults(net, "channels=1:1");
  ASSERT_EQ(channel.channels.size(), 1U);
  const Network left = with_faults(net, channel);
  EXPECT_EQ(left.channel_count(), 7U);
  const ChannelId rest = left.channel_at(RouterId(2), 2);
  ASSERT_TRUE(rest.valid());
  EXPECT_FALSE(left.reverse(rest).valid());
}

TEST(Faults, ThingsHaveNumbersNamesAndGuids) {
  const Network net = labelled();
  EXPECT_EQ(numbers(parse_faults(net, "routers=2+spine+0xa0").routers), (Numbers{0, 1, 2}));
  EXPECT_EQ(numbers(parse_faults(net, "routers=1+1+spine").routers), (Numbers{1}));
  EXPECT_EQ(numbers(parse_faults(net, "terminals=node01 HCA-1").terminals), (Numbers{0, 1}));
  EXPECT_EQ(numbers(parse_faults(net, "terminals=0xb0").terminals), (Numbers{0, 1}));
  EXPECT_EQ(numbers(parse_faults(net, "terminals=0xb2").terminals), (Numbers{1}));
  EXPECT_EQ(numbers(parse_faults(net, "cables=spine:2").channels),
            numbers(parse_faults(net, "cables=0xa2:3").channels));
  EXPECT_EQ(faults_refusal(net, "routers=leaf"),
            "--fail, routers: routers 0 and 2 are both called 'leaf'; use the number or GUID");
  EXPECT_EQ(faults_refusal(net, "routers=spin"),
            "--fail, routers: no router is called 'spin'; did you mean 'spine'?");
  EXPECT_EQ(faults_refusal(net, "routers=3"), "--fail, routers: there is no router 3, the network has 3");
  EXPECT_EQ(faults_refusal(net, "routers=1++2"), "--fail, routers: empty item (expected a+b+c)");
  EXPECT_EQ(faults_refusal(net, "cables=spine:17"),
            "--fail, cables: spine has no cable to a router on port 17");
  EXPECT_EQ(faults_refusal(net, "cables=spine:x"), "--fail, cables: 'x' is not a port number");
  EXPECT_EQ(faults_refusal(net, "cables=spine"),
            "--fail, cables: expected the number of a channel, ROUTER:PORT or ROUTER-ROUTER, not 'spine'");
  EXPECT_EQ(faults_refusal(net, "cables=4"), "--fail, cables: there is no channel 4, the network has 4");
  EXPECT_EQ(faults_refusal(net, "terminals=node03"),
            "--fail, terminals: no terminal is called 'node03'; did you mean 'node02'?");
  EXPECT_EQ(faults_refusal(net, "router=1"),
            "--fail has no parameter 'router'; did you mean 'routers' or 'router-rate' or 'router-count'?");
  EXPECT_NE(faults_refusal(net, ""), "");
  EXPECT_NE(faults_refusal(net, "cable-rate=1.5"), "");
  EXPECT_EQ(faults_refusal(net, "cable-rate=0.5,cable-count=1"),
            "--fail: give cable-count or cable-rate, not both");
  EXPECT_EQ(faults_refusal(net, "routers=0,router-count=3"),
            "--fail, router-count: only 2 are left to choose from, not 3");
}

TEST(Faults, RandomFaultsAreSeededExactInNumberAndNested) {
  const Network net = make_network("torus:8x8,p=2");
  const Faults few = parse_faults(net, "cable-rate=0.05,router-count=2,terminal-rate=0.1,seed=7");
  EXPECT_EQ(few.channels.size(), 2U * 6U);  // 128 cables
  EXPECT_EQ(few.routers.size(), 2U);
  EXPECT_EQ(few.terminals.size(), 13U);  // of 128
  const Faults again = parse_faults(net, "seed=7,terminal-rate=0.1,router-count=2,cable-rate=0.05");
  EXPECT_EQ(numbers(few.channels), numbers(again.channels));
  EXPECT_EQ(numbers(few.routers), numbers(again.routers));
  const Faults many = parse_faults(net, "cable-rate=0.2,router-count=9,seed=7");
  EXPECT_TRUE(
      std::includes(many.channels.begin(), many.channels.end(), few.channels.begin(), few.channels.end()));
  EXPECT_TRUE(
      std::includes(many.routers.begin(), many.routers.end(), few.routers.begin(), few.routers.end()));
  const Faults other = parse_faults(net, "cable-rate=0.05,router-count=2,terminal-rate=0.1,seed=8");
  EXPECT_NE(numbers(few.channels), numbers(other.channels));
  for (const ChannelId c : few.channels) {
    EXPECT_TRUE(std::binary_search(few.channels.begin(), few.channels.end(), net.reverse(c)));
  }
  EXPECT_EQ(parse_faults(net, "cable-rate=1").channels.size(), net.channel_count());
  EXPECT_EQ(parse_faults(net, "routers=5,router-count=63").routers.size(), 64U);
  EXPECT_EQ(with_faults(net, parse_faults(net, "router-rate=1")).router_count(), 0U);
}

TEST(Faults, CanBeAppliedTwice) {
  const Network net = make_network("kautz:b=2,n=3,terminals=40");
  const Network once = with_faults(net, parse_faults(net, "routers=2+5"));
  const Network twice = with_faults(once, parse_faults(once, "routers=S-9"));
  const Network direct = with_faults(net, parse_faults(net, "routers=2+5+9"));
  EXPECT_EQ(twice.fingerprint(), direct.fingerprint());
}

}  // namespace
}  // namespace unknot
