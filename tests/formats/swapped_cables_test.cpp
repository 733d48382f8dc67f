// SPDX-License-Identifier: Apache-2.0
// Tables in force on a fabric whose cables, hosts and LIDs are no longer where they were: reading the file of
// the old tables there says what they do, and everything that carries tables over must agree.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "formats/table_samples.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/routing/reroute/reroute.hpp"
#include "unknot/routing/reroute/transition.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/random.hpp"
#include "unknot/tables/carry_over.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/transition/plan_check.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

struct PortAt {
  RouterId router;
  std::uint16_t port;
};

/// A network taken to pieces, to be plugged together otherwise. Ids of routers and of terminals stay.
struct Plugs {
  std::vector<std::pair<PortAt, PortAt>> cables;
  std::vector<PortAt> hosts;
  std::vector<std::uint32_t> lids;  // of the hosts
  Labels labels;

  explicit Plugs(const Network& network) {
    for (const ChannelId c : network.channels()) {
      if (c < network.reverse(c)) {
        cables.push_back(
            {{network.source(c), network.source_port(c)}, {network.target(c), network.target_port(c)}});
      }
    }
    for (const TerminalId t : network.terminals()) {
      hosts.push_back({network.router_of(t), network.terminal_port(t)});
      lids.push_back(1 + t.value);
      labels.terminal_port_guid.push_back(network.terminal_port_guid(t));
    }
    for (const RouterId r : network.routers()) {
      labels.router_ports.push_back(static_cast<std::uint16_t>(network.port_count(r) + 1));
      labels.router_guid.push_back(network.router_guid(r));
      labels.router_lid.push_back(1000 + r.value);
    }
  }
  [[nodiscard]] Network network() const {
    NetworkBuilder builder;
    builder.add_routers(static_cast<std::uint32_t>(labels.router_guid.size()));
    for (const auto& [a, b] : cables) builder.add_cable(a.router, a.port, b.router, b.port);
    for (const PortAt& host : hosts) builder.add_terminal(host.router, host.port);
    builder.labels() = labels;
    builder.labels().terminal_lid = lids;
    return std::move(builder).build();
  }
  /// Exchanges ends of two cables; false where a cable would join a router to itself.
  bool swap_ends(std::size_t i, std::size_t j) {
    if (i == j || cables[i].first.router == cables[j].second.router ||
        cables[j].first.router == cables[i].second.router) {
      return false;
    }
    std::swap(cables[i].second, cables[j].second);
    return true;
  }
};

/// The same, as far as packets can tell: whether a route is missing or stray.
ForwardingTable without_stray(const Network& network, ForwardingTable table) {
  for (const RouterId r : network.routers()) {
    for (const TerminalId t : network.terminals()) {
      if (table.get(r, t) == ForwardingTable::kStray) table.set(r, t, ForwardingTable::kNone);
    }
  }
  return table;
}

/// What reading the rows of `old` on `now` gives, each LID standing for the terminal that has it there.
ForwardingTable read_there(const Network& before, const Routing& old, const Network& now) {
  const test::ScratchFolder folder;
  write_tables(before, old, "opensm-bare", folder.file("lfts"));
  std::string text = read_file(folder.file("lfts"));
  std::string rows;  // without port GUIDs: LIDs alone are what switches look at
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    const std::string line = text.substr(at, end - at);
    rows += line.starts_with("0x") ? line.substr(0, line.find(" #")) : line;
    rows += '\n';
    at = end + 1;
  }
  const test::ScratchFolder alone;
  return read_tables(now, alone.put("rows", rows)).table();
}

TEST(CarryOver, IsWhatReadingTheTablesThereGives) {
  Progress quiet;
  std::uint32_t swaps = 0;
  for (const char* spec : {"torus:4x3,p=2", "kautz:b=2,n=3,p=1", "xgft:m=4x3,w=2x2,p=1"}) {
    const Plugs whole(make_network(spec));
    const Network before = whole.network();
    const Routing old = route(before, "updn", {.virtual_lanes = 8, .parameters = {}}, quiet);
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      Random random(seed);
      Plugs plugs = whole;
      const auto cables = static_cast<std::uint32_t>(plugs.cables.size());
      for (int i = 0; i < 2; ++i)
        swaps += plugs.swap_ends(random.below(cables), random.below(cables)) ? 1 : 0;
      if (seed % 3 == 0) plugs.cables.erase(plugs.cables.begin() + random.below(cables));
      if (seed % 4 == 1) std::swap(plugs.lids[0], plugs.lids[3]);
      if (seed % 4 == 2) ++plugs.hosts[1].port;  // into the free port, where it is the last of its router
      const Network after = plugs.network();
      const NetworkChange change = compare_networks(before, after, MovedTerminals::as_new);
      EXPECT_EQ(without_stray(after, carry_over(before, old, after, change).table()),
                without_stray(after, read_there(before, old, after)))
          << spec << seed;
    }
  }
  EXPECT_GT(swaps, 40U);
}

/// The port of each router where nothing is, as Plugs makes one.
std::uint16_t free_port(const Network& network, RouterId r) {
  return network.port_count(r);
}

// Rows to empty ports and to wrong hosts, until something, or the right host, is plugged in there.
TEST(CarryOver, StrayEntriesKeepTheirPorts) {
  Progress quiet;
  std::uint32_t looping = 0;
  for (const char* spec : {"torus:4x3,p=2", "kautz:b=2,n=3,p=2"}) {
    const Plugs whole(make_network(spec));
    const Network before = whole.network();
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random random(seed);
      Routing old = route(before, "updn", {.virtual_lanes = 8, .parameters = {}}, quiet);
      for (int i = 0; i < 40; ++i) {
        const RouterId r(random.below(before.router_count()));
        const TerminalId t(random.below(before.terminal_count()));
        const TerminalId other = before.terminals_at(r)[random.below(2)];
        old.table().set_stray(
            r, t, random.below(2) == 0 || other == t ? free_port(before, r) : before.terminal_port(other));
      }
      Plugs plugs = whole;
      const RouterId a(random.below(before.router_count()));
      const RouterId b((a.value + 1 + random.below(before.router_count() - 1)) % before.router_count());
      plugs.cables.push_back({{a, free_port(before, a)}, {b, free_port(before, b)}});
      if (seed % 3 == 0) std::swap(plugs.lids[0], plugs.lids[3]);
      if (seed % 4 == 0) std::swap(plugs.hosts[1], plugs.hosts[2]);
      const Network after = plugs.network();
      const NetworkChange change = compare_networks(before, after, MovedTerminals::as_new);
      const Routing carried = carry_over(before, old, after, change);
      EXPECT_EQ(without_stray(after, carried.table()), without_stray(after, read_there(before, old, after)))
          << spec << seed;
      looping += verify(after, carried, {}, quiet).deadlock_free ? 0 : 1;
      // the cable is pulled again: nothing is forgotten
      const Routing back =
          carry_over(after, carried, before, compare_networks(after, before, MovedTerminals::as_new));
      if (seed % 12 == 0) continue;
      EXPECT_EQ(without_stray(before, back.table()), without_stray(before, old.table())) << spec << seed;
    }
  }
  EXPECT_GT(looping, 5U);
}

TEST(TableFiles, WriteThePortOfAStrayEntry) {
  Progress quiet;
  const Network network = Plugs(make_network("ring:4,p=2")).network();
  Routing routing = route(network, "minhop", {.virtual_lanes = 1, .parameters = {}}, quiet);
  const RouterId r(2);
  routing.table().set_stray(r, TerminalId(0), free_port(network, r));
  routing.table().set_stray(r, TerminalId(1), network.terminal_port(TerminalId(4)));
  routing.table().set(r, TerminalId(2), ForwardingTable::kStray);
  for (const char* format : {"opensm", "opensm-bare", "json"}) {
    const test::ScratchFolder folder;
    write_tables(network, routing, format, folder.file("tables"));
    const ForwardingTable read = read_tables(network, folder.file("tables")).table();
    EXPECT_EQ(read.stray_port(r, TerminalId(0)), free_port(network, r)) << format;
    EXPECT_EQ(read.stray_port(r, TerminalId(1)), network.terminal_port(TerminalId(4))) << format;
    EXPECT_EQ(read.stray_port(r, TerminalId(2)), 0) << format;
  }
}

TEST(CarryOver, SwappedParallelCablesAreNoLoss) {
  Progress quiet;
  NetworkBuilder builder;
  builder.add_routers(2);
  for (int i = 0; i < 2; ++i) builder.add_cable(RouterId(0), RouterId(1));
  for (std::uint32_t r = 0; r < 2; ++r) builder.add_terminal(RouterId(r));
  const Plugs whole(std::move(builder).build());
  Plugs plugs = whole;
  ASSERT_TRUE(plugs.swap_ends(0, 1));
  const Network before = whole.network();
  const Network after = plugs.network();
  const Routing old = route(before, "minhop", {.virtual_lanes = 1, .parameters = {}}, quiet);
  const Routing carried = carry_over(before, old, after, compare_networks(before, after));
  EXPECT_TRUE(verify(after, carried, {}, quiet).complete());
}

TEST(CarryOver, MovedHostsSendWithTheLevelsTheyHad) {
  Progress quiet;
  const Plugs whole(make_network("torus:3x3,p=2"));
  const Network before = whole.network();
  Routing old = route(before, "dfsssp", {.virtual_lanes = 8, .parameters = {}}, quiet);
  ASSERT_GT(old.service_levels.highest(), 0);
  // Each adapter has lanes of its own, which tell it apart.
  auto map = std::make_shared<LaneMap>(before, std::uint8_t{8});
  for (const TerminalId t : before.terminals()) {
    LaneMap::Row row{};
    row.fill(LaneMap::kDrop);
    row[t.value % 15] = static_cast<std::uint8_t>(t.value / 15);
    map->set_source(before, t, row);
  }
  old.lane_map = map;
  Plugs moved = whole;
  std::swap(moved.hosts[1], moved.hosts[8]);  // GUIDs go with the hosts, and so do their LIDs
  Plugs readdressed = whole;
  std::rotate(readdressed.lids.begin(), readdressed.lids.begin() + 2, readdressed.lids.end());
  for (const Plugs* plugs : {&moved, &readdressed}) {
    const Network after = plugs->network();
    const NetworkChange change = compare_networks(before, after, MovedTerminals::as_new);
    ASSERT_FALSE(change.moved_terminals.empty());
    const Routing carried = carry_over(before, old, after, change);
    std::vector<TerminalId> host(after.terminal_count());  // in the old network
    std::vector<TerminalId> holder(after.terminal_count());
    for (const TerminalId t : after.terminals()) {
      for (const TerminalId o : before.terminals()) {
        if (before.terminal_port_guid(o) == after.terminal_port_guid(t)) host[t.value] = o;
        if (before.terminal_lid(o) == after.terminal_lid(t)) holder[t.value] = o;
      }
    }
    for (const TerminalId s : after.terminals()) {
      ASSERT_NE(carried.lane_map->source(s), nullptr);
      EXPECT_EQ(*carried.lane_map->source(s), *old.lane_map->source(host[s.value]));
      for (const TerminalId d : after.terminals()) {
        if (s == d || host[s.value] == holder[d.value]) continue;
        EXPECT_EQ(carried.service_levels.get(s, d), old.service_levels.get(host[s.value], holder[d.value]));
      }
    }
  }
}

/// The plan, made from the changes alone, leads from what the switches do to the new tables, safely.
void expect_sound(const Network& before, const Routing& old, const Network& after, const std::string& name,
                  std::uint32_t& planned) {
  Progress quiet;
  const Rerouted result = reroute(before, old, after, compare_networks(before, after), 8, quiet);
  const Verdict verdict = verify(after, result.routing, {}, quiet);
  EXPECT_TRUE(verdict.complete()) << name;
  EXPECT_TRUE(verdict.deadlock_free) << name;
  EXPECT_LE(result.entries_minimum, result.entries.size()) << name;
  const Routing in_force = before_reroute(result);
  EXPECT_EQ(without_stray(after, in_force.table()), without_stray(after, read_there(before, old, after)))
      << name;
  try {
    const Transition transition =
        plan_transition(after, result, [&](const Routing& from, std::span<const TransitionStep> steps) {
          return verify_plan(after, from, steps, 1, quiet).first_unsafe();
        });
    ++planned;
    Routing at = in_force;
    if (at.service_levels.empty()) at.service_levels = transition.before.service_levels;
    EXPECT_TRUE(verify_plan(after, at, transition.steps, 1, quiet).deadlock_free()) << name;
    for (const TransitionStep& step : transition.steps) apply_step(step, at);
    EXPECT_EQ(at.table(), result.routing.table()) << name;
  } catch (const RoutingFailure&) {
    // then it must be true: the old tables lock on the fabric as it is, before anything is done
    Routing alone = in_force;
    EXPECT_FALSE(verify_plan(after, alone, std::vector<TransitionStep>(1), 1, quiet).deadlock_free()) << name;
  }
}

TEST(Reroute, PlansAfterSwappedCablesStartFromWhatTheSwitchesDo) {
  Progress quiet;
  std::uint32_t planned = 0, runs = 0;
  for (const char* spec : {"torus:4x3,p=1", "random:switches=10,links=20,terminals=10"}) {
    const Plugs whole(make_network(spec));
    const Network before = whole.network();
    const Routing old = route(before, "updn", {.virtual_lanes = 8, .parameters = {}}, quiet);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random random(seed);
      Plugs plugs = whole;
      const auto cables = static_cast<std::uint32_t>(plugs.cables.size());
      if (!plugs.swap_ends(random.below(cables), random.below(cables))) continue;
      ++runs;
      expect_sound(before, old, plugs.network(), std::string(spec) + " " + std::to_string(seed), planned);
    }
  }
  EXPECT_GT(runs, 20U);
  EXPECT_GT(planned, 5U);
  EXPECT_LT(planned, runs);  // some of the old tables lock at once
}

TEST(Reroute, ANewHostsOwnSwitchGetsItsEntryToo) {
  Progress quiet;
  const Plugs whole(make_network("torus:3x3,p=2"));
  Plugs fewer = whole;
  fewer.hosts.erase(fewer.hosts.begin() + 4);
  fewer.lids.erase(fewer.lids.begin() + 4);
  fewer.labels.terminal_port_guid.erase(fewer.labels.terminal_port_guid.begin() + 4);
  const Network before = fewer.network();
  const Network after = whole.network();
  const Routing old = route(before, "updn", {.virtual_lanes = 8, .parameters = {}}, quiet);
  std::uint32_t planned = 0;
  expect_sound(before, old, after, "a host has come", planned);
  // and with the LID of one that has gone, to which rows are still there
  Plugs other = whole;
  other.labels.terminal_port_guid[4] += 0x100000;
  expect_sound(whole.network(), route(whole.network(), "updn", {.virtual_lanes = 8, .parameters = {}}, quiet),
               other.network(), "a host in the place of another", planned);
  EXPECT_EQ(planned, 2U);
}

TEST(Reroute, AHostAtAnotherPortOfItsSwitchGetsItsEntry) {
  Progress quiet;
  const Plugs whole(make_network("torus:3x3,p=2"));
  Plugs plugs = whole;
  ++plugs.hosts[1].port;
  const Network before = whole.network();
  std::uint32_t planned = 0;
  expect_sound(before, route(before, "updn", {.virtual_lanes = 8, .parameters = {}}, quiet), plugs.network(),
               "moved by a port", planned);
  EXPECT_EQ(planned, 1U);
}

}  // namespace
}  // namespace unknot
