// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "refusal.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/formats/graph/graph_text.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

std::uint32_t channel_latency(const Network& network, std::uint32_t from, std::uint32_t to) {
  for (const ChannelId c : network.out(RouterId(from))) {
    if (network.target(c).value == to) return network.channel_latency(c);
  }
  ADD_FAILURE() << "no channel from " << from << " to " << to;
  return 0;
}

std::string link_latency_refusal(std::string_view text) {
  return refusal([&] { (void)read_anynet(text, "any"); });
}

// What BookSim2's reader makes of it: a number is the latency of the direction from the head of its line, a
// statement without one takes it back, and the other direction keeps what its own line said.
TEST(LinkLatency, OfAnynetIsThatOfOneDirection) {
  const Network network = read_anynet(
      "router 0 node 0 9 router 1 15 router 2 4\n"
      "router 1 node 1 router 2 6\n"
      "router 2 node 2 router 1 8 router 0\n"
      "router 0 router 2\n",
      "any");
  EXPECT_EQ(channel_latency(network, 0, 1), 15U);
  EXPECT_EQ(channel_latency(network, 1, 0), 0U);
  EXPECT_EQ(channel_latency(network, 1, 2), 6U);
  EXPECT_EQ(channel_latency(network, 2, 1), 8U);
  EXPECT_EQ(channel_latency(network, 0, 2), 0U);
  EXPECT_EQ(network.terminal_latency(TerminalId(0)), 9U);
  EXPECT_EQ(network.terminal_latency(TerminalId(1)), 0U);
  const Network plain = read_anynet("router 0 node 0 router 1\nrouter 1 node 1\n", "any");
  EXPECT_TRUE(plain.labels().channel_latency.empty());
  EXPECT_TRUE(plain.labels().terminal_latency.empty());
  EXPECT_EQ(link_latency_refusal("router 0 node 0 router 1 0\nrouter 1 node 1\n"),
            "any:1: expected the cycles of a channel, at least 1, not '0'");
  EXPECT_NE(
      link_latency_refusal("router 0 node 0 router 1 2x\nrouter 1 node 1\n").find("the cycles of a channel"),
      std::string::npos);
}

// Terminals are numbered by router: their latencies go with them.
TEST(LinkLatency, OfANodeFollowsIt) {
  const Network network = read_anynet("router 0 node 1 5 router 1\nrouter 1 node 0 3\n", "any");
  ASSERT_EQ(network.terminal_name(TerminalId(0)), "H-1");
  EXPECT_EQ(network.terminal_latency(TerminalId(0)), 5U);
  EXPECT_EQ(network.terminal_latency(TerminalId(1)), 3U);
  const Network again =
      read_anynet("router 0 node 0 5\nnode 0 router 0 7 router 0\nrouter 0 router 1\n", "any");
  EXPECT_EQ(again.terminal_latency(TerminalId(0)), 0U);
}

Network with_latencies(bool one_way) {
  NetworkBuilder builder;
  builder.add_routers(4);
  builder.add_cable(RouterId(0), RouterId(1));
  builder.set_latency(5, 20);
  builder.add_cable(RouterId(2), RouterId(1));
  builder.add_cable(RouterId(2), RouterId(3));
  builder.set_latency(0, 7);
  builder.add_cable(RouterId(0), RouterId(3));
  builder.set_latency(11, 11);
  if (one_way) {
    builder.add_channel(RouterId(3), RouterId(1));
    builder.set_latency(13, 0);
  }
  for (std::uint32_t r = 0; r < 4; ++r) builder.add_terminal(RouterId(r));
  builder.labels().terminal_latency = {0, 2, 0, 3};
  builder.set_description("four");
  return std::move(builder).build();
}

void expect_same_latencies(const Network& a, const Network& b) {
  ASSERT_EQ(a.channel_count(), b.channel_count());
  for (const ChannelId c : a.channels()) {
    const RouterId from = a.source(c);
    EXPECT_EQ(a.channel_latency(c), b.channel_latency(b.channel_at(from, a.source_port(c))))
        << a.channel_name(c);
  }
  for (const TerminalId t : a.terminals())
    EXPECT_EQ(a.terminal_latency(t), b.terminal_latency(t)) << a.terminal_name(t);
}

TEST(LinkLatency, ComesBackFromEveryFormatThatHoldsIt) {
  int held = 0;
  for (const FabricFormat& format : fabric_formats()) {
    if (!format.read || !format.write) continue;
    SCOPED_TRACE(format.name);
    // Not every format has one-way links.
    const bool arcs = format.name == "json" || format.name == "dot" || format.name == "graphml";
    for (const bool one_way : {false, true}) {
      if (one_way && !arcs) continue;
      const Network network = with_latencies(one_way);
      const std::string text = format.write(network);
      const Network back = format.read(text, "again");
      if (!format.holds_latencies) {
        EXPECT_TRUE(back.labels().channel_latency.empty());
        continue;
      }
      ++held;
      if (format.name == "anynet") {  // has ports of its own
        for (const ChannelId c : network.channels()) {
          EXPECT_EQ(channel_latency(back, network.source(c).value, network.target(c).value),
                    network.channel_latency(c));
        }
      } else {
        expect_same_latencies(network, back);
      }
    }
  }
  EXPECT_EQ(held, 7);
}

// As NetworkX writes whole numbers and floating-point ones.
TEST(LinkLatency, OfAGraphOfAnybodysMaking) {
  const Network network = read_graphml(R"(<graphml><key id="d0" for="edge" attr.name="latency"/>
<key id="d1" for="edge" attr.name="capacity"/>
<graph edgedefault="undirected"><node id="a"/><node id="b"/><node id="c"/>
<edge source="a" target="b"><data key="d0">7</data><data key="d1">100</data></edge>
<edge source="b" target="c"><data key="d0"> 3.00 </data></edge>
<edge source="c" target="a"/>
</graph></graphml>)",
                                       "g");
  EXPECT_EQ(channel_latency(network, 0, 1), 7U);
  EXPECT_EQ(channel_latency(network, 1, 0), 7U);
  EXPECT_EQ(channel_latency(network, 1, 2), 3U);
  EXPECT_EQ(channel_latency(network, 2, 0), 0U);
  EXPECT_TRUE(network.labels().terminal_latency.empty());
  const Network dot = read_dot("digraph { a -> b [latency=4]; b -> a [latency=9]; a -> c; c -> a }", "d");
  EXPECT_EQ(channel_latency(dot, 0, 1), 4U);
  EXPECT_EQ(channel_latency(dot, 1, 0), 9U);
  EXPECT_EQ(channel_latency(dot, 2, 0), 0U);
  const Network back_differs = read_dot("graph { a -- b [latency=4, latency_back=6] }", "d");
  EXPECT_EQ(channel_latency(back_differs, 0, 1), 4U);
  EXPECT_EQ(channel_latency(back_differs, 1, 0), 6U);
  for (const std::string wrong : {"0.5", "7.", "7.01", "-1", "1e3", "4294967296", "", "2ms"}) {
    EXPECT_EQ(refusal([&] { (void)read_dot("graph {\n a -- b [latency=\"" + wrong + "\"] }", "d"); }),
              "d:2: latency: expected a whole number of cycles from 0 to 4294967295, not '" + wrong + "'");
  }
}

TEST(LinkLatency, IsNotWrittenWhereNoneIsStated) {
  NetworkBuilder builder;
  builder.add_routers(2);
  builder.add_cable(RouterId(0), RouterId(1));
  builder.set_latency(0, 0);
  for (std::uint32_t r = 0; r < 2; ++r) builder.add_terminal(RouterId(r));
  const Network network = std::move(builder).build();
  EXPECT_TRUE(network.labels().channel_latency.empty());
  for (const FabricFormat& format : fabric_formats()) {
    if (format.write) {
      EXPECT_EQ(format.write(network).find("latency"), std::string::npos) << format.name;
    }
  }
}

TEST(LinkLatency, StaysWithWhatIsLeft) {
  const Network network = with_latencies(true);
  const Network left = with_faults(network, {.routers = {RouterId(2)}, .channels = {}, .terminals = {}});
  EXPECT_EQ(channel_latency(left, 0, 1), 5U);
  EXPECT_EQ(channel_latency(left, 1, 0), 20U);
  EXPECT_EQ(channel_latency(left, 2, 1), 13U);
  EXPECT_EQ(channel_latency(left, 0, 2), 11U);
  EXPECT_EQ(left.terminal_latency(TerminalId(1)), 2U);
  EXPECT_EQ(left.terminal_latency(TerminalId(2)), 3U);
}

TEST(LinkLatency, OfJsonIsChecked) {
  const auto told = [](const std::string& more) {
    const std::string text = R"({"format":"unknot-network","version":1,"routers":2,"cables":[[0,1,1,1]],
"terminals":[[0,2],[1,2]])" + more +
                             "}";
    for (const FabricFormat& format : fabric_formats()) {
      if (format.name != "json") continue;
      try {
        (void)format.read(text, "j");
      } catch (const InputError& error) {
        return std::string(error.what());
      }
    }
    return std::string("accepted");
  };
  EXPECT_EQ(told(R"(,"cable_latency":[[3,4]],"terminal_latency":[0,9])"), "accepted");
  EXPECT_EQ(told(R"(,"cable_latency":[3])"),
            "j: cable_latency[0]: expected [cycles, cycles], of the two directions");
  EXPECT_EQ(told(R"(,"cable_latency":[[3,4],[1,1]])"), "j: cable_latency: expected 1 items, not 2");
  EXPECT_EQ(told(R"(,"one_way_latency":[3])"), "j: one_way_latency without the member \"one_way\"");
  EXPECT_NE(told(R"(,"terminal_latency":[1,-1])").find("terminal_latency[1]"), std::string::npos);
}

}  // namespace
}  // namespace unknot
