// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "unknot/formats/graph/graph_text.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

std::uint32_t one_way_links(const Network& network) {
  std::uint32_t count = 0;
  for (const ChannelId c : network.channels()) count += network.reverse(c).valid() ? 0 : 1;
  return count;
}

std::string graphml(const std::string& keys, const std::string& direction, const std::string& body) {
  return "<?xml version='1.0' encoding='utf-8'?>\n<graphml "
         "xmlns=\"http://graphml.graphdrawing.org/xmlns\">" +
         keys + "<graph edgedefault=\"" + direction + "\">" + body + "</graph></graphml>\n";
}

TEST(GraphmlReader, GivesARouterWithATerminalForEachNodeOfAPlainGraph) {
  const Network net = read_graphml(
      graphml("<key id=\"d0\" for=\"node\" attr.name=\"label\" attr.type=\"string\"/>", "undirected",
              "<edge source=\"x\" target=\"y\"/><node id=\"x\"><data key=\"d0\">left</data></node>"
              "<node id=\"y\"/><node id=\"z\"/><edge source=\"z\" target=\"y\"/><edge source=\"x\" "
              "target=\"y\"/>"),
      "plain");
  EXPECT_EQ(net.router_count(), 3U);
  EXPECT_EQ(net.terminal_count(), 3U);
  EXPECT_EQ(net.channel_count(), 6U);
  EXPECT_EQ(one_way_links(net), 0U);
  EXPECT_EQ(net.router_name(RouterId(0)), "left");
  EXPECT_EQ(net.router_name(RouterId(1)), "y");
}

TEST(GraphmlReader, MakesCablesOfArcsBothWays) {
  const Network net =
      read_graphml(graphml("", "directed",
                           "<node id=\"a\"/><node id=\"b\"/><node id=\"c\"/>"
                           "<edge source=\"a\" target=\"b\"/><edge source=\"b\" target=\"c\"/>"
                           "<edge source=\"c\" target=\"a\"/><edge source=\"b\" target=\"a\"/>"
                           "<edge source=\"c\" target=\"b\" directed=\"false\"/>"),
                   "arcs");
  EXPECT_EQ(net.channel_count(), 6U);
  EXPECT_EQ(one_way_links(net), 2U);
}

/// As NetworkX writes a directed multigraph of routers and terminals.
TEST(GraphmlReader, PairsArcsByTheirPorts) {
  const std::string keys =
      "<key id=\"d3\" for=\"edge\" attr.name=\"port\" attr.type=\"long\"/>"
      "<key id=\"d2\" for=\"edge\" attr.name=\"target_port\" attr.type=\"long\"/>"
      "<key id=\"d1\" for=\"edge\" attr.name=\"source_port\" attr.type=\"long\"/>"
      "<key id=\"d0\" for=\"node\" attr.name=\"kind\" attr.type=\"string\"><default>router</default></key>";
  const auto arc = [](const char* from, const char* to, int out, int in) {
    return std::string("<edge source=\"") + from + "\" target=\"" + to + "\"><data key=\"d1\">" +
           std::to_string(out) + "</data><data key=\"d2\"> " + std::to_string(in) + "\n</data></edge>";
  };
  const Network net = read_graphml(
      graphml(keys, "directed",
              "<node id=\"0\"/><node id=\"1\"/><node id=\"2\"><data key=\"d0\">terminal</data></node>" +
                  arc("0", "1", 1, 7) + arc("0", "1", 2, 8) + arc("1", "0", 8, 2) + arc("1", "0", 7, 1) +
                  "<edge source=\"1\" target=\"2\" id=\"out\"><data key=\"d3\">4</data></edge>"
                  "<edge source=\"2\" target=\"1\" id=\"in\"><data key=\"d3\">4</data></edge>"),
      "networkx");
  EXPECT_EQ(net.channel_count(), 4U);
  EXPECT_EQ(one_way_links(net), 0U);
  EXPECT_EQ(net.target_port(net.channel_at(RouterId(0), 1)), 7U);
  ASSERT_EQ(net.terminal_count(), 1U);
  EXPECT_EQ(net.router_of(TerminalId(0)), RouterId(1));
  EXPECT_EQ(net.terminal_port(TerminalId(0)), 4U);
  EXPECT_EQ(net.terminal_name(TerminalId(0)), "2");
}

TEST(DotReader, KnowsWhatGraphvizKnows) {
  const Network net = read_dot(
      "/* a comment\n of two lines */\n# a line of the preprocessor\n"
      "StRiCt GRAPH \"some \\\"name\\\"\" {\n"
      "  rankdir = LR; graph [splines=true] node [shape=box, label=\"a\\nlabel\\\\\"];  // and so on\n"
      "  a:p1:n -- {b c} [weight=2][color=\"#ff0000\"];\n"
      "  a -- b\n"
      "  subgraph cluster_0 { node [label=<<b>html</b>>]; d; -1.5 -- d -- \"b\" }\n"
      "  \"e\" + \"f\" -- subgraph { c d } ; \"long \\\n"
      "name\" -- a\n"
      "}\n",
      "dot");
  // a, b, c, d, -1.5, ef, "long name"
  EXPECT_EQ(net.router_count(), 7U);
  EXPECT_EQ(net.channel_count(), 14U);  // a-b a-c d-(-1.5) d-b ef-c ef-d long-a
  EXPECT_EQ(net.router_name(RouterId(0)), "a label\\");
  EXPECT_EQ(net.router_name(RouterId(3)), "<<b>html</b>>");
  EXPECT_EQ(net.router_name(RouterId(6)), "a label\\");
}

TEST(DotReader, FollowsChainsOfArcs) {
  const Network net = read_dot("digraph { a -> b -> c -> a; b -> a }", "chain");
  EXPECT_EQ(net.router_count(), 3U);
  EXPECT_EQ(net.channel_count(), 4U);
  EXPECT_EQ(one_way_links(net), 2U);
  EXPECT_EQ(net.router_name(RouterId(2)), "c");
}

// A short text must not ask for gigabytes: {a0 a1 ...} -- {b0 b1 ...} are edges by the square.
TEST(DotReader, TakesNoMoreThanAMillionEdgesBetweenSubgraphs) {
  const auto between = [](std::uint32_t a, std::uint32_t b, const std::string& more) {
    std::string text = "graph {\n{ ";
    for (std::uint32_t i = 0; i < a; ++i) text += fmt::format("a{} ", i);
    text += "} -- { ";
    for (std::uint32_t i = 0; i < b; ++i) text += fmt::format("b{} ", i);
    return read_dot(text + "}" + more + "\n}", "square");
  };
  EXPECT_EQ(between(40, 30, "").channel_count(), 2400U);
  try {
    (void)between(1000, 1000, " -- {c d}");
    FAIL() << "took them all";
  } catch (const InputError& refused) {
    EXPECT_NE(std::string(refused.what()).find("more than 1000000 edges between subgraphs"),
              std::string::npos)
        << refused.what();
  }
}

TEST(DotReader, TakesDefaultsFromWhereTheyWereGiven) {
  const Network net = read_dot(
      "graph { node [kind=router]; edge [label=\"4xHDR\"]; a -- b; { node [kind=terminal]; t; u } a -- t; u "
      "-- b; c -- b [label=\"4xNDR\"] }",
      "defaults");
  EXPECT_EQ(net.router_count(), 3U);
  EXPECT_EQ(net.terminal_count(), 2U);
  EXPECT_EQ(link_rate_names()[net.channel_rate(net.out(RouterId(0))[0])], "4xHDR");
  EXPECT_EQ(link_rate_names()[net.channel_rate(net.out(RouterId(2))[0])], "4xNDR");
  EXPECT_EQ(link_rate_names()[net.terminal_rate(TerminalId(0))], "4xHDR");
}

TEST(AnynetReader, NumbersPortsAsBookSimDoes) {
  const Network net = read_anynet(
      "router 1 router 2 15 node 3 1 node 1\nnode 0 router 0\nrouter 2 node 2 router 0\n\nrouter 2 router 1 "
      "5\r\n",
      "any");
  ASSERT_EQ(net.router_count(), 3U);
  EXPECT_EQ(net.channel_count(), 4U);
  // Nodes by number, then neighbours by number.
  ASSERT_EQ(net.terminals_at(RouterId(1)).size(), 2U);
  EXPECT_EQ(net.terminal_port(net.terminals_at(RouterId(1))[0]), 1U);
  EXPECT_EQ(net.target(net.channel_at(RouterId(1), 3)), RouterId(2));
  EXPECT_EQ(net.target(net.channel_at(RouterId(2), 2)), RouterId(0));
  EXPECT_EQ(net.target(net.channel_at(RouterId(2), 3)), RouterId(1));
  // Node 2 is on the last router: names keep the numbers of the file.
  EXPECT_EQ(net.terminal_name(TerminalId(2)), "H-3");
  EXPECT_EQ(net.terminal_name(TerminalId(3)), "H-2");
}

TEST(AnynetReader, ReadsWhatIsWritten) {
  for (const Topology& family : topologies()) {
    for (const std::string& spec : family.examples) {
      std::string text;
      const Network network = make_network(spec);
      try {
        text = write_anynet(network);
      } catch (const InputError&) {
        continue;  // parallel cables, one-way links
      }
      SCOPED_TRACE(spec);
      const Network back = read_anynet(text, spec);
      EXPECT_EQ(write_anynet(back), text);
      ASSERT_EQ(back.terminal_count(), network.terminal_count());
      for (const TerminalId t : network.terminals()) EXPECT_EQ(back.router_of(t), network.router_of(t));
    }
  }
}

}  // namespace
}  // namespace unknot
