// SPDX-License-Identifier: Apache-2.0
#include "unknot/watch/follow/follower.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>

#include "refusal.hpp"
#include "routed.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/formats/multicast/multicast_file.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/load/flow_load.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/routing/management/management.hpp"
#include "unknot/routing/multicast/multicast.hpp"
#include "unknot/topology/catalogue.hpp"
#include "watch/in_folder.hpp"

namespace unknot::watch {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

class Follow : public test::InFolder {
 protected:
  FollowOptions options() const {
    FollowOptions options;
    options.state = path("state");
    options.install = path("sets");
    return options;
  }
  /// A dump, written and read back.
  ReadDump dump(const Follower& follower, const std::string& name, const Network& network) const {
    write("in/" + name + "/fabric", "");
    write_fabric(network, "json", path("in/" + name + "/fabric"));
    return follower.read({name, path("in/" + name + "/fabric"), {}, true, ++stamp_});
  }
  FollowEvent take(Follower& follower, const std::string& name, const Network& network) const {
    const ReadDump read = dump(follower, name, network);
    const FollowEvent event = follower.take(read, true);
    follower.keep(read.dump, event, 0);
    return event;
  }
  static Network without(const Network& network, const std::string& faults) {
    return with_faults(network, parse_faults(network, faults));
  }
  Progress quiet_;

 private:
  mutable std::uint64_t stamp_ = 0;
};

TEST_F(Follow, InstallsWhatIsProvenAfterEachChange) {
  const Network whole = make_network("torus:4x4,p=2");
  Follower follower(options(), quiet_);
  const FollowEvent first = take(follower, "1", whole);
  EXPECT_EQ(first.action, FollowAction::routed);
  EXPECT_EQ(first.verdict, FollowVerdict::proven);
  EXPECT_EQ(first.set, "set-000001");
  const FollowEvent same = take(follower, "2", whole);
  EXPECT_EQ(same.action, FollowAction::none);
  EXPECT_EQ(same.changed_cables, 0U);
  EXPECT_THAT(same.sentence, HasSubstr("nothing has changed"));

  const FollowEvent gone = take(follower, "3", without(whole, "cables=S-1-S-2,terminals=H-9"));
  EXPECT_EQ(gone.action, FollowAction::rerouted);
  EXPECT_EQ(gone.verdict, FollowVerdict::proven);
  EXPECT_EQ(gone.changed_cables, 1U);
  EXPECT_EQ(gone.changed_hosts, 1U);
  EXPECT_GT(gone.broken_pairs, 0U);
  EXPECT_GT(gone.entries_changed, 0U);
  EXPECT_THAT(gone.hurts, Contains("1 cable is gone"));

  const FollowEvent back = take(follower, "4", whole);
  EXPECT_EQ(back.action, FollowAction::rerouted);
  EXPECT_EQ(back.set, "set-000003");
  EXPECT_EQ(back.lost_pairs, 0U);
  EXPECT_EQ(follower.state().installed, 3U);
}

/// Each path of the files walked here, on the whole fabric and on what is left, by no code of the checker.
TEST_F(Follow, InstallsFilesThatLeadToEveryHostThatCanBeReached) {
  const Network whole = make_network("random:switches=12,links=22,terminals=24,seed=5");
  Follower follower(options(), quiet_);
  for (std::uint32_t step = 0; step < 40; ++step) {
    const Network now =
        step % 5 == 4 ? whole : without(whole, fmt::format("cable-count={},seed={}", 1 + step % 9, step));
    if (weakly_connected_parts(now).count > 1) continue;
    const FollowEvent event = take(follower, "dump", now);
    EXPECT_EQ(event.verdict, FollowVerdict::proven) << event.sentence;
    const Network filed = read_fabric(path("sets/current/fabric"));
    ASSERT_EQ(filed.channel_count(), now.channel_count());
    const Routing routing = read_routing(filed, path("sets/current/lfts"), path("sets/current/lanes"), "");
    std::uint64_t lost = 0;
    std::vector<ChannelId> hops;
    for (const TerminalId from : filed.terminals()) {
      for (const TerminalId to : filed.terminals()) {
        hops.clear();
        if (from != to && !append_delivered(filed, routing, true, from, to, hops)) ++lost;
      }
    }
    EXPECT_EQ(lost, disconnected_pairs(now).count);
    EXPECT_EQ(event.lost_pairs, lost);
    EXPECT_EQ(event.cut_pairs, lost);
  }
}

TEST_F(Follow, GoesOnWhereItWasLeft) {
  const Network whole = make_network("torus:4x4,p=2");
  const Network less = without(whole, "cables=S-1-S-2");
  Dump known;
  {
    Follower follower(options(), quiet_);
    take(follower, "1", whole);
    const ReadDump read = dump(follower, "2", less);
    follower.keep(read.dump, follower.take(read, true), 0);
    known = read.dump;
    EXPECT_THAT(refusal([&] { Follower second(options(), quiet_); }), HasSubstr("another process"));
  }
  Follower follower(options(), quiet_);
  EXPECT_TRUE(follower.knows(known));
  EXPECT_EQ(follower.state().dumps, 2U);
  const FollowEvent back = take(follower, "3", whole);
  EXPECT_EQ(back.changed_cables, 1U);
  EXPECT_EQ(back.action, FollowAction::rerouted);
  EXPECT_EQ(back.set, "set-000003");
}

TEST_F(Follow, ASetThatSomebodyHasDamagedIsMadeAnew) {
  const Network whole = make_network("torus:4x4,p=2");
  FollowOptions with_lanes = options();
  with_lanes.request.engine = "dfsssp";
  Dump known;
  {
    Follower follower(with_lanes, quiet_);
    const ReadDump read = dump(follower, "1", whole);
    follower.keep(read.dump, follower.take(read, true), 0);
    known = read.dump;
  }
  // All levels 0: the rings of the torus close.
  std::string lanes;
  std::istringstream lines(content(path("sets/current/lanes")));
  for (std::string line; std::getline(lines, line);)
    lanes += line.starts_with("0x") ? line.substr(0, line.rfind(' ')) + " 0\n" : line + "\n";
  write("sets/current/lanes", lanes);
  Follower follower(with_lanes, quiet_);
  EXPECT_FALSE(follower.knows(known));
  const FollowEvent event = take(follower, "1", whole);
  EXPECT_EQ(event.action, FollowAction::routed);
  EXPECT_EQ(event.verdict, FollowVerdict::proven);
  EXPECT_THAT(event.hurts, Contains(HasSubstr("can deadlock")));
  EXPECT_EQ(event.set, "set-000002");
}

TEST_F(Follow, ASetThatIsNoLongerProvenIsSaidWithoutADump) {
  const Network whole = make_network("torus:5x5");
  FollowOptions with_lanes = options();
  with_lanes.request.engine = "dfsssp";
  {
    Follower follower(with_lanes, quiet_);
    ASSERT_EQ(take(follower, "1", whole).verdict, FollowVerdict::proven);
    EXPECT_EQ(follower.damage(), "");
    follower.tell();
  }
  std::string levels = content(path("sets/current/lanes"));
  for (std::size_t end = levels.find('\n'); end != std::string::npos; end = levels.find('\n', end + 1))
    levels[end - 1] = '0';
  write("sets/current/lanes", levels);
  {
    const Follower follower(with_lanes, quiet_);
    EXPECT_NE(follower.damage(), "");
    EXPECT_EQ(follower.state().verdict, FollowVerdict::deadlock);
  }
  // Gone altogether: what is made anew is to be told again.
  std::filesystem::remove_all(path("sets"));
  Follower follower(with_lanes, quiet_);
  EXPECT_THAT(follower.damage(), HasSubstr("the installed set is gone"));
  EXPECT_EQ(take(follower, "1", whole).set, "set-000001");
  EXPECT_EQ(follower.untold(), 1U);
  EXPECT_EQ(follower.damage(), "");
}

TEST_F(Follow, LanesThatAreNoLongerThereTakeNewTables) {
  const Network whole = make_network("torus:4x4");
  FollowOptions fewer = options();
  fewer.request.engine = "dfsssp";
  {
    Follower follower(fewer, quiet_);
    ASSERT_GT(take(follower, "1", whole).lanes, 4U);
  }
  fewer.request.virtual_lanes = 4;
  Follower follower(fewer, quiet_);
  const FollowEvent event = take(follower, "2", whole);
  EXPECT_EQ(event.set, "set-000002");
  EXPECT_LE(event.lanes, 4U);
}

TEST_F(Follow, KeepsTheLastGoodTablesWhereNoOthersAreProven) {
  const Network whole = make_network("torus:4x4,p=2");
  FollowOptions good = options();
  good.request.engine = "dfsssp";
  {
    Follower follower(good, quiet_);
    EXPECT_EQ(take(follower, "1", whole).action, FollowAction::routed);
  }
  const std::string before = content(path("sets/current/lfts"));
  // An engine whose tables can deadlock, and fewer lanes than the old ones need.
  FollowOptions bad = good;
  bad.request.engine = "minhop";
  bad.request.virtual_lanes = 1;
  Follower follower(bad, quiet_);
  const FollowEvent event = take(follower, "2", without(whole, "cables=S-1-S-2"));
  EXPECT_EQ(event.action, FollowAction::kept);
  EXPECT_EQ(event.set, "set-000001");
  EXPECT_EQ(content(path("sets/current/lfts")), before);
  EXPECT_EQ(event.verdict, FollowVerdict::lost);
  EXPECT_EQ(event.lost_pairs, event.broken_pairs);
  EXPECT_THAT(event.sentence, HasSubstr("new tables are not installed: can deadlock"));
  EXPECT_FALSE(std::filesystem::exists(path("sets/set-000002")));
}

TEST_F(Follow, OfSeveralThatWaitTheNewestAloneIsInstalled) {
  const Network whole = make_network("torus:4x4,p=2");
  Follower follower(options(), quiet_);
  take(follower, "1", whole);
  const ReadDump old = dump(follower, "2", without(whole, "cables=S-1-S-2"));
  const FollowEvent passed = follower.take(old, false);
  EXPECT_EQ(passed.action, FollowAction::none);
  EXPECT_EQ(passed.set, "set-000001");
  EXPECT_EQ(passed.verdict, FollowVerdict::lost);
  EXPECT_EQ(take(follower, "3", whole).action, FollowAction::none);
}

TEST_F(Follow, ProvesTheTablesOfADump) {
  const Network whole = make_network("torus:4x4,p=2");
  FollowOptions watching;
  watching.state = path("state");
  {
    Follower follower(watching, quiet_);
    EXPECT_EQ(take(follower, "0", whole).verdict, FollowVerdict::unknown);
    write("in/1/fabric", "");
    write_fabric(whole, "json", path("in/1/fabric"));
    write_tables(whole, routed(whole, "minhop"), "opensm", path("in/1/lfts"));
    Dump told{"1", path("in/1/fabric"), {path("in/1/lfts"), "", ""}, true, 0};
    told.stamp = stamp_of(told);
    const ReadDump read = follower.read(told);
    const FollowEvent event = follower.take(read, true);
    EXPECT_EQ(event.verdict, FollowVerdict::deadlock);
    EXPECT_THAT(event.hurts, Contains("the new tables can deadlock"));
    follower.keep(told, event, 0);
  }
  // Whoever is started again knows them still, and follows them on the next fabric.
  Follower follower(watching, quiet_);
  const FollowEvent event = take(follower, "2", without(whole, "cables=S-1-S-2"));
  EXPECT_EQ(event.verdict, FollowVerdict::deadlock);
  EXPECT_GT(event.broken_pairs, 0U);
  EXPECT_EQ(event.lost_pairs, event.broken_pairs);
  EXPECT_EQ(event.set, "");
}

TEST_F(Follow, WhatIsCutOffFromTheManagerIsGone) {
  const Network whole = make_network("mesh:4x2");
  Follower follower(options(), quiet_);
  take(follower, "1", whole);
  // ibnetdiscover sees the part it is in; a dump that shows both has lost what joins them.
  const FollowEvent event = take(follower, "2", without(whole, "routers=S-6+S-7"));
  EXPECT_EQ(event.verdict, FollowVerdict::proven);
  EXPECT_EQ(event.changed_routers, 2U);
  EXPECT_EQ(event.pairs, 30U);
  EXPECT_THAT(event.hurts, Contains("2 terminals are gone"));
  EXPECT_THAT(refusal([&] { (void)dump(follower, "3", without(whole, "cables=S-4-S-6+S-5-S-7")); }),
              HasSubstr("the fabric is in 2 parts that no cable joins"));
  EXPECT_EQ(take(follower, "4", whole).action, FollowAction::rerouted);
}

/// Mended tables that would pass through a closed router are made anew instead; what is installed never does.
TEST_F(Follow, RoutersWithoutTransitStayClosedAfterEachChange) {
  const Network whole = make_network("torus:4x4,p=2");
  const std::vector<RouterId> closed{RouterId(5), RouterId(10)};
  FollowOptions closing = options();
  closing.request.engine = "dfsssp";
  closing.request.guidance = [&](const Network& network) {
    return Guidance{.no_transit = {whole.router_guid(closed[0]), whole.router_guid(closed[1])},
                    .order = {network.terminal_port_guid(TerminalId(7))}};
  };
  Follower follower(closing, quiet_);
  std::uint32_t mended = 0;
  std::uint32_t anew = 0;
  for (std::uint32_t step = 0; step < 24; ++step) {
    const Network now = step % 3 == 2 ? whole : without(whole, fmt::format("cable-count=1,seed={}", step));
    const FollowEvent event = take(follower, "dump", now);
    ASSERT_EQ(event.verdict, FollowVerdict::proven) << event.sentence;
    mended += event.action == FollowAction::rerouted;
    anew += event.action == FollowAction::routed && step > 0;
    const Network filed = read_fabric(path("sets/current/fabric"));
    const Routing routing = read_routing(filed, path("sets/current/lfts"), path("sets/current/lanes"), "");
    for (const TerminalId from : filed.terminals()) {
      for (const TerminalId to : filed.terminals()) {
        std::vector<ChannelId> hops;
        if (from == to || !append_delivered(filed, routing, true, from, to, hops)) continue;
        for (std::size_t i = 1; i < hops.size(); ++i)
          ASSERT_EQ(std::count(closed.begin(), closed.end(), filed.source(hops[i])), 0) << step;
      }
    }
  }
  EXPECT_GT(mended, 0U);
  EXPECT_GT(anew, 0U);
}

/// Who closes a router later has the installed tables made anew, without any change of the fabric.
TEST_F(Follow, ARouterThatIsClosedLaterTakesNewTables) {
  const Network whole = make_network("torus:4x4,p=2");
  std::vector<std::uint64_t> closed;
  FollowOptions closing = options();
  closing.request.engine = "updn";
  closing.request.guidance = [&](const Network&) { return Guidance{.no_transit = closed}; };
  Follower follower(closing, quiet_);
  EXPECT_EQ(take(follower, "1", whole).action, FollowAction::routed);
  EXPECT_EQ(take(follower, "2", whole).action, FollowAction::none);
  closed = {whole.router_guid(RouterId(5))};
  const FollowEvent event = take(follower, "3", whole);
  EXPECT_EQ(event.action, FollowAction::routed);
  EXPECT_THAT(event.sentence, HasSubstr("mended ones pass through S-5"));
}

/// Hosts that get a copy of a packet of one of them, each as often as it does, walked from port to port by no
/// code of the checker; ends after as many hops as there are channels.
std::map<std::uint32_t, std::uint32_t> copies_of(const Network& network, const MulticastGroup& group,
                                                 TerminalId from) {
  std::map<std::uint32_t, std::uint32_t> copies;
  struct Place {
    RouterId router;
    std::uint16_t came_by;
  };
  std::vector<Place> open{{network.router_of(from), network.terminal_port(from)}};
  for (std::size_t i = 0; i < open.size() && i <= network.channel_count(); ++i) {
    const Place at = open[i];
    for (const std::uint16_t port : group.ports(at.router)) {
      if (port == at.came_by) continue;
      for (const TerminalId t : network.terminals_at(at.router)) {
        if (network.terminal_port(t) == port) ++copies[t.value];
      }
      for (const ChannelId c : network.out(at.router)) {
        if (network.source_port(c) == port) open.push_back({network.target(c), network.target_port(c)});
      }
    }
  }
  return copies;
}

TEST_F(Follow, AMulticastTreeOfAllHostsIsInEachSet) {
  const Network whole = make_network("random:switches=12,links=22,terminals=24,seed=5");
  FollowOptions trees = options();
  trees.request.trees = true;
  Follower follower(trees, quiet_);
  std::optional<std::uint8_t> level;
  for (std::uint32_t step = 0; step < 24; ++step) {
    const Network now =
        step % 5 == 4 ? whole : without(whole, fmt::format("cable-count={},seed={}", 1 + step % 6, step));
    if (weakly_connected_parts(now).count > 1) continue;
    const FollowEvent event = take(follower, "dump", now);
    EXPECT_EQ(event.verdict, FollowVerdict::proven) << event.sentence;
    EXPECT_EQ(event.lost_multicast_pairs, 0U);
    EXPECT_THAT(event_line(event), HasSubstr(R"("traffic":["data","management","multicast"])"));
    const Network filed = read_fabric(path("sets/current/fabric"));
    const MulticastTables tables = read_multicast_tables(filed, path("sets/current/trees"));
    ASSERT_EQ(tables.groups.size(), 1U);
    const std::uint8_t now_on = tables.groups[0].level();
    if (level && *level != now_on) {
      EXPECT_THAT(event.hurts, Contains(HasSubstr("the multicast tree is on service level")));
    }
    level = now_on;
    for (const TerminalId from : filed.terminals()) {
      const auto copies = copies_of(filed, tables.groups[0], from);
      EXPECT_EQ(copies.size(), filed.terminal_count() - 1);
      for (const auto& [to, count] : copies) EXPECT_EQ(count, 1U) << to;
    }
  }
}

TEST_F(Follow, ATreeIsAddedToASetThatHasNone) {
  const Network whole = make_network("torus:4x4,p=2");
  {
    Follower follower(options(), quiet_);
    EXPECT_EQ(take(follower, "1", whole).lost_multicast_pairs, std::nullopt);
  }
  FollowOptions trees = options();
  trees.request.trees = true;
  Follower follower(trees, quiet_);
  const FollowEvent event = take(follower, "2", whole);
  EXPECT_EQ(event.set, "set-000002");
  EXPECT_EQ(event.entries_changed, 0U);
  EXPECT_EQ(event.lost_multicast_pairs, 0U);
  EXPECT_EQ(take(follower, "3", whole).action, FollowAction::none);
}

/// A tree that has no room for all is not called whole.
TEST_F(Follow, ATreeThatLeavesHostsOutIsSaid) {
  const Network whole = make_network("torus:4x4");
  FollowOptions trees = options();
  trees.request.trees = true;
  std::string set;
  {
    Follower follower(trees, quiet_);
    set = take(follower, "1", whole).set;
  }
  // As if the tree had not reached the last host.
  const MulticastTables all = read_multicast_tables(whole, path("sets/" + set + "/trees"));
  std::vector<MulticastPort> ports;
  const TerminalId last(15);
  for (const RouterId r : all.groups[0].routers()) {
    for (const std::uint16_t port : all.groups[0].ports(r)) {
      if (r != whole.router_of(last) || port != whole.terminal_port(last)) ports.push_back({r, port});
    }
  }
  write_multicast_tables(whole,
                         {{MulticastGroup(0xC000, all.groups[0].level(), whole.router_count(), ports)}},
                         path("sets/" + set + "/trees"));
  Follower follower(trees, quiet_);
  const FollowEvent event = take(follower, "2", whole);
  EXPECT_EQ(event.verdict, FollowVerdict::lost);
  EXPECT_EQ(event.lost_multicast_pairs, 16U * 15 - 15 * 14);
  EXPECT_THAT(event.sentence, HasSubstr("the multicast tree leaves out 1 of 16 hosts"));
}

TEST_F(Follow, DataAloneIsProvenAloneWhereThatIsAskedFor) {
  for (const char* spec : {"torus:4x4", "kary-ntree:k=2,n=3"}) {
    SCOPED_TRACE(spec);
    FollowOptions data = options();
    data.state = path(std::string("state-") + spec);
    data.install = path(std::string("sets-") + spec);
    data.request.engine = "dfsssp";
    data.request.management = false;
    Follower follower(data, quiet_);
    const FollowEvent event = take(follower, "1", make_network(spec));
    EXPECT_EQ(event.verdict, FollowVerdict::proven) << event.sentence;
    EXPECT_EQ(event.action, FollowAction::routed);
    EXPECT_FALSE(event.management);
  }
}

TEST_F(Follow, ProvesTheTreesOfADump) {
  const Network whole = make_network("torus:4x4,p=2");
  FollowOptions watching;
  watching.state = path("state");
  Follower follower(watching, quiet_);
  // The tree of other tables closes a cycle with these on the lane of their level, and with none elsewhere.
  EngineRequest request;
  request.virtual_lanes = 3;
  const ManagedNetwork managed = managed_network(whole);
  const Routing routing = with_management(whole, route(whole, "dfsssp", request, quiet_), managed,
                                          {.lanes = 4, .hosts = {}}, quiet_)
                              .routing;
  MulticastRequest wanted;
  wanted.groups = {all_hosts(whole)};
  const MulticastTables trees = multicast_trees(whole, routed(whole, "updn"), wanted, quiet_).tables;
  write("in/1/fabric", "");
  write_fabric(whole, "json", path("in/1/fabric"));
  write_tables(managed.network, routing, "opensm", path("in/1/lfts"));
  write_service_levels(managed.network, routing, path("in/1/lanes"));
  write_multicast_tables(whole, trees, path("in/1/trees"));
  const auto told = [&] {
    Dump dump{"1", path("in/1/fabric"), {path("in/1/lfts"), path("in/1/lanes")}, true, 0};
    dump.tables.trees = path("in/1/trees");
    if (std::filesystem::exists(path("in/1/groups"))) dump.tables.groups = path("in/1/groups");
    dump.stamp = stamp_of(dump);
    return follower.take(follower.read(dump), true);
  };
  EXPECT_EQ(told().verdict, FollowVerdict::deadlock);
  write("in/1/groups", "0xC000 sl=5 all\n");
  const FollowEvent apart = told();
  EXPECT_EQ(apart.verdict, FollowVerdict::proven) << apart.sentence;
  EXPECT_EQ(apart.lost_multicast_pairs, 0U);
  write("in/1/groups", "0xC000 sl=15 all\n");
  EXPECT_THAT(refusal([&] { (void)told(); }), HasSubstr("lane 15, which carries no data"));
  // A cable of the tree dies: its members no longer get all.
  std::filesystem::remove(path("in/1/groups"));
  write("in/1/groups", "0xC000 sl=5 all\n");
  (void)told();
  std::uint64_t most = 0;
  for (const char* cable : {"S-0-S-1", "S-1-S-2", "S-0-S-4", "S-4-S-8", "S-5-S-6"}) {
    const ReadDump read = dump(follower, "2", without(whole, std::string("cables=") + cable));
    const FollowEvent event = follower.take(read, true);
    EXPECT_EQ(event.verdict, FollowVerdict::lost);
    most = std::max(most, event.lost_multicast_pairs.value());
  }
  EXPECT_GT(most, 0U);
}

TEST_F(Follow, AHostThatMovesTakesNewTables) {
  const Network before = make_network("torus:4x4");
  Follower follower(options(), quiet_);
  take(follower, "1", before);
  const FollowEvent event = take(follower, "2", make_network("torus:4x4,p=2"));
  EXPECT_EQ(event.verdict, FollowVerdict::proven) << event.sentence;
  EXPECT_THAT(event.set, "set-000002");
}

}  // namespace
}  // namespace unknot::watch
