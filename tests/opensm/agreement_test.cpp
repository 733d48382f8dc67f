// SPDX-License-Identifier: Apache-2.0
// What an engine routes on a damaged fabric, the checker and the plug-in must judge alike: the plug-in takes
// the tables exactly where the checker says that every pair is delivered and nothing can deadlock.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "discovered.hpp"
#include "line_reader.hpp"
#include "plan.hpp"
#include "random_tree.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/formats/multicast/multicast_file.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/routing/management/management.hpp"
#include "unknot/routing/multicast/multicast.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kLanes = 8;

std::string quick_spec(const std::string& engine) {
  // Dimension order writes SL-to-VL tables elsewhere, which multicast goes without.
  return engine == "dor" ? "dor:sl2vl=0" : engine == "unknot" ? "unknot:effort=0" : engine;
}

class PlugInAgrees : public testing::TestWithParam<std::string> {
 protected:
  PlugInAgrees() {
    std::string name = (std::filesystem::temp_directory_path() / "unknot-agree-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw opensm::Misfit("no temporary folder");
    folder_ = name;
  }
  ~PlugInAgrees() override { std::filesystem::remove_all(folder_); }

  /// What the plug-in says of the files of this routing: "" where it takes them; notes_ then says more.
  std::string refusal(const Network& network, const Routing& routing) {
    return refusal(network, network, routing);
  }
  /// The routing is of `network`, which may be the fabric with its management.
  std::string refusal(const Network& fabric, const Network& network, const Routing& routing) {
    unknot_options options{};
    const std::string tables = folder_ / "tables";
    const std::string lanes = folder_ / "lanes";
    write_tables(network, routing, "opensm", tables);
    tables.copy(options.tables, tables.size());
    if (!routing.service_levels.empty()) {
      write_service_levels(network, routing, lanes);
      lanes.copy(options.lanes, lanes.size());
    }
    if (routing.lane_map != nullptr) {
      const std::string maps = folder_ / "sl2vl";
      write_lane_map(network, routing, maps);
      maps.copy(options.sl2vl_file, maps.size());
    }
    if (routing.multicast != nullptr) {
      const std::string trees = folder_ / "trees";
      write_multicast_tables(network, *routing.multicast, trees);
      trees.copy(options.multicast, trees.size());
    }
    const unknot_sl2vl identity{1, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 7}};
    try {
      const unknot_plan plan = opensm::make_plan(discovered(fabric, kLanes), options, identity);
      notes_ = plan.notes;
      levels_ = plan.multicast.levels;
      expect_the_same_of_compact_levels(fabric, network, routing, options, plan);
    } catch (const opensm::Misfit& misfit) {
      return misfit.what();
    }
    return "";
  }

  /// The other form of the file of service levels makes the same plan.
  void expect_the_same_of_compact_levels(const Network& fabric, const Network& network,
                                         const Routing& routing, const unknot_options& options,
                                         const unknot_plan& plain) {
    if (routing.service_levels.empty()) return;
    write_service_levels(network, routing, folder_ / "lanes", LevelForm::compact);
    const unknot_sl2vl identity{1, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 7}};
    const unknot_plan compact = opensm::make_plan(discovered(fabric, kLanes), options, identity);
    EXPECT_EQ(compact.rows, plain.rows);
    EXPECT_EQ(compact.notes, plain.notes);
    for (std::uint32_t from = 1; from <= plain.highest_lid; ++from) {
      for (std::uint32_t to = 1; to <= plain.highest_lid; ++to) {
        ASSERT_EQ(compact.levels.get(static_cast<std::uint16_t>(from), static_cast<std::uint16_t>(to)),
                  plain.levels.get(static_cast<std::uint16_t>(from), static_cast<std::uint16_t>(to)))
            << from << " to " << to;
      }
    }
  }

  std::filesystem::path folder_;
  std::string notes_;
  std::uint16_t levels_ = 0;
};

/// With what switches send and are sent, on the levels that the file has for it.
TEST_P(PlugInAgrees, WithManagement) {
  if (find_engine(GetParam()).gives_routes) GTEST_SKIP() << "source routes, which no switch has";
  Progress quiet;
  EngineRequest request;
  request.virtual_lanes = kLanes;
  const std::string engine = quick_spec(GetParam());
  int judged = 0;
  for (const char* spec : {"kary-ntree:k=3,n=3", "xgft:m=4x3,w=2x2", "torus:4x3", "mesh:3x3,p=2", "oft:3",
                           "random:switches=10,links=18,terminals=6,seed=4"}) {
    SCOPED_TRACE(spec);
    const Network network = make_network(spec);
    if (!unknot::refusal(find_engine(split_spec(engine).name), network).empty()) continue;
    const ManagedNetwork managed = managed_network(network);
    const ManagedRouting made = with_management(network, route(network, engine, request, quiet), managed,
                                                {.lanes = kLanes, .hosts = {}}, quiet);
    Routing routing = made.routing;
    // Levels are what the plug-in takes for the word of somebody on management.
    if (routing.service_levels.empty())
      routing.service_levels = ServiceLevels(managed.network, ServiceLevels::Rows::by_router);
    const Verdict verdict = verify(managed.network, routing, {.threads = 1}, quiet);
    const std::string refused = refusal(network, managed.network, routing);
    EXPECT_EQ(refused.empty(), verdict.deadlock_free) << refused;
    // All on the first lane: the same judgement where that closes a cycle.
    routing.service_levels = ServiceLevels(managed.network, ServiceLevels::Rows::by_router);
    routing.virtual_lanes = 1;
    const Verdict first_lane = verify(managed.network, routing, {.threads = 1}, quiet);
    EXPECT_EQ(refusal(network, managed.network, routing).empty(), first_lane.deadlock_free);
    ++judged;
  }
  EXPECT_GE(judged, GetParam() == "dor" ? 2 : 3);
}

TEST_P(PlugInAgrees, WhateverFaultsLeave) {
  Progress quiet;
  EngineRequest request;
  request.virtual_lanes = kLanes;
  const std::string engine = quick_spec(GetParam());
  std::uint32_t judged = 0;
  std::uint32_t taken = 0;
  for (const char* spec : {"kary-ntree:k=3,n=3", "xgft:m=4x3,w=2x2", "torus:4x3", "mesh:3x3,p=2",
                           "random:switches=10,links=18,terminals=12,seed=4"}) {
    const Network whole = make_network(spec);
    for (std::uint32_t seed = 0; seed <= 6; ++seed) {
      const std::string faults = "cable-count=" + std::to_string(seed) + ",seed=" + std::to_string(seed);
      SCOPED_TRACE(std::string(spec) + " " + faults);
      const Network network = seed == 0 ? whole : with_faults(whole, parse_faults(whole, faults));
      Routing routing;
      try {
        routing = route(network, engine, request, quiet);
      } catch (const RoutingFailure&) {
        continue;
      }
      if (routing.routes() != nullptr) continue;
      const Verdict verdict = verify(network, routing, {.threads = 1}, quiet);
      const std::string refused = refusal(network, routing);
      EXPECT_EQ(refused.empty(), verdict.complete() && verdict.deadlock_free) << refused;
      ++judged;
      if (refused.empty()) ++taken;
    }
  }
  if (find_engine(GetParam()).gives_routes) return;  // source routes, which no switch has
  EXPECT_GE(taken, 2U);
  // Dimension order knows whole grids alone, and ftree trees.
  EXPECT_GE(judged, GetParam() == "dor" ? 2U : 10U);
}

/// A spanning tree as the dice have it, without leaves that have no terminals; for all terminals.
MulticastGroup thrown(const Network& network, std::uint16_t lid, std::uint8_t level, std::mt19937& random) {
  std::vector<std::set<std::uint16_t>> ports(network.router_count());
  for (const MulticastPort& one : random_tree(network, random)) ports[one.router.value].insert(one.port);
  for (bool cut = true; cut;) {
    cut = false;
    for (const RouterId r : network.routers()) {
      if (ports[r.value].size() != 1 || !network.terminals_at(r).empty()) continue;
      const ChannelId c = network.channel_at(r, *ports[r.value].begin());
      ports[network.target(c).value].erase(network.target_port(c));
      ports[r.value].clear();
      cut = true;
    }
  }
  std::vector<MulticastPort> list;
  for (const RouterId r : network.routers()) {
    for (const std::uint16_t port : ports[r.value]) list.push_back({r, port});
  }
  for (const TerminalId t : network.terminals())
    list.push_back({network.router_of(t), network.terminal_port(t)});
  return MulticastGroup(lid, level, network.router_count(), list);
}

/// Trees of ours, and two of the dice's at a time, one on the first lane and one on any.
TEST_P(PlugInAgrees, OnMulticast) {
  if (find_engine(GetParam()).gives_routes) GTEST_SKIP() << "source routes, which no switch has";
  Progress quiet;
  EngineRequest request;
  request.virtual_lanes = kLanes;
  std::mt19937 random(1);
  const std::string engine = quick_spec(GetParam());
  int taken = 0;
  int refusals = 0;
  for (const char* spec : {"kary-ntree:k=2,n=3", "xgft:m=3x3,w=2x2", "torus:4x3", "mesh:3x3,p=2",
                           "random:switches=10,links=14,terminals=20,seed=4"}) {
    SCOPED_TRACE(spec);
    const Network network = make_network(spec);
    if (!unknot::refusal(find_engine(split_spec(engine).name), network).empty()) continue;
    Routing routing = route(network, engine, request, quiet);
    if (routing.routes() != nullptr || !verify(network, routing, {.threads = 1}, quiet).deadlock_free)
      continue;
    if (routing.lane_map != nullptr) GTEST_SKIP() << "multicast goes without SL-to-VL tables";
    MulticastWish everyone;
    for (const TerminalId t : network.terminals()) everyone.members.push_back(t);
    const MulticastResult ours =
        multicast_trees(network, routing, {.groups = {everyone}, .lanes = kLanes, .trees = 1}, quiet);
    routing.multicast = std::make_shared<const MulticastTables>(ours.tables);
    const Verdict verdict = verify(network, routing, {.threads = 1}, quiet);
    EXPECT_TRUE(verdict.deadlock_free);
    if (!ours.tables.groups.empty()) {
      EXPECT_EQ(refusal(network, routing), "");
    }
    for (int round = 0; round < 12; ++round) {
      const auto level = static_cast<std::uint8_t>(random() % routing.virtual_lanes);
      routing.multicast = std::make_shared<const MulticastTables>(
          MulticastTables{{thrown(network, 0xC000, 0, random), thrown(network, 0xC001, level, random)}});
      const Verdict thrown_verdict = verify(network, routing, {.threads = 1}, quiet);
      ASSERT_TRUE(thrown_verdict.multicast->complete());
      const std::string refused = refusal(network, routing);
      EXPECT_EQ(refused.empty(), thrown_verdict.deadlock_free) << refused;
      (refused.empty() ? taken : refusals) += 1;
      if (!refused.empty()) continue;
      // Any group on any tree: both on each level that is in use.
      const std::uint16_t levels = levels_;
      MulticastTables both = *routing.multicast;
      for (std::uint8_t l = 0; l < routing.virtual_lanes; ++l) {
        for (MulticastGroup& group : both.groups) group.set_level(l);
        routing.multicast = std::make_shared<const MulticastTables>(both);
        EXPECT_EQ((levels >> l & 1U) != 0, verify(network, routing, {.threads = 1}, quiet).deadlock_free);
      }
    }
  }
  EXPECT_GT(taken, 0);
  EXPECT_GT(refusals, 0);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, PlugInAgrees, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const Engine& row : engines()) names.push_back(row.name);
                           return names;
                         }()),
                         [](const auto& row) {
                           std::string name = row.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// Two dead cables of a 3-ary 3-tree: the routers above them keep no way down to some leaves, and one that
/// goes up again would break the rule.
class DamagedTree : public PlugInAgrees {};

TEST_P(DamagedTree, LacksRowsThatNoHostNeedsAndThePlugInSaysSo) {
  Progress quiet;
  const Network whole = make_network("kary-ntree:k=3,n=3");
  std::uint32_t lacking = 0;
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    const Network network =
        with_faults(whole, parse_faults(whole, "cable-count=2,seed=" + std::to_string(seed)));
    const Routing routing = route(network, GetParam(), {}, quiet);
    ASSERT_TRUE(verify(network, routing, {}, quiet).complete());
    std::uint64_t missing = 0;
    for (const RouterId r : network.routers()) {
      for (const TerminalId t : network.terminals()) {
        if (routing.table().get(r, t) != ForwardingTable::kNone) continue;
        EXPECT_TRUE(network.terminals_at(r).empty());
        ++missing;
      }
    }
    EXPECT_EQ(refusal(network, routing), "");
    const std::string said =
        std::to_string(missing) + " rows to adapters are missing at switches without hosts";
    EXPECT_EQ(notes_.find(said) != std::string::npos, missing > 0) << notes_;
    lacking += missing > 0 ? 1 : 0;
  }
  EXPECT_GT(lacking, 2U);
}

TEST_P(DamagedTree, ARowThatAHostNeedsIsMissed) {
  Progress quiet;
  const Network network = make_network("kary-ntree:k=3,n=3");
  Routing routing = route(network, GetParam(), {}, quiet);
  // The first hop of a path between leaves: a router without hosts, on the way of some.
  const TerminalId far(network.terminal_count() - 1);
  const RouterId above = network.target(routing.table().next(network, network.router_of(TerminalId(0)), far));
  ASSERT_TRUE(network.terminals_at(above).empty());
  routing.table().set(above, far, ForwardingTable::kNone);
  EXPECT_FALSE(verify(network, routing, {}, quiet).complete());
  EXPECT_THAT(refusal(network, routing), testing::HasSubstr("has no row for"));
}

INSTANTIATE_TEST_SUITE_P(UpDown, DamagedTree, testing::Values("updn", "dnup", "ftree"));

}  // namespace
}  // namespace unknot
