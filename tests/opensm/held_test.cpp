// SPDX-License-Identifier: Apache-2.0
// Option live of the plug-in without OpenSM: fabrics as sweeps find them, and a judge of what the switches
// would hold that shares nothing with what made it.
#include "held/held_fabric.hpp"

#include <gmock/gmock.h>

#include <cstddef>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "effort.hpp"
#include "line_reader.hpp"
#include "swept_fabric.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::opensm {
namespace {

using ::testing::HasSubstr;

/// What a sweep is refused with; "" where it is not.
std::string refusal(HeldFabric& held, const unknot_fabric& fabric) {
  try {
    (void)held.follow(fabric);
  } catch (const Misfit& misfit) {
    return misfit.what();
  }
  return "";
}

/// One sweep, which must be served and be right. Returns what the log is told.
std::string sweep(HeldFabric& held, const unknot_fabric& fabric) {
  const unknot_plan plan = held.follow(fabric);
  const SweepJudge judge(fabric, held, plan);
  EXPECT_EQ(judge.lost, 0U);
  EXPECT_EQ(judge.astray, 0U);
  EXPECT_FALSE(judge.circle);
  return plan.summary;
}

class Held : public testing::TestWithParam<const char*> {};

TEST_P(Held, FollowsWhateverFailsAndComesBack) {
  for (std::uint32_t seed = 1; seed <= (fewer_cases() ? 4U : 40U); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    SweptFabric fabric(make_network(GetParam()));
    HeldFabric held;
    EXPECT_THAT(sweep(held, fabric.sweep()), HasSubstr("live: made; "));
    for (int event = 0; event < 30; ++event) {
      fabric.change(random);
      const unknot_fabric now = fabric.sweep();
      if (now.switches.empty()) continue;
      EXPECT_THAT(sweep(held, now), testing::Not(HasSubstr("made anew, since")));
      EXPECT_THAT(sweep(held, now), HasSubstr("as before"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, Held,
                         testing::Values("xgft:m=4x4,w=2x2", "kary-ntree:k=3,n=3", "xgft:m=3x6,w=2x3",
                                         "xgft:m=2x3x2,w=1x2x2", "torus:4x3,p=2", "mesh:3x3,p=1",
                                         "random:switches=9,links=16,terminals=7,seed=4"));

/// A tree of 24 switches and 64 hosts.
SweptFabric small_tree() {
  return SweptFabric(make_network("xgft:m=4x4,w=1x4"));
}

RouterId router_with_hosts(const Network& network, std::uint32_t number) {
  for (const RouterId r : network.routers()) {
    if (!network.terminals_at(r).empty() && number-- == 0) return r;
  }
  ADD_FAILURE() << "no such switch";
  return {};
}

RouterId router_without_hosts(const Network& network) {
  for (const RouterId r : network.routers()) {
    if (network.terminals_at(r).empty()) return r;
  }
  ADD_FAILURE() << "all have hosts";
  return {};
}

void link(unknot_fabric& fabric, std::uint32_t a, std::uint8_t a_port, std::uint32_t b, std::uint8_t b_port) {
  fabric.switches[a].ports[a_port] = {b, Peer::node, b_port, 8};
  fabric.switches[b].ports[b_port] = {a, Peer::node, a_port, 8};
}

TEST(HeldFabric, WhatTheFirstSweepLackedMakesItAnew) {
  const struct {
    const char* what;
    void (*lack)(SweptFabric&, bool);
    const char* says;
  } cases[] = {
      {"switch",
       [](SweptFabric& fabric, bool lack) {
         fabric.set_switch(router_without_hosts(fabric.network()), lack);
       },
       "' (0x"},
      {"cable", [](SweptFabric& fabric, bool lack) { fabric.set_cable(ChannelId(0), lack); },
       "has a new cable"},
      {"host", [](SweptFabric& fabric, bool lack) { fabric.set_host(TerminalId(5), lack); }, "is new"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.what);
    SweptFabric fabric = small_tree();
    HeldFabric held;
    one.lack(fabric, true);
    EXPECT_THAT(sweep(held, fabric.sweep()), HasSubstr("live: made; "));
    one.lack(fabric, false);
    const std::string said = sweep(held, fabric.sweep());
    EXPECT_THAT(said, HasSubstr("made anew, since "));
    EXPECT_THAT(said, HasSubstr(one.says));
    // From now on it is a part like any other.
    one.lack(fabric, true);
    EXPECT_THAT(sweep(held, fabric.sweep()), testing::Not(HasSubstr("made anew")));
    one.lack(fabric, false);
    EXPECT_THAT(sweep(held, fabric.sweep()), testing::Not(HasSubstr("made anew")));
  }
}

/// Two cables of two leaves change places: what was never an event of parts that die.
TEST(HeldFabric, ACableThatLeadsElsewhere) {
  const SweptFabric fabric = small_tree();
  const Network& network = fabric.network();
  unknot_fabric now = fabric.sweep();
  HeldFabric held;
  (void)sweep(held, now);
  const ChannelId a = network.out(router_with_hosts(network, 0))[0];
  const ChannelId b = network.out(router_with_hosts(network, 1))[1];
  ASSERT_NE(network.target(a), network.target(b));
  const auto port = [](std::uint16_t number) { return static_cast<std::uint8_t>(number); };
  link(now, network.source(a).value, port(network.source_port(a)), network.target(b).value,
       port(network.target_port(b)));
  link(now, network.source(b).value, port(network.source_port(b)), network.target(a).value,
       port(network.target_port(a)));
  EXPECT_THAT(sweep(held, now), HasSubstr("leads elsewhere"));
  EXPECT_THAT(sweep(held, now), HasSubstr("as before"));
}

TEST(HeldFabric, AHostThatMoves) {
  const SweptFabric fabric = small_tree();
  unknot_fabric now = fabric.sweep();
  HeldFabric held;
  (void)sweep(held, now);
  const std::uint32_t home = now.adapters[0].at_switch;
  const auto free_port = static_cast<std::uint8_t>(now.switches[home].ports.size() - 1);
  now.switches[home].ports[now.adapters[0].at_port] = {};
  unknot_fabric_link_adapter(&now, static_cast<int>(home), free_port, 0);
  EXPECT_THAT(sweep(held, now), HasSubstr("has moved to another port"));
}

/// Rows go by LIDs, which the subnet manager may give anew.
TEST(HeldFabric, LidsOfToday) {
  const SweptFabric fabric = small_tree();
  unknot_fabric now = fabric.sweep();
  HeldFabric held;
  (void)sweep(held, now);
  std::swap(now.adapters[0].lid, now.adapters[7].lid);
  EXPECT_THAT(sweep(held, now), HasSubstr("as before"));
  now.adapters[3].lid = 12'345;
  now.switches[2].lid = 20'031;
  EXPECT_THAT(sweep(held, now), HasSubstr("as before"));
  EXPECT_EQ(held.row(0)[4], HeldRows::kNoRow) << "a LID that nobody has any more";
  for (unknot_fabric::Adapter& a : now.adapters) a.lid = static_cast<std::uint16_t>(40'000 - a.lid);
  EXPECT_THAT(sweep(held, now), HasSubstr("as before"));
}

TEST(HeldFabric, SeveralLidsOfAHost) {
  const SweptFabric fabric = small_tree();
  unknot_fabric now = fabric.sweep();
  now.adapters[2].lids = 2;
  HeldFabric held;
  EXPECT_THAT(refusal(held, now), HasSubstr("has 2 LIDs, and with live=trees hosts have one: LMC must be 0"));
  now.adapters[2].lids = 1;
  EXPECT_THAT(sweep(held, now), HasSubstr("live: made; "));
  now.adapters[2].lids = 4;
  EXPECT_THAT(refusal(held, now), HasSubstr("has 4 LIDs"));
  now.adapters[2].lids = 1;
  EXPECT_THAT(sweep(held, now), HasSubstr("as before"));
}

/// It is no host, and whoever wants it finds it.
TEST(HeldFabric, AnAggregationNode) {
  const SweptFabric fabric = small_tree();
  unknot_fabric now = fabric.sweep();
  const int node = unknot_fabric_add_adapter(&now, 77, 78, "Mellanox Technologies Aggregation Node", 300, 1);
  unknot_fabric_link_adapter(&now, static_cast<int>(router_without_hosts(fabric.network()).value),
                             static_cast<std::uint8_t>(now.switches[0].ports.size() - 1), node);
  HeldFabric held;
  EXPECT_THAT(sweep(held, now), HasSubstr("; 24 switches, 4032 pairs of hosts proven"));
}

TEST(HeldFabric, WhatIsThereTwice) {
  const SweptFabric fabric = small_tree();
  const auto refused_at_once_and_later = [&](const unknot_fabric& now, const char* why) {
    HeldFabric held;
    EXPECT_THAT(refusal(held, now), HasSubstr(why));
    (void)sweep(held, fabric.sweep());
    EXPECT_THAT(refusal(held, now), HasSubstr(why));
    (void)sweep(held, fabric.sweep());
  };
  unknot_fabric now = fabric.sweep();
  now.switches[1].guid = now.switches[0].guid;
  refused_at_once_and_later(now, "is there twice");
  now = fabric.sweep();
  now.adapters[1].port_guid = now.adapters[0].port_guid;
  refused_at_once_and_later(now, "is there twice");
}

/// Nothing and next to nothing.
TEST(HeldFabric, FabricsWithoutCables) {
  const SweptFabric one(make_network("full-mesh:1,p=3"));
  HeldFabric held;
  EXPECT_THAT(sweep(held, one.sweep()), HasSubstr("1 switches, 6 pairs of hosts proven"));
  EXPECT_THAT(sweep(held, one.sweep()), HasSubstr("as before"));
  HeldFabric of_nothing;
  EXPECT_EQ(refusal(of_nothing, unknot_fabric{}), "");
  SweptFabric two(make_network("xgft:m=2x2,w=1x1"));
  HeldFabric apart;
  two.set_switch(router_without_hosts(two.network()), true);
  const unknot_plan plan = apart.follow(two.sweep());
  EXPECT_THAT(plan.notes, testing::StartsWith("40 pairs of hosts are joined by no path"));
  EXPECT_TRUE(plan.multicast.trees.empty());
}

}  // namespace
}  // namespace unknot::opensm
