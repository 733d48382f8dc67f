// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/settings/link_times.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "refusal.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/simulate/settings/settings_draft.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::simulate {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

ResolvedSettings resolved(const std::string& text) {
  SettingsDraft draft;
  draft.add(parse_settings(text, "s.toml"));
  return draft.resolve();
}

LinkTimes times(const std::string& fabric, const std::string& text) {
  return link_times(make_network(fabric), resolved(text).settings);
}

std::string link_times_refusal(const std::string& fabric, const std::string& text) {
  return refusal([&] { (void)times(fabric, text); });
}

TEST(LinkTimes, BaseWithoutClasses) {
  const LinkTimes on_grid = times("ring:5", "link_latency = 3\nterminal_latency = 2\nspeedup = 2\n");
  EXPECT_FALSE(on_grid.in_steps);
  EXPECT_EQ(on_grid.channel_latency, std::vector<std::uint32_t>(10, 3));
  EXPECT_EQ(on_grid.terminal_latency, std::vector<std::uint32_t>(5, 2));
  EXPECT_EQ(on_grid.channel_period, std::vector<std::uint32_t>(10, 2));
  EXPECT_EQ(on_grid.terminal_period, std::vector<std::uint32_t>(5, 2));
  const LinkTimes off_grid = times("ring:5", "link_steps = 5\nspeedup = 2\n");
  EXPECT_TRUE(off_grid.in_steps);
  EXPECT_THAT(off_grid.channel_latency, Each(5U));
  EXPECT_THAT(off_grid.terminal_latency, Each(2U));
}

TEST(LinkTimes, CapacitiesAsTheNetworkStatesThem) {
  const LinkTimes boxes = times("boxes:2,4", "[[link]]\nmatch = \"capacity:400\"\nperiod = 9\n");
  EXPECT_EQ(std::count(boxes.channel_period.begin(), boxes.channel_period.end(), 9U), 16);
  EXPECT_EQ(std::count(boxes.channel_period.begin(), boxes.channel_period.end(), 1U), 16);
  EXPECT_THAT(boxes.terminal_period, Each(1U));
  EXPECT_THAT(link_times_refusal("ring:5", "[[link]]\nmatch = \"capacity:400\"\nperiod = 9\n"),
              HasSubstr("the network states no capacities"));
  EXPECT_THAT(link_times_refusal("boxes:2,4", "[[link]]\nmatch = \"capacity:401\"\nperiod = 9\n"),
              HasSubstr("selects nothing in this network"));
}

/// Two routers, 5 cycles one way and nothing stated the other, and a terminal whose link takes 9.
Network with_stated_latencies(std::uint32_t there = 5) {
  NetworkBuilder builder;
  builder.add_routers(2);
  builder.add_cable(RouterId(0), RouterId(1));
  builder.set_latency(there, 0);
  for (std::uint32_t r = 0; r < 2; ++r) builder.add_terminal(RouterId(r));
  builder.labels().terminal_latency = {0, 9};
  return std::move(builder).build();
}

/// Two routers and a cable of 100 Gb/s one way and 25 the other, two terminals of which one states 50.
Network two_speeds(std::uint32_t back = 25'000) {
  NetworkBuilder builder;
  builder.add_routers(2);
  builder.add_cable(RouterId(0), RouterId(1));
  builder.set_capacity(100'000, back);
  builder.add_terminal(RouterId(0));
  builder.add_terminal(RouterId(1));
  builder.labels().terminal_capacity = {0, 50'000};
  return std::move(builder).build();
}

TEST(LinkTimes, SpeedsAreTakenWhereTheyAreAskedFor) {
  const std::string base = "bandwidth_gbps = 100\nspeedup = 2\n";
  const auto of = [&](const Network& network, const std::string& text) {
    return link_times(network, resolved(text).settings);
  };
  const Network network = two_speeds();
  const LinkTimes made = of(network, base + "speeds = \"stated\"\n");
  EXPECT_EQ(made.channel_period[network.out(RouterId(0))[0].value], 2U);
  EXPECT_EQ(made.channel_period[network.out(RouterId(1))[0].value], 8U);
  EXPECT_EQ(made.terminal_period, (std::vector<std::uint32_t>{2, 4}));
  // What the settings say of links by their capacity is the same, and has the last word.
  const LinkTimes same = of(network, base +
                                         "[[link]]\nmatch = \"capacity:25\"\ngbps = 25\n"
                                         "[[link]]\nmatch = \"capacity:50\"\ngbps = 50\n");
  EXPECT_EQ(same.channel_period, made.channel_period);
  EXPECT_EQ(same.terminal_period, made.terminal_period);
  EXPECT_THAT(
      of(network, base + "speeds = \"stated\"\n[[link]]\nmatch = \"all\"\nperiod = 6\n").channel_period,
      Each(6U));
  EXPECT_THAT(of(network, base).channel_period, Each(2U));
  const auto refused = [&](const Network& what, const std::string& text) {
    return refusal([&] { (void)of(what, text + "speeds = \"stated\"\n"); });
  };
  EXPECT_THAT(refused(make_network("ring:5"), base), HasSubstr("states no capacities"));
  EXPECT_THAT(refused(network, "bandwidth_gbps = 50\n"), HasSubstr("more than the base speed of 50 Gb/s"));
  EXPECT_THAT(refused(two_speeds(40'000), base), HasSubstr("takes 2.5 cycles at 40 Gb/s"));
  // Off the grid of cycles it is five steps.
  const LinkTimes off = of(two_speeds(40'000), base + "link_steps = 4\nspeeds = \"stated\"\n");
  EXPECT_EQ(off.channel_period[1], 5U);
}

TEST(LinkTimes, WhatTheNetworkStatesGoesBeforeTheSettings) {
  const Network network = with_stated_latencies();
  const LinkTimes on_grid =
      link_times(network, resolved("link_latency = 3\nterminal_latency = 2\n").settings);
  EXPECT_THAT(on_grid.channel_latency, ElementsAre(5, 3));
  EXPECT_THAT(on_grid.terminal_latency, ElementsAre(2, 9));
  const LinkTimes off_grid = link_times(network, resolved("link_steps = 7\nspeedup = 2\n").settings);
  EXPECT_THAT(off_grid.channel_latency, ElementsAre(10, 7));
  EXPECT_THAT(off_grid.terminal_latency, ElementsAre(2, 18));
  const LinkTimes classes =
      link_times(network, resolved("[[link]]\nmatch = \"channels\"\nlatency = 4\n").settings);
  EXPECT_THAT(classes.channel_latency, Each(4U));
  EXPECT_THAT(classes.terminal_latency, ElementsAre(1, 9));
}

TEST(LinkTimes, StatedLatenciesHaveALimit) {
  EXPECT_EQ(link_times(with_stated_latencies(65'535), resolved("").settings).channel_latency[0], 65'535U);
  const auto refused = [](std::uint32_t cycles, const std::string& settings) {
    try {
      (void)link_times(with_stated_latencies(cycles), resolved(settings).settings);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refused(65'536, ""),
            "S-0 port 1 -> S-1 port 1: a latency of 65536 cycles, the simulator takes 65535 at most");
  EXPECT_THAT(refused(40'000, "link_steps = 7\nspeedup = 2\n"), HasSubstr("32767 at most"));
}

TEST(LinkTimes, DimensionsOfATorus) {
  const Network torus = make_network("torus:4x3");
  const LinkTimes t =
      link_times(torus, resolved("[[link]]\nmatch = \"dimension:0\"\nlatency = 9\nbandwidth = 0.5\n"
                                 "[[link]]\nmatch = \"dimension:1\"\nlatency = 4\n")
                            .settings);
  for (const ChannelId c : torus.channels()) {
    const auto& at = torus.coordinates()->value;
    const bool first = at[torus.source(c).value * 2] != at[torus.target(c).value * 2];
    EXPECT_EQ(t.channel_latency[c.value], first ? 9U : 4U);
    EXPECT_EQ(t.channel_period[c.value], first ? 2U : 1U);
  }
  EXPECT_THAT(t.terminal_latency, Each(1U));
}

TEST(LinkTimes, LevelsOfATreeAndTheLastWord) {
  const Network tree = make_network("kary-ntree:k=2,n=3");
  const LinkTimes t = link_times(
      tree, resolved("[[link]]\nmatch = \"all\"\nlatency = 7\n[[link]]\nmatch = \"level:1\"\nlatency = 2\n")
                .settings);
  std::set<std::uint32_t> seen;
  for (const ChannelId c : tree.channels()) {
    const std::uint32_t lower =
        std::min(tree.levels()[tree.source(c).value], tree.levels()[tree.target(c).value]);
    EXPECT_EQ(t.channel_latency[c.value], lower == 1 ? 2U : 7U);
    EXPECT_EQ(t.channel_latency[c.value], t.channel_latency[tree.reverse(c).value]);
    seen.insert(lower);
  }
  EXPECT_EQ(seen.size(), 2U);
  EXPECT_THAT(t.terminal_latency, Each(7U));
}

TEST(LinkTimes, RatesAndTerminals) {
  NetworkBuilder builder;
  builder.add_routers(2);
  builder.add_cable(RouterId(0), RouterId(1));
  builder.add_cable(RouterId(0), RouterId(1));
  builder.add_terminal(RouterId(0));
  builder.add_terminal(RouterId(1));
  Network plain = std::move(builder).build();
  NetworkBuilder labelled;
  labelled.add_routers(2);
  labelled.add_cable(RouterId(0), RouterId(1));
  labelled.add_cable(RouterId(0), RouterId(1));
  labelled.add_terminal(RouterId(0));
  labelled.add_terminal(RouterId(1));
  const LinkRate fast = link_rate_from("4xEDR");
  const LinkRate slow = link_rate_from("1xEDR");
  labelled.labels().channel_rate = {fast, slow, fast, slow};
  labelled.labels().terminal_rate = {slow, fast};
  const Network network = std::move(labelled).build();
  const Settings s = resolved(
                         "[[link]]\nmatch = \"rate:1x\"\nbandwidth = 0.25\n"
                         "[[link]]\nmatch = \"rate:4xEDR\"\nlatency = 6\n")
                         .settings;
  const LinkTimes t = link_times(network, s);
  EXPECT_THAT(t.channel_period, ElementsAre(1, 4, 1, 4));
  EXPECT_THAT(t.channel_latency, ElementsAre(6, 1, 6, 1));
  EXPECT_THAT(t.terminal_period, ElementsAre(4, 1));
  EXPECT_THAT(t.terminal_latency, ElementsAre(1, 6));
  try {
    (void)link_times(plain, s);
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "link 'rate:1x' selects nothing: the network says no rates");
  }
}

TEST(LinkTimes, WhatIsRoundedIsSaid) {
  const ResolvedSettings slow =
      resolved("preset = \"paper-sc15\"\n[[link]]\nmatch = \"channels\"\nns = 500\ngbps = 40\n");
  EXPECT_EQ(slow.settings.link_classes[0].latency, 49U);  // of 10.24 ns
  EXPECT_EQ(slow.settings.link_classes[0].period, 5U);    // of 2 steps at 100 Gb/s
  EXPECT_THAT(slow.notes.back(),
              HasSubstr("link 'channels': 500 ns are 48.8281 steps of 10.24 ns, taken as 49"));
  const ResolvedSettings grid = resolved("speedup = 2\n[[link]]\nmatch = \"all\"\nbandwidth = 0.4\n");
  EXPECT_EQ(grid.settings.link_classes[0].period, 6U);  // whole cycles
  EXPECT_THAT(grid.notes,
              ElementsAre("link 'all': a flit takes 5 steps, taken as 6 (0.3333 of the base speed, not "
                          "0.4)"));
}

TEST(LinkTimes, SelectorsSelectSomething) {
  const auto link = [](const std::string& match) {
    return "[[link]]\nmatch = \"" + match + "\"\nlatency = 3\n";
  };
  EXPECT_EQ(link_times_refusal("torus:4x4", link("dimension:2")),
            "link 'dimension:2' selects nothing in this network");
  EXPECT_EQ(link_times_refusal("torus:4x4", link("level:0")),
            "link 'level:0' selects nothing: the network has no levels");
  EXPECT_EQ(link_times_refusal("kautz:b=2,n=3", link("dimension:0")),
            "link 'dimension:0' selects nothing: the network has no coordinates");
  EXPECT_EQ(link_times_refusal("kary-ntree:k=2,n=3", link("level:2")),
            "link 'level:2' selects nothing in this network");
  EXPECT_EQ(link_times_refusal("torus:4x4", link("dimension:1")), "");
}

}  // namespace
}  // namespace unknot::simulate
