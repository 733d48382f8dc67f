// SPDX-License-Identifier: Apache-2.0
// Routes to and from the routers themselves: what they must do is said here from the definitions, and the
// checker judges data and management together.
#include "unknot/routing/management/management.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "effort.hpp"
#include "routed.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/tables/lane_function.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

ManagedRouting manage(const Network& network, const Routing& data, const ManagedNetwork& managed,
                      const ManagementRequest& request = {.lanes = kMaxLanes, .hosts = {}}) {
  Progress quiet;
  return with_management(network, data, managed, request, quiet);
}

Verdict judged(const Network& network, const Routing& routing) {
  Progress quiet;
  return verify(network, routing, {}, quiet);
}

bool every_router_has_hosts(const Network& network) {
  const auto routers = network.routers();
  return std::none_of(routers.begin(), routers.end(),
                      [&](RouterId r) { return network.terminals_at(r).empty(); });
}

/// Channels of the way that a pair's packets take; empty where the tables do not deliver.
std::vector<ChannelId> way(const Network& network, const Routing& routing, TerminalId source, TerminalId to) {
  std::vector<ChannelId> channels;
  for (RouterId at = network.router_of(source); at != network.router_of(to);) {
    const ChannelId next = routing.table().next(network, at, to);
    if (!next.valid() || channels.size() > network.router_count()) return {};
    channels.push_back(next);
    at = network.target(next);
  }
  return channels;
}

/// Packets of hosts go as they went, on the levels that they had.
void expect_data_unchanged(const Network& network, const Routing& data, const ManagedNetwork& managed,
                           const Routing& routing) {
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId d : network.terminals()) {
      if (s == d) continue;
      const TerminalId source = managed.of_terminal[s.value];
      const TerminalId to = managed.of_terminal[d.value];
      ASSERT_EQ(way(network, data, s, d), way(managed.network, routing, source, to));
      ASSERT_EQ(data.service_levels.get(s, d), routing.service_levels.get(source, to));
    }
  }
}

TEST(ManagedNetwork, HasATerminalMoreAtEachRouter) {
  const Network network = make_network("fattree2:4,p=2");
  const ManagedNetwork managed = managed_network(network);
  const Network& with = managed.network;
  ASSERT_EQ(with.router_count(), network.router_count());
  ASSERT_EQ(with.channel_count(), network.channel_count());
  ASSERT_EQ(with.terminal_count(), network.terminal_count() + network.router_count());
  EXPECT_EQ(with.router_lid(RouterId(0)), network.router_lid(RouterId(0)));
  for (const RouterId r : network.routers()) {
    const TerminalId own = managed.of_router[r.value];
    EXPECT_EQ(with.own_port(r), own);
    EXPECT_FALSE(network.own_port(r).valid());
    EXPECT_EQ(with.router_of(own), r);
    EXPECT_EQ(with.terminal_port(own), 0);
    EXPECT_EQ(with.terminal_at(r, 0), own);
    EXPECT_EQ(with.terminal_name(own), network.router_name(r));
    EXPECT_EQ(with.terminal_port_guid(own), network.router_guid(r));
    EXPECT_EQ(with.terminal_lid(own), network.router_lid(r));
    EXPECT_FALSE(managed.host[own.value].valid());
    EXPECT_EQ(with.port_count(r), network.port_count(r));
  }
  for (const TerminalId t : network.terminals()) {
    const TerminalId same = managed.of_terminal[t.value];
    EXPECT_EQ(managed.host[same.value], t);
    EXPECT_EQ(with.terminal_name(same), network.terminal_name(t));
    EXPECT_EQ(with.terminal_lid(same), network.terminal_lid(t));
    EXPECT_EQ(with.terminal_node_guid(same), network.terminal_node_guid(t));
    EXPECT_EQ(with.terminal_port(same), network.terminal_port(t));
  }
}

class ManagementOf : public testing::TestWithParam<std::string> {};

TEST_P(ManagementOf, IsProvenWithTheData) {
  const Engine& engine = find_engine(GetParam());
  int proven = 0;
  for (const Topology& row : topologies()) {
    for (const std::string& spec : row.examples) {
      const Network network = make_network(spec);
      if (!refusal(engine, network).empty()) continue;
      const std::uint32_t most = !fewer_cases() ? 400 : engine.name == "exact" ? 40 : 100;
      if (network.terminal_count() > most) continue;
      const Routing data = routed(network, engine.name == "unknot" ? "unknot:effort=0.05" : engine.name);
      if (data.routes() != nullptr) continue;
      const ManagedNetwork managed = managed_network(network);
      const ManagedRouting result = manage(network, data, managed);
      const Verdict before = judged(network, data);
      const Verdict after = judged(managed.network, result.routing);
      EXPECT_EQ(before.deadlock_free, after.deadlock_free) << spec;
      EXPECT_EQ(after.unroutable_pairs, result.left_out.size()) << spec;
      EXPECT_TRUE(after.loop_free()) << spec;
      EXPECT_EQ(result.routing.virtual_lanes, data.virtual_lanes + result.lanes_more) << spec;
      if (every_router_has_hosts(network)) {
        EXPECT_EQ(result.lanes_more, 0U) << spec;
        EXPECT_TRUE(result.left_out.empty()) << spec;
        EXPECT_EQ(after.lanes_used, before.lanes_used) << spec;
      }
      expect_data_unchanged(network, data, managed, result.routing);
      ++proven;
    }
  }
  EXPECT_GT(proven, 0);
}

std::vector<std::string> engines_with_tables() {
  std::vector<std::string> names;
  for (const Engine& engine : engines()) {
    if (!engine.gives_routes) names.push_back(engine.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, ManagementOf, testing::ValuesIn(engines_with_tables()),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Management, TakesNoLaneMoreOnTrees) {
  for (const char* spec : {"kary-ntree:k=4,n=3", "fattree3:4", "xgft:m=4x4x3,w=2x2x3"}) {
    const Network network = make_network(spec);
    const ManagedNetwork managed = managed_network(network);
    for (const char* engine : {"updn", "unknot:effort=0.05", "ftree", "clos"}) {
      const ManagedRouting result = manage(network, routed(network, engine), managed);
      EXPECT_EQ(result.lanes_more, 0U) << spec << ' ' << engine;
      EXPECT_TRUE(result.left_out.empty()) << spec << ' ' << engine;
    }
  }
}

TEST(Management, TakesNoLaneMoreWhereATreeHasLostFewCables) {
  const Network whole = make_network("fattree3:8");
  const Network network = with_faults(whole, parse_faults(whole, "cable-rate=0.03,seed=1"));
  const ManagedNetwork managed = managed_network(network);
  for (const char* engine : {"clos", "ftree", "dfsssp"}) {
    const ManagedRouting result = manage(network, routed(network, engine), managed);
    EXPECT_TRUE(result.left_out.empty()) << engine;
    EXPECT_EQ(result.lanes_more, 0U) << engine;
    EXPECT_TRUE(result.routing.service_levels.empty()) << engine;
    const Verdict verdict = judged(managed.network, result.routing);
    EXPECT_TRUE(verdict.deadlock_free && verdict.complete()) << engine;
  }
}

TEST(Management, IsTheSameOnAnyNumberOfThreads) {
  const Network network = make_network("deimos");
  const ManagedNetwork managed = managed_network(network);
  const Routing data = routed(network, "dfsssp");
  const Routing one = manage(network, data, managed, {.lanes = 15, .hosts = {}, .threads = 1}).routing;
  const Routing five = manage(network, data, managed, {.lanes = 15, .hosts = {}, .threads = 5}).routing;
  EXPECT_TRUE(one.table() == five.table());
  EXPECT_EQ(one.service_levels, five.service_levels);
}

TEST(Management, NamesWhatFitsNoLane) {
  const Network network = make_network("deimos");
  const ManagedNetwork managed = managed_network(network);
  const Routing data = routed(network, "unknot");
  const ManagedRouting within = manage(network, data, managed, {.lanes = data.virtual_lanes, .hosts = {}});
  EXPECT_EQ(within.lanes_more, 0U);
  EXPECT_FALSE(within.left_out.empty());
  const Verdict verdict = judged(managed.network, within.routing);
  EXPECT_TRUE(verdict.deadlock_free);
  EXPECT_EQ(verdict.unroutable_pairs, within.left_out.size());
  for (const ManagementPair& pair : within.left_out)
    EXPECT_EQ(within.routing.service_levels.get(pair.source, pair.destination), ServiceLevels::kMissing);
  const ManagedRouting more = manage(network, data, managed, {.lanes = data.virtual_lanes + 1, .hosts = {}});
  EXPECT_EQ(more.lanes_more, 1U);
  EXPECT_TRUE(more.left_out.empty());
}

TEST(Management, AnswersManagersOnTheLevelOfTheQuestion) {
  for (const char* spec : {"torus:4x4x3", "slimfly:q=5,p=3", "jellyfish:routers=30,degree=6,p=3", "deimos"}) {
    const Network network = make_network(spec);
    const ManagedNetwork managed = managed_network(network);
    const Routing data = routed(network, "dfsssp:spread=0");
    // two of one router, which share their levels
    const std::vector<TerminalId> hosts{TerminalId(0), TerminalId(1),
                                        TerminalId(network.terminal_count() - 1)};
    const ManagedRouting result = manage(network, data, managed, {.lanes = kMaxLanes, .hosts = hosts});
    const Verdict verdict = judged(managed.network, result.routing);
    EXPECT_TRUE(verdict.deadlock_free && verdict.complete()) << spec;
    std::vector<ManagementPair> differ;
    for (const TerminalId own : managed.of_router) {
      for (const TerminalId host : hosts) {
        const TerminalId source = managed.of_terminal[host.value];
        if (result.routing.service_levels.get(source, own) != result.routing.service_levels.get(own, source))
          differ.push_back({source, own});
      }
    }
    EXPECT_EQ(differ, result.other_level) << spec;
    EXPECT_TRUE(differ.empty()) << spec;
    expect_data_unchanged(network, data, managed, result.routing);
  }
}

TEST(Management, NamesWhatIsLeftOutWhereManagersAreAnsweredAlike) {
  for (const char* spec : {"deimos:p=8", "oft:4", "mlfm:4"}) {
    const Network network = make_network(spec);
    const ManagedNetwork managed = managed_network(network);
    const Routing data = routed(network, "dfsssp:spread=0");
    const ManagedRouting within = manage(
        network, data, managed, {.lanes = data.virtual_lanes, .hosts = {TerminalId(0), TerminalId(9)}});
    const Verdict verdict = judged(managed.network, within.routing);
    EXPECT_TRUE(verdict.deadlock_free) << spec;
    EXPECT_EQ(verdict.unroutable_pairs, within.left_out.size()) << spec;
  }
}

/// Leaves with a host each around one router that has none and more channels than one byte can tell apart.
TEST(Management, TakesRoutersOfManyPorts) {
  NetworkBuilder builder;
  const RouterId hub = builder.add_router();
  for (int i = 0; i < 300; ++i) {
    const RouterId leaf = builder.add_router();
    builder.add_cable(hub, leaf);
    builder.add_terminal(leaf);
  }
  const Network network = std::move(builder).build();
  const ManagedNetwork managed = managed_network(network);
  const Routing data = routed(network, "minhop");
  ASSERT_EQ(data.table().width(), 2U);
  const ManagedRouting result = manage(network, data, managed);
  const Verdict verdict = judged(managed.network, result.routing);
  EXPECT_TRUE(verdict.deadlock_free && verdict.complete());
  EXPECT_EQ(result.lanes_more, 0U);
}

TEST(Management, DeliversWhereTheDataCanDeadlock) {
  NetworkBuilder builder;  // a ring of eight, one of them without a host
  builder.add_routers(8);
  for (std::uint32_t i = 0; i < 8; ++i) {
    builder.add_cable(RouterId(i), RouterId((i + 1) % 8));
    if (i != 2) builder.add_terminal(RouterId(i));
  }
  const Network network = std::move(builder).build();
  const ManagedNetwork managed = managed_network(network);
  const Routing data = routed(network, "minhop");
  ASSERT_FALSE(judged(network, data).deadlock_free);
  const ManagedRouting result = manage(network, data, managed);
  const Verdict verdict = judged(managed.network, result.routing);
  EXPECT_TRUE(verdict.complete());
  EXPECT_FALSE(verdict.deadlock_free);
  EXPECT_TRUE(result.left_out.empty());
}

TEST(Management, TakesSlToVlTables) {
  const Network network = make_network("torus:4x4,p=2");
  const ManagedNetwork managed = managed_network(network);
  const Routing data = routed(network, "dor");
  ASSERT_NE(data.lane_map, nullptr);
  const ManagedRouting result = manage(network, data, managed);
  const Verdict verdict = judged(managed.network, result.routing);
  EXPECT_TRUE(verdict.complete() && verdict.deadlock_free);
  EXPECT_EQ(result.routing.virtual_lanes, data.virtual_lanes);
}

TEST(Management, LeavesOutWhatNoPathJoins) {
  const Network whole = make_network("kary-ntree:k=2,n=3");
  const Network network = with_faults(whole, parse_faults(whole, "cable-count=3,seed=3"));
  const ManagedNetwork managed = managed_network(network);
  const Routing data = routed(network, "updn");
  const ManagedRouting result = manage(network, data, managed);
  const Verdict verdict = judged(managed.network, result.routing);
  EXPECT_TRUE(verdict.deadlock_free);
  EXPECT_EQ(verdict.unroutable_pairs, result.left_out.size());
}

TEST(Management, OfNoRoutersAndOfOne) {
  const Network network = make_network("mesh:1,p=3");
  const ManagedNetwork managed = managed_network(network);
  const ManagedRouting result = manage(network, routed(network, "minhop"), managed);
  EXPECT_TRUE(judged(managed.network, result.routing).complete());
  EXPECT_EQ(result.routing.table().get(RouterId(0), managed.of_router[0]), ForwardingTable::kHere);

  NetworkBuilder bare;  // two routers, no host at all
  bare.add_routers(2);
  bare.add_cable(RouterId(0), RouterId(1));
  const Network none = std::move(bare).build();
  const ManagedNetwork managed_none = managed_network(none);
  Routing empty;
  empty.paths = ForwardingTable(none);
  const ManagedRouting between = manage(none, empty, managed_none);
  const Verdict verdict = judged(managed_none.network, between.routing);
  EXPECT_TRUE(verdict.complete() && verdict.deadlock_free);
  EXPECT_EQ(verdict.pairs, 2U);
}

TEST(GroupedLevels, HaveARowForTerminalsThatFollowEachOther) {
  const Network network = make_network("mesh:2,p=3");
  std::vector<bool> begins(6, false);
  begins[2] = begins[4] = true;
  ServiceLevels levels(network, begins, 7);
  EXPECT_EQ(levels.rows(), ServiceLevels::Rows::grouped);
  EXPECT_EQ(levels.row_count(), 4U);  // and one at the first of each router
  std::vector<std::uint32_t> rows;
  for (const TerminalId t : network.terminals()) rows.push_back(levels.row_of(t));
  EXPECT_EQ(rows, (std::vector<std::uint32_t>{0, 0, 1, 2, 3, 3}));
  EXPECT_TRUE(levels.begins_row(network, TerminalId(2)));
  EXPECT_FALSE(levels.begins_row(network, TerminalId(5)));
  EXPECT_EQ(levels.compacted(network).rows(), ServiceLevels::Rows::by_router);
  levels.row(1)[5] = 3;
  EXPECT_EQ(levels.compacted(network), levels);
  EXPECT_EQ(levels.get(TerminalId(2), TerminalId(5)), 3);
  EXPECT_EQ(levels.get(TerminalId(1), TerminalId(5)), 7);
}

TEST(Management, NeedsTables) {
  const Network network = make_network("torus:4x4");
  const Routing data = routed(network, "angara-bfs");
  EXPECT_THROW((void)manage(network, data, managed_network(network)), InputError);
}

}  // namespace
}  // namespace unknot
