// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <initializer_list>

#include "refusal.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/formats/fabric/native_json.hpp"
#include "unknot/formats/graph/graph_text.hpp"
#include "unknot/network/addressed_network.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/network/faults.hpp"

namespace unknot {
namespace {

std::uint32_t capacity_between(const Network& network, std::uint32_t from, std::uint32_t to) {
  for (const ChannelId c : network.out(RouterId(from))) {
    if (network.target(c).value == to) return network.channel_capacity(c);
  }
  ADD_FAILURE() << "no channel from " << from << " to " << to;
  return 0;
}

TEST(LinkCapacity, IsExactToThreeDecimals) {
  EXPECT_EQ(megabits_from("12.5"), 12'500U);
  EXPECT_EQ(megabits_from("400"), 400'000U);
  EXPECT_EQ(megabits_from("0.001"), 1U);
  EXPECT_EQ(megabits_from("164.8"), 164'800U);
  EXPECT_EQ(megabits_from("4294967.295"), 4'294'967'295U);
  for (const char* wrong :
       {"", "0", "-1", "0.0001", "12.3456", "4294967.296", "1e3", "12 ", " 12", "nan", "inf", "12Gb/s"})
    EXPECT_FALSE(megabits_from(wrong)) << wrong;
  // All numbers of three decimals, here a sample, come back from their text.
  for (std::uint64_t megabits = 1; megabits <= 0xFFFFFFFFU; megabits += 999'983) {
    const auto same = static_cast<std::uint32_t>(megabits);
    EXPECT_EQ(megabits_from(gigabits_text(same)), same);
  }
  EXPECT_EQ(megabits_from(gigabits_text(0xFFFFFFFFU)), 0xFFFFFFFFU);
}

Network with_capacities(bool one_way) {
  NetworkBuilder builder;
  builder.add_routers(4);
  builder.add_cable(RouterId(0), RouterId(1));
  builder.set_capacity(400'000, 12'500);
  builder.add_cable(RouterId(2), RouterId(1));
  builder.add_cable(RouterId(2), RouterId(3));
  builder.set_capacity(0, 1);
  builder.add_cable(RouterId(0), RouterId(3));
  builder.set_capacity(7'000, 0);
  if (one_way) {
    builder.add_channel(RouterId(3), RouterId(1));
    builder.set_capacity(3'600'000, 0);
    builder.set_latency(3, 0);
  }
  for (std::uint32_t r = 0; r < 4; ++r) builder.add_terminal(RouterId(r));
  builder.labels().terminal_capacity = {0, 2'250, 0, 3};
  builder.set_description("four");
  return std::move(builder).build();
}

TEST(LinkCapacity, ComesBackFromEveryFormatThatHoldsIt) {
  int held = 0;
  for (const FabricFormat& format : fabric_formats()) {
    if (!format.read || !format.write) continue;
    SCOPED_TRACE(format.name);
    for (const bool one_way : {false, true}) {
      if (one_way && !format.holds_capacities) continue;
      const Network network = with_capacities(one_way);
      const Network back = format.read(format.write(network), "again");
      if (!format.holds_capacities) {
        EXPECT_TRUE(back.labels().channel_capacity.empty());
        EXPECT_TRUE(back.labels().terminal_capacity.empty());
        continue;
      }
      ++held;
      ASSERT_EQ(network.channel_count(), back.channel_count());
      for (const ChannelId c : network.channels()) {
        const ChannelId again = back.channel_at(network.source(c), network.source_port(c));
        EXPECT_EQ(network.channel_capacity(c), back.channel_capacity(again)) << network.channel_name(c);
      }
      for (const TerminalId t : network.terminals())
        EXPECT_EQ(network.terminal_capacity(t), back.terminal_capacity(t)) << network.terminal_name(t);
    }
  }
  EXPECT_EQ(held, 6);
}

TEST(LinkCapacity, IsNotWrittenWhereNoneIsStated) {
  NetworkBuilder builder;
  builder.add_routers(2);
  builder.add_cable(RouterId(0), RouterId(1));
  for (std::uint32_t r = 0; r < 2; ++r) builder.add_terminal(RouterId(r));
  const Network network = std::move(builder).build();
  EXPECT_TRUE(network.labels().channel_capacity.empty());
  for (const FabricFormat& format : fabric_formats()) {
    if (format.write) {
      EXPECT_EQ(format.write(network).find("capacity"), std::string::npos) << format.name;
    }
  }
}

TEST(LinkCapacity, StaysWithWhatIsLeft) {
  const Network network = with_capacities(true);
  const Network left = with_faults(network, {.routers = {RouterId(2)}, .channels = {}, .terminals = {}});
  EXPECT_EQ(capacity_between(left, 0, 1), 400'000U);
  EXPECT_EQ(capacity_between(left, 1, 0), 12'500U);
  EXPECT_EQ(capacity_between(left, 2, 1), 3'600'000U);
  EXPECT_EQ(capacity_between(left, 0, 2), 7'000U);
  EXPECT_EQ(left.terminal_capacity(TerminalId(1)), 2'250U);
  EXPECT_EQ(left.terminal_capacity(TerminalId(2)), 3U);
  // One direction of a cable: what is left is a link of its own, with its own capacity.
  const ChannelId there = network.out(RouterId(0))[0];
  const Network half = with_faults(network, {.routers = {}, .channels = {there}, .terminals = {}});
  EXPECT_EQ(capacity_between(half, 1, 0), 12'500U);
  const Network twice = addressed_network(network, 1);
  for (const TerminalId t : twice.terminals())
    EXPECT_EQ(twice.terminal_capacity(t), network.terminal_capacity(TerminalId(t.value / 2)));
}

TEST(LinkCapacity, OfAGraphOfAnybodysMaking) {
  const Network network = read_graphml(R"(<graphml><key id="d0" for="edge" attr.name="capacity"/>
<graph edgedefault="directed"><node id="a"/><node id="b"/><node id="c"/>
<edge source="a" target="b"><data key="d0">12.5</data></edge>
<edge source="b" target="a"><data key="d0"> 3.0 </data></edge>
<edge source="b" target="c"/><edge source="c" target="b"/>
</graph></graphml>)",
                                       "g");
  EXPECT_EQ(capacity_between(network, 0, 1), 12'500U);
  EXPECT_EQ(capacity_between(network, 1, 0), 3'000U);
  EXPECT_EQ(capacity_between(network, 1, 2), 0U);
  const Network dot = read_dot("graph { a -- b [capacity=4]; b -- c [capacity=0.5] }", "d");
  EXPECT_EQ(capacity_between(dot, 1, 0), 4'000U);
  EXPECT_EQ(capacity_between(dot, 1, 2), 500U);
}

TEST(LinkCapacity, IsRefusedWithItsPlace) {
  const auto dot = [](const std::string& text) { return refusal([&] { (void)read_dot(text, "d"); }); };
  const std::string rule = "a capacity in Gb/s from 0.001 to 4294967.295, with three decimals at most";
  EXPECT_EQ(dot("graph {\n a -- b [capacity=\"10G\"] }"), "d:2: capacity: expected " + rule + ", not '10G'");
  EXPECT_EQ(dot("graph { a -- b [capacity=0] }"), "d:1: capacity: expected " + rule + ", not '0'");
  EXPECT_EQ(dot("graph { r [kind=router]; t [kind=terminal]; r -- t [capacity=2, capacity_back=3] }"),
            "d:1: \"t\" has another capacity in the other direction, expected one for both");
  EXPECT_EQ(dot("digraph { r [kind=router]; t [kind=terminal]; r -> t [capacity=2];\n t -> r }"),
            "d:2: \"t\" has another capacity in the other direction, expected one for both");
  const auto json = [](const std::string& more) {
    const std::string text = R"({"format":"unknot-network","version":1,"routers":2,"cables":[[0,1,1,1]],
"terminals":[[0,2],[1,2]])" + more +
                             "}";
    return refusal([&] { (void)read_native_json(text, "j"); });
  };
  EXPECT_EQ(json(R"(,"cable_capacity":[3])"),
            "j: cable_capacity[0]: expected [Gb/s, Gb/s], of the two directions");
  EXPECT_EQ(json(R"(,"cable_capacity":[[3,4],[1,1]])"), "j: cable_capacity: expected 1 items, not 2");
  EXPECT_EQ(json(R"(,"cable_capacity":[[3,0.0004]])"), "j: cable_capacity[0]: expected " + rule + ", or 0");
  EXPECT_EQ(json(R"(,"one_way_capacity":[3])"), "j: one_way_capacity without the member \"one_way\"");
  EXPECT_EQ(json(R"(,"terminal_capacity":[1,-1])"), "j: terminal_capacity[1]: expected " + rule + ", or 0");
}

}  // namespace
}  // namespace unknot
