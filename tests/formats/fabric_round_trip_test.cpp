// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "formats/fabric_samples.hpp"
#include "unknot/formats/fabric/ibsim_net.hpp"
#include "unknot/formats/fabric/native_json.hpp"
#include "unknot/formats/graph/graph_golf.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using test::expect_same;
using test::fabric_format;
using test::fabric_samples;
using testing::HasSubstr;
using testing::ThrowsMessage;

bool one_way(const Network& network) {
  const auto channels = network.channels();
  return std::any_of(channels.begin(), channels.end(),
                     [&](ChannelId c) { return !network.reverse(c).valid(); });
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  for (std::size_t at = text.find(from); at != std::string_view::npos; at = text.find(from)) {
    result += text.substr(0, at);
    result += to;
    text.remove_prefix(at + from.size());
  }
  result += text;
  return result;
}

/// The text formats put a blank for the tab in a name.
Network with_blanks(const Network& network) {
  return read_native_json(replaced(write_native_json(network), "\\t", " "), "blanks");
}

TEST(FabricFormats, EveryReadableAndWritableFormatGivesTheNetworkBack) {
  for (const FabricFormat& format : fabric_formats()) {
    if (!format.read || !format.write || !test::keeps_all(format)) continue;
    for (const auto& sample : fabric_samples()) {
      SCOPED_TRACE(format.name + ": " + sample.name);
      if (!test::holds_one_way(format) && one_way(sample.network)) {
        EXPECT_THAT([&] { format.write(sample.network); }, ThrowsMessage<InputError>(HasSubstr("one-way")));
        continue;
      }
      const std::string text = format.write(sample.network);
      EXPECT_TRUE(format.recognises(text));
      const Network back = format.read(text, "sample");
      expect_same(with_blanks(sample.network), with_blanks(back));
      EXPECT_EQ(format.write(back), format.write(format.read(format.write(back), "sample")));
    }
  }
}

TEST(FabricFormats, KeepTheLmcOrSayThatTheyDoNot) {
  const Network network = read_fabric_text(
      R"({"format": "unknot-network", "version": 1, "routers": 1, "cables": [], "terminals": [[0, 1], [0, 2]],
          "terminal_lid": [8, 16], "router_lid": [24], "lmc": 2})",
      "fabric");
  std::size_t kept = 0;
  for (const FabricFormat& format : fabric_formats()) {
    if (!format.write || !format.read) continue;
    std::string text;
    try {
      text = format.write(network);
    } catch (const InputError&) {
      continue;  // holds no such network
    }
    EXPECT_EQ(format.read(text, "again").labels().lmc, format.holds_lmc ? 2 : 0) << format.name;
    kept += format.holds_lmc ? 1 : 0;
  }
  EXPECT_EQ(kept, 4U);
}

TEST(FabricFormats, IbnetdiscoverTextIsAFixedPoint) {
  const FabricFormat& format = fabric_format("ibnetdiscover");
  for (const auto& sample : fabric_samples()) {
    if (one_way(sample.network)) continue;
    const std::string text = format.write(sample.network);
    EXPECT_EQ(format.write(format.read(text, "sample")), text) << sample.name;
  }
}

TEST(FabricFormats, NoTextIsOfTwoFormats) {
  for (const FabricFormat& writer : fabric_formats()) {
    if (!writer.write) continue;
    for (const auto& sample : fabric_samples()) {
      std::string text;
      try {
        text = writer.write(sample.network);
      } catch (const InputError&) {
        continue;  // the format cannot hold it
      }
      for (const FabricFormat& reader : fabric_formats()) {
        if (!reader.read) continue;
        EXPECT_EQ(reader.recognises(text), reader.name == writer.name)
            << writer.name << " seen by " << reader.name;
      }
    }
  }
}

TEST(NativeJson, KeepsWhatNoOtherFormatHolds) {
  for (const auto& sample : fabric_samples()) {
    SCOPED_TRACE(sample.name);
    const Network& a = sample.network;
    const std::string text = write_native_json(a);
    const Network b = read_native_json(text, "sample");
    expect_same(a, b);
    EXPECT_EQ(write_native_json(b), text);
    EXPECT_EQ(a.description(), b.description());
    EXPECT_TRUE(std::equal(a.levels().begin(), a.levels().end(), b.levels().begin(), b.levels().end()));
    ASSERT_EQ(a.coordinates() == nullptr, b.coordinates() == nullptr);
    if (a.coordinates() != nullptr) {
      EXPECT_EQ(a.coordinates()->value, b.coordinates()->value);
      EXPECT_EQ(a.coordinates()->extent, b.coordinates()->extent);
      EXPECT_EQ(a.coordinates()->wraps, b.coordinates()->wraps);
    }
    // Labels that are not there stay away.
    EXPECT_EQ(a.labels().router_name, b.labels().router_name);
    EXPECT_EQ(a.labels().router_ports, b.labels().router_ports);
    EXPECT_EQ(a.labels().terminal_lid, b.labels().terminal_lid);
    EXPECT_EQ(a.labels().terminal_rate, b.labels().terminal_rate);
    EXPECT_EQ(a.labels().channel_rate, b.labels().channel_rate);
  }
}

TEST(IbsimNet, CountsGuidsAsTheSimulatorDoes) {
  const Network net = read_ibsim_net(
      "# one switch, two adapters\n"
      "Hca 2 \"h0\"   # left host\n[2] \"s0\"[5]\n\n"
      "Switch\t8 \"s0\"\n[1]\t\"h1\"\n[5]\t\"h0\"[2]\tw=4 s=7\n\n"
      "caguid+0x100\nCa 1 \"h1\" # \"right host\"\n[1] \"s0\"[1]\n",
      "net");
  ASSERT_EQ(net.terminal_count(), 2U);
  EXPECT_EQ(net.router_guid(RouterId(0)), 0x200000U);
  EXPECT_EQ(net.port_count(RouterId(0)), 8U);
  // Port 1 first.
  EXPECT_EQ(net.terminal_name(TerminalId(0)), "right host");
  EXPECT_EQ(net.terminal_node_guid(TerminalId(0)), 0x100100U);
  EXPECT_EQ(net.terminal_port_guid(TerminalId(0)), 0x100101U);
  EXPECT_EQ(net.terminal_name(TerminalId(1)), "left host");
  EXPECT_EQ(net.terminal_node_guid(TerminalId(1)), 0x100000U);
  EXPECT_EQ(net.terminal_port_guid(TerminalId(1)), 0x100002U);
  EXPECT_EQ(net.terminal_adapter_port(TerminalId(1)), 2U);
}

TEST(IbsimNet, OneEndIsEnough) {
  const Network net = read_ibsim_net(
      "module \"rack\"\nSwitch 3 \"a\"\n[1] \"h\"\n[2] \"b\"[2]\n\nSwitch 3 \"b\"\n[3] \"rack#a\"[3]\n\nHca "
      "1 \"h\"\n",
      "net");
  EXPECT_EQ(net.channel_count(), 4U);
  EXPECT_EQ(net.router_name(RouterId(1)), "rack#b");
  EXPECT_EQ(net.terminal_name(TerminalId(0)), "rack#h");
}

TEST(IbsimNet, ReadsIncludedFiles) {
  const std::string folder = std::string(UNKNOT_TEST_DATA) + "/fabrics/";
  const Network net =
      read_ibsim_net("include \"two-hosts.net\"\nSwitch 2 \"s\"\n[1] \"h0\"\n[2] \"h1\"\n", folder + "x.net");
  EXPECT_EQ(net.terminal_count(), 2U);
}

TEST(Ibnetdiscover, ReadsListingsByChassis) {
  const Network net =
      fabric_format("ibnetdiscover")
          .read(
              "# Topology file: generated on a day\n\nChassis 1 (guid 0x20)\nHostname: box\n\n# Spine Nodes\n"
              "vendid=0x2c9\ndevid=0xb924\nsysimgguid=0x20\t\t# Chassis 1\n"
              "switchguid=0x20(20)\t# ISR9024 Spine 1\n"
              "Switch\t24 \"S-0000000000000020\"\t\t# \"spine \"A\"\" base port 0 lid 3 lmc 0\n"
              "[1][ext 13]\t\"H-0000000000000010\"[1](11) \t\t# \"n1\" lid 4 4xSDR s=1 w=2 v=4\n\n"
              "caguid=0x10\nCa\t2 \"H-0000000000000010\"\t\t# \"n1\" (scp)\n"
              "[1](11) \t\"S-0000000000000020\"[1][ext 13]\t\t# lid 4 lmc 0 \"spine \"A\"\" lid 3 4xSDR\r\n",
              "net");
  ASSERT_EQ(net.terminal_count(), 1U);
  EXPECT_EQ(net.router_name(RouterId(0)), "spine \"A\"");
  EXPECT_EQ(net.router_lid(RouterId(0)), 3U);
  EXPECT_EQ(net.terminal_lid(TerminalId(0)), 4U);
  EXPECT_EQ(link_rate_names()[net.terminal_rate(TerminalId(0))], "4xSDR");
}

TEST(Ibnetdiscover, GatewaysAreServiceNodes) {
  const Network net =
      fabric_format("ibnetdiscover")
          .read(
              "switchguid=0x20(20)\nSwitch\t2 \"S-0000000000000020\"\t\t# \"s\" base port 0 lid 3 lmc 0\n"
              "[1]\t\"H-0000000000000010\"[1](11) \t\t# \"n\" lid 4 4xSDR\n"
              "[2]\t\"R-0000000000000030\"[2](32) \t\t# \"to the other subnet\" lid 5 4xSDR\n\n"
              "caguid=0x10\nCa\t1 \"H-0000000000000010\"\t\t# \"n\"\n"
              "[1](11) \t\"S-0000000000000020\"[1]\t\t# lid 4 lmc 0 \"s\" lid 3 4xSDR\n\n"
              "rtguid=0x30\nRt\t2 \"R-0000000000000030\"\t\t# \"to the other subnet\"\n"
              "[2](32) \t\"S-0000000000000020\"[2]\t\t# lid 5 lmc 0 \"s\" lid 3 4xSDR\n",
              "net");
  EXPECT_EQ(net.terminal_count(), 1U);
  ASSERT_EQ(net.labels().service_nodes.size(), 1U);
  EXPECT_EQ(net.labels().service_nodes[0].port_guid, 0x32U);
  EXPECT_EQ(net.labels().service_nodes[0].lid, 5U);
}

TEST(Ibnetdiscover, AMissingLidDropsAll) {
  const std::string whole = fabric_format("ibnetdiscover").write(fabric_samples()[3].network);
  const std::string text = replaced(whole, "lid 5 ", "lid 0 ");
  ASSERT_NE(text, whole);
  const Network net = fabric_format("ibnetdiscover").read(text, "net");
  EXPECT_TRUE(net.labels().router_lid.empty());
  EXPECT_TRUE(net.labels().terminal_lid.empty());
}

TEST(GraphGolf, NamesGridPointsAndPutsATerminalOnEach) {
  const Network net = read_graph_golf("1,0 0,0\r\n# comment\n\n0,1 0,0\n 0,1  1,1 \n", "grid");
  ASSERT_EQ(net.router_count(), 4U);
  EXPECT_EQ(net.terminal_count(), 4U);
  EXPECT_EQ(net.channel_count(), 6U);
  EXPECT_EQ(net.router_name(RouterId(1)), "0,1");
  EXPECT_EQ(net.router_name(RouterId(2)), "1,0");
  for (const TerminalId t : net.terminals()) EXPECT_EQ(net.router_of(t).value, t.value);
}

TEST(SubnetList, ReadsBothEndsAndRates) {
  const std::string s =
      "{ SW Ports:24 SystemGUID:0000000000000020 NodeGUID:0000000000000020 PortGUID:0000000000000020 "
      "VenID:0002C9 "
      "DevID:D2F2 Rev:000000A1 {leaf {1} LID:x} LID:000A PN:11 }";
  const std::string h =
      "{ CA Ports:02 SystemGUID:0000000000000010 NodeGUID:0000000000000010 PortGUID:0000000000000012 "
      "VenID:0002C9 "
      "DevID:1021 Rev:00000000 {node 1} LID:000B PN:02 }";
  const Network net =
      fabric_format("subnet-list")
          .read(s + " " + h + " PHY=4x LOG=ACT SPD=100\n" + h + " " + s + " PHY=4x LOG=ACT SPD=100\n",
                "list");
  ASSERT_EQ(net.terminal_count(), 1U);
  EXPECT_EQ(net.port_count(RouterId(0)), 0x24U);
  EXPECT_EQ(net.router_name(RouterId(0)), "leaf {1} LID:x");
  EXPECT_EQ(net.router_lid(RouterId(0)), 10U);
  EXPECT_EQ(net.terminal_port(TerminalId(0)), 0x11U);
  EXPECT_EQ(net.terminal_port_guid(TerminalId(0)), 0x12U);
  EXPECT_EQ(net.terminal_adapter_port(TerminalId(0)), 2U);
  EXPECT_EQ(net.terminal_lid(TerminalId(0)), 11U);
  EXPECT_EQ(link_rate_names()[net.terminal_rate(TerminalId(0))], "4xNDR");
}

}  // namespace
}  // namespace unknot
