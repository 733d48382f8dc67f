// SPDX-License-Identifier: Apache-2.0
#include "unknot/watch/watch.hpp"

#include <gmock/gmock.h>

#include "routed.hpp"
#include "unknot/load/flow_load.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/tables/carry_over.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::watch {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr std::uint32_t kGone = NetworkChange::kGone;

WatchReport watched(const Network& before, const Routing* old, const Network& after,
                    const Routing* now = nullptr) {
  Progress quiet;
  return watch(before, old, after, now, {}, quiet);
}

struct Plug {
  std::uint32_t a, port_a, b, port_b;
  const char* rate;
};
struct Host {
  std::uint64_t guid;
  std::uint32_t router, port, lid;
};

/// Three routers with GUIDs 0x11, 0x12, ... in the order given.
Network fabric(std::uint32_t routers, const std::vector<Plug>& plugs, const std::vector<Host>& hosts,
               std::uint64_t first_guid = 0x11) {
  NetworkBuilder builder;
  builder.add_routers(routers);
  for (const Plug& p : plugs) {
    builder.add_cable(RouterId(p.a), static_cast<std::uint16_t>(p.port_a), RouterId(p.b),
                      static_cast<std::uint16_t>(p.port_b), link_rate_from(p.rate));
  }
  Labels& labels = builder.labels();
  for (std::uint32_t r = 0; r < routers; ++r) {
    labels.router_name.push_back("leaf-" + std::to_string(r));
    labels.router_guid.push_back(first_guid + r);
    labels.router_lid.push_back(100 + r);
    labels.router_ports.push_back(8);
  }
  for (const Host& host : hosts) {
    builder.add_terminal(RouterId(host.router), static_cast<std::uint16_t>(host.port));
    labels.terminal_name.push_back("host-" + std::to_string(host.guid));
    labels.terminal_node_guid.push_back(host.guid);
    labels.terminal_port_guid.push_back(host.guid);
    labels.terminal_lid.push_back(host.lid);
    labels.terminal_adapter_port.push_back(1);
    labels.terminal_adapter_ports.push_back(1);
    labels.terminal_rate.push_back(link_rate_from("4xHDR"));
  }
  return std::move(builder).build();
}

const std::vector<Plug> kTriangle = {{0, 1, 1, 1, "4xHDR"}, {1, 2, 2, 1, "4xHDR"}, {0, 2, 2, 2, "4xHDR"}};
const std::vector<Host> kHosts = {{1, 0, 7, 1}, {2, 1, 7, 2}, {3, 2, 7, 3}};

TEST(Difference, OfAFabricWithItselfIsNone) {
  for (const Topology& topology : topologies()) {
    if (topology.examples.empty()) continue;
    const Network network = make_network(topology.examples.front());
    const FabricDifference d = fabric_difference(network, network);
    EXPECT_TRUE(d.none()) << topology.name;
    EXPECT_TRUE(watched(network, nullptr, network).hurts.empty()) << topology.name;
  }
}

TEST(Difference, NamesEachKindOfChange) {
  const Network before = fabric(3, kTriangle, kHosts);
  {
    auto plugs = kTriangle;
    plugs[2] = {0, 3, 2, 2, "4xHDR"};  // one end in another port
    const FabricDifference d = fabric_difference(before, fabric(3, plugs, kHosts));
    ASSERT_EQ(d.cables_moved.size(), 1U);
    EXPECT_TRUE(d.cables_gone.empty());
    EXPECT_TRUE(d.cables_come.empty());
  }
  {
    auto plugs = kTriangle;
    plugs[2] = {0, 3, 2, 4, "4xHDR"};  // both ends: nothing says that it is the same cable
    const FabricDifference d = fabric_difference(before, fabric(3, plugs, kHosts));
    EXPECT_EQ(d.cables_gone.size(), 1U);
    EXPECT_EQ(d.cables_come.size(), 1U);
    EXPECT_TRUE(d.cables_moved.empty());
  }
  {
    auto plugs = kTriangle;
    plugs[0].rate = "2xHDR";
    plugs[1].rate = "4xNDR";
    const FabricDifference d = fabric_difference(before, fabric(3, plugs, kHosts));
    EXPECT_EQ(d.cables_slower.size(), 1U);
    EXPECT_EQ(d.cables_faster.size(), 1U);
    EXPECT_TRUE(d.change.none());
    EXPECT_FALSE(d.none());
  }
  {
    auto hosts = kHosts;
    hosts[0] = {9, 0, 7, 1};
    const FabricDifference d = fabric_difference(before, fabric(3, kTriangle, hosts));
    EXPECT_EQ(d.terminals_gone, (std::vector<TerminalId>{TerminalId(0)}));
    EXPECT_EQ(d.terminals_come, (std::vector<TerminalId>{TerminalId(0)}));
  }
  for (const Host& moved : {Host{1, 2, 6, 1}, Host{1, 0, 6, 1}, Host{1, 0, 7, 44}}) {
    auto hosts = kHosts;
    hosts[0] = moved;
    const FabricDifference d = fabric_difference(before, fabric(3, kTriangle, hosts));
    EXPECT_EQ(d.terminals_moved.size(), 1U);
    EXPECT_TRUE(d.terminals_gone.empty());
    EXPECT_TRUE(d.terminals_come.empty());
  }
  {
    // GUIDs shifted by one: the first router is gone, the others are one row further up, a new one has come
    const FabricDifference d = fabric_difference(before, fabric(3, kTriangle, kHosts, 0x12));
    EXPECT_EQ(d.routers_gone, (std::vector<RouterId>{RouterId(0)}));
    EXPECT_EQ(d.routers_come, (std::vector<RouterId>{RouterId(2)}));
    EXPECT_EQ(d.routers_renamed.size(), 2U);
    EXPECT_EQ(d.terminals_moved.size(), 3U);
  }
}

/// Pairs that the old tables no longer deliver, by following each pair.
std::uint64_t broken_pairs(const Network& before, const Routing& old, const Network& after,
                           const Routing& carried, const NetworkChange& change) {
  std::uint64_t broken = 0;
  std::vector<ChannelId> path;
  for (const TerminalId s : after.terminals()) {
    for (const TerminalId d : after.terminals()) {
      const std::uint32_t was_s = change.terminal_to_old[s.value];
      const std::uint32_t was_d = change.terminal_to_old[d.value];
      if (s == d || was_s == kGone || was_d == kGone) continue;
      path.clear();
      const bool was = append_path(before, old, TerminalId(was_s), TerminalId(was_d), path);
      path.clear();
      broken += was && !append_path(after, carried, s, d, path) ? 1 : 0;
    }
  }
  return broken;
}

TEST(Damage, IsWhatEachPairSays) {
  Progress quiet;
  for (const char* spec :
       {"torus:4x4,p=2", "kautz:b=2,n=3,p=2", "xgft:m=4x4,w=2x2,terminals=16", "slimfly:q=3,p=1"}) {
    for (const char* engine : {"minhop", "dfsssp"}) {
      const Network before = make_network(spec);
      const Routing old = routed(before, engine);
      for (const char* fail :
           {"cable-count=1", "cable-count=3", "router-count=1", "terminal-count=2,cable-count=1"}) {
        const Network after = with_faults(before, parse_faults(before, fail));
        const WatchReport report = watched(before, &old, after);
        const NetworkChange& change = report.difference.change;
        const Routing carried = carry_over(before, old, after, change);
        EXPECT_EQ(report.damage->broken, broken_pairs(before, old, after, carried, change))
            << spec << " " << fail;
        EXPECT_EQ(report.damage->broken, report.carried->verdict.unroutable_pairs) << spec << " " << fail;
        EXPECT_FALSE(report.hurts.empty());
        // and the repair: everything that comes back hurts nobody, the tables of before fit again
        const WatchReport back = watched(after, nullptr, before, &old);
        EXPECT_EQ(back.hurts, engine == std::string("dfsssp") ? std::vector<std::string>() : back.hurts)
            << fail;
        EXPECT_EQ(back.difference.cables_come.size(), report.difference.cables_gone.size());
        EXPECT_EQ(back.difference.routers_come.size(), report.difference.routers_gone.size());
      }
    }
  }
}

TEST(Damage, OfLanesIsWhatTheCheckerCallsSo) {
  const Network before = make_network("torus:4x4,p=2");
  const Network after = with_faults(before, parse_faults(before, "cable-count=2"));
  Routing old = routed(before, "dfsssp");
  limit_lanes(old, 1);
  for (const bool mapped : {false, true}) {
    if (mapped) {
      auto map = std::make_shared<LaneMap>(before, std::uint8_t{1});
      LaneMap::Row drops{};
      drops.fill(LaneMap::kDrop);
      for (std::uint16_t in = 0; in <= before.port_count(RouterId(0)); ++in)
        map->set(RouterId(0), in, before.terminal_port(TerminalId(0)), drops);
      map->set_source(before, TerminalId(9), drops);
      old.lane_map = std::move(map);
    }
    const WatchReport report = watched(before, &old, after);
    ASSERT_GT(report.before->verdict.laneless_pairs, 0U);
    EXPECT_EQ(report.damage->lost_before, report.before->verdict.unroutable_pairs);
    EXPECT_EQ(report.damage->broken, report.carried->verdict.unroutable_pairs - report.damage->lost_before);
    EXPECT_GT(report.damage->broken, 0U);
  }
}

TEST(Damage, CountsMovedTerminalsAsLost) {
  const Network before = fabric(3, kTriangle, kHosts);
  const Routing old = routed(before, "minhop");
  auto hosts = kHosts;
  hosts[0] = {1, 2, 6, 1};
  const WatchReport report = watched(before, &old, fabric(3, kTriangle, hosts));
  EXPECT_EQ(report.damage->pairs, 6U);
  EXPECT_EQ(report.damage->broken, 2U);  // to it; from it, its new router's table serves
  EXPECT_EQ(report.damage->destinations, 1U);
  EXPECT_THAT(report.hurts, Contains(HasSubstr("another place or address")));
}

TEST(Watch, SaysWhatHurts) {
  const Network before = make_network("torus:4x4,p=1");
  const Network after = with_faults(before, parse_faults(before, "cable-count=1"));
  const Routing old = routed(before, "dfsssp");
  const Routing good = routed(after, "dfsssp");
  const Routing cyclic = routed(after, "minhop");
  EXPECT_THAT(watched(before, &old, after).hurts, Contains(HasSubstr("the old tables no longer deliver")));
  const WatchReport repaired = watched(before, &old, after, &good);
  EXPECT_THAT(repaired.hurts, Contains("1 cable is gone"));
  EXPECT_THAT(repaired.hurts, Not(Contains(HasSubstr("deliver"))));
  EXPECT_TRUE(repaired.now->verdict.deadlock_free);
  ASSERT_FALSE(watched(before, nullptr, after, &cyclic).now->verdict.deadlock_free);
  EXPECT_THAT(watched(before, &old, after, &cyclic).hurts, Contains("the new tables can deadlock"));
  Routing hole = good;
  hole.table().set(RouterId(0), TerminalId(5), ForwardingTable::kNone);
  EXPECT_THAT(watched(before, &old, after, &hole).hurts,
              Contains(HasSubstr("the new tables do not deliver")));
}

TEST(Watch, TellsThatAFabricFellApart) {
  const Network before = make_network("mesh:2x4");
  const Network after = with_faults(before, parse_faults(before, "cables=S-1-S-2+S-5-S-6"));
  const WatchReport report = watched(before, nullptr, after);
  EXPECT_EQ(report.disconnected.count, 32U);
  EXPECT_THAT(report.hurts, Contains(HasSubstr("no path joins 32 pairs")));
}

TEST(Watch, FindsABusierChannel) {
  const Network network = make_network("ring:8");
  const Routing even = routed(network, "minhop");
  Routing one_way = even;  // everybody goes up, all the way around
  for (const RouterId r : network.routers()) {
    for (const TerminalId t : network.terminals()) {
      if (network.router_of(t) == r) continue;
      for (std::uint32_t i = 0; i < network.out(r).size(); ++i) {
        if (network.target(network.out(r)[i]).value == (r.value + 1) % 8) one_way.table().set(r, t, i);
      }
    }
  }
  EXPECT_THAT(watched(network, &even, network, &one_way).hurts,
              Contains(HasSubstr("the busiest channel carries 28")));
  EXPECT_THAT(watched(network, &one_way, network, &even).hurts, Not(Contains(HasSubstr("busiest"))));
}

TEST(Difference, SeesACableThatLostEitherDirection) {
  const auto with = [](bool there, bool back) {
    NetworkBuilder builder;
    builder.add_routers(3);
    builder.add_cable(RouterId(1), 2, RouterId(2), 1);
    builder.add_cable(RouterId(2), 2, RouterId(0), 2);
    if (there && back) {
      builder.add_cable(RouterId(0), 1, RouterId(1), 1);
    } else if (there) {
      builder.add_channel(RouterId(0), 1, RouterId(1), 1);
    } else {
      builder.add_channel(RouterId(1), 1, RouterId(0), 1);
    }
    for (std::uint32_t r = 0; r < 3; ++r) builder.add_terminal(RouterId(r), 3);
    return std::move(builder).build();
  };
  const Network whole = with(true, true);
  for (const bool there : {false, true}) {
    const Network half = with(there, !there);
    const FabricDifference lost = fabric_difference(whole, half);
    EXPECT_EQ(lost.cables_one_way.size(), 1U) << there;
    EXPECT_TRUE(lost.cables_gone.empty()) << there;
    EXPECT_THAT(watched(whole, nullptr, half).hurts, Contains("1 cable has lost one direction")) << there;
    const FabricDifference back = fabric_difference(half, whole);
    EXPECT_EQ(back.cables_both_ways.size(), 1U) << there;
    EXPECT_TRUE(back.cables_come.empty()) << there;
    EXPECT_TRUE(watched(half, nullptr, whole).hurts.empty()) << there;
  }
}

TEST(Damage, AnOwnSwitchWithoutTheEntryDeliversNothing) {
  const Network network = fabric(3, kTriangle, kHosts);
  Routing old = routed(network, "minhop");
  old.table().set(RouterId(0), TerminalId(0), ForwardingTable::kNone);
  const WatchReport report = watched(network, &old, network);
  EXPECT_EQ(report.damage->lost_before, 2U);
  EXPECT_EQ(report.damage->broken, 0U);
}

TEST(Damage, LooksAtEveryAddress) {
  const Network before = fabric(3, kTriangle, kHosts);
  const Network after = fabric(3, {kTriangle[1], kTriangle[2]}, kHosts);
  // To the lowest addresses round the cable that goes, to the others by it.
  Routing old = carry_over(after, routed(after, "minhop"), before, compare_networks(after, before));
  old.further.push_back(routed(before, "minhop"));
  const WatchReport report = watched(before, &old, after);
  EXPECT_EQ(report.damage->broken, 2U);
  EXPECT_EQ(report.damage->lost_before, 0U);
}

TEST(Watch, FollowsOldTablesThroughSwappedCables) {
  // Two cables of a triangle with a tail change places at one end: the old entries go on forwarding.
  const std::vector<Plug> before_plugs{{0, 1, 1, 1, "4xHDR"},
                                       {1, 2, 2, 1, "4xHDR"},
                                       {0, 3, 2, 2, "4xHDR"},
                                       {0, 2, 3, 1, "4xHDR"},
                                       {2, 3, 3, 2, "4xHDR"}};
  std::vector<Plug> after_plugs = before_plugs;
  after_plugs[0] = {0, 1, 3, 2, "4xHDR"};
  after_plugs[4] = {2, 3, 1, 1, "4xHDR"};
  const std::vector<Host> hosts{{1, 0, 4, 1}, {2, 2, 4, 2}, {3, 3, 3, 3}};
  const Network before = fabric(4, before_plugs, hosts);
  const Network after = fabric(4, after_plugs, hosts);
  Routing old = routed(before, "minhop");
  // Router 0 to the host at 3 by router 2, whose port to 3 is the one that leads to router 1 now.
  const auto port = [&](std::uint32_t r, std::uint16_t number) {
    return before.channel_at(RouterId(r), number).value - before.out(RouterId(r)).first();
  };
  old.table().set(RouterId(0), TerminalId(2), port(0, 3));
  old.table().set(RouterId(2), TerminalId(2), port(2, 3));
  old.table().set(RouterId(1), TerminalId(2), port(1, 2));
  const WatchReport report = watched(before, &old, after);
  EXPECT_TRUE(report.before->verdict.complete());
  EXPECT_FALSE(report.carried->verdict.deadlock_free);  // router 1 sends them back to router 2
  EXPECT_GT(report.carried->verdict.looping_pairs, 0U);
  EXPECT_THAT(report.hurts, Contains("the old tables can deadlock"));
}

TEST(Watch, SaysTheSameAtAnyNumberOfThreads) {
  Progress quiet;
  const Network before = make_network("torus:5x5,p=2");
  const Routing old = routed(before, "sssp");
  const Network after = with_faults(before, parse_faults(before, "cable-count=4"));
  const WatchReport one = watch(before, &old, after, nullptr, {.threads = 1}, quiet);
  const WatchReport three = watch(before, &old, after, nullptr, {.threads = 3}, quiet);
  EXPECT_EQ(one.hurts, three.hurts);
  EXPECT_EQ(one.damage->source, three.damage->source);
  EXPECT_EQ(one.damage->destination, three.damage->destination);
}

}  // namespace
}  // namespace unknot::watch
