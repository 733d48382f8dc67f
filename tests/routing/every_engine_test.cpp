// SPDX-License-Identifier: Apache-2.0
// What must hold for every engine on every network: looped over both catalogues, so that no new row can
// escape it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "effort.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/routing/up_down/down_up_turn.hpp"
#include "unknot/routing/up_down/up_down_order.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

std::vector<std::string> all_examples() {
  std::vector<std::string> specs;
  for (const Topology& row : topologies())
    specs.insert(specs.end(), row.examples.begin(), row.examples.end());
  // Shapes the examples do not show: several terminals on a router, routers without any, parallel cables, one
  // router.
  for (const char* spec :
       {"torus:3x3x2,p=3", "kautz:b=2,n=3,terminals=5", "random:switches=30,links=70,terminals=100", "ring:2",
        "mesh:1,p=4", "random:switches=20,links=45,terminals=33,seed=9", "torus:4x2x2"}) {
    specs.emplace_back(spec);
  }
  return specs;
}

/// Promises hold for any effort: with less of it the engine that searches longest takes seconds.
std::string spec_of(const std::string& engine) {
  return fewer_cases() && engine == "unknot" ? "unknot:effort=0.05" : engine;
}

class EveryEngine : public testing::TestWithParam<std::string> {};

TEST_P(EveryEngine, KeepsItsPromises) {
  const Engine& engine = find_engine(GetParam());
  Progress quiet;
  int routed = 0;
  for (const std::string& spec : all_examples()) {
    const Network network = make_network(spec);
    EngineRequest request;
    request.virtual_lanes = kMaxLanes;
    if (!refusal(engine, network).empty()) {
      EXPECT_THROW((void)route(network, engine.name, request, quiet), RoutingFailure);
      continue;
    }
    if (fewer_cases() && engine.name == std::string("exact") && network.terminal_count() > 40) continue;
    const Routing routing = route(network, spec_of(engine.name), request, quiet);
    const Verdict verdict = verify(network, routing, {.certificate = true}, quiet);
    EXPECT_TRUE(verdict.complete()) << spec;
    EXPECT_TRUE(verdict.loop_free()) << spec;
    EXPECT_TRUE(verdict.minimal() || !engine.promise.minimal) << spec;
    if (engine.promise.deadlock_free) {
      EXPECT_TRUE(verdict.deadlock_free) << spec;
      ASSERT_TRUE(verdict.certificate.has_value()) << spec;
      std::string why;
      EXPECT_TRUE(check_certificate(network, routing, *verdict.certificate, &why)) << spec << ": " << why;
    }
    EXPECT_LE(routing.lanes_needed, routing.virtual_lanes) << spec;
    // With SL-to-VL tables there may be more levels than lanes.
    const std::uint32_t levels = routing.lane_map ? LaneMap::kLevels : routing.virtual_lanes;
    EXPECT_LT(routing.service_levels.highest(), levels) << spec;
    EXPECT_LE(verdict.lanes_used, routing.virtual_lanes) << spec;
    ++routed;
  }
  EXPECT_GT(routed, 0) << "no network of the catalogue suits it";
}

TEST_P(EveryEngine, SameSeedSameBytesAtAnyNumberOfThreads) {
  Progress quiet;
  int compared = 0;
  for (const char* spec :
       {"torus:4x3,p=2", "torus:4x3x2", "random:switches=20,links=45,terminals=33,seed=9", "deimos"}) {
    const Network network = make_network(spec);
    if (!refusal(find_engine(GetParam()), network).empty()) continue;
    EngineRequest one;
    one.virtual_lanes = kMaxLanes;
    one.threads = 1;
    EngineRequest three = one;
    three.threads = 3;
    const Routing a = route(network, spec_of(GetParam()), one, quiet);
    const Routing b = route(network, spec_of(GetParam()), three, quiet);
    EXPECT_EQ(a.service_levels, b.service_levels);
    ASSERT_EQ(a.routes() == nullptr, b.routes() == nullptr);
    if (a.routes() == nullptr) {
      EXPECT_EQ(a.table(), b.table());
    } else {
      EXPECT_EQ(*a.routes(), *b.routes());
    }
    ++compared;
  }
  EXPECT_GT(compared, 0);
}

TEST_P(EveryEngine, RoutesWhatFaultsLeaveConnected) {
  Progress quiet;
  EngineRequest request;
  request.virtual_lanes = kMaxLanes;
  const std::vector<std::pair<std::string, std::string>> cases{
      {"ring:8,p=2", "cables=S-0-S-1+S-4-S-5"},  // two parts of four routers
      {"ring:6", "cables=0-1+1-2+3-4"},          // a single router, and two parts more
      {"torus:4x4", "cable-rate=0.6,seed=3"},    // many parts
      {"torus:4x4,p=2", "routers=S-5+S-6"},      // holes
      {"xgft:m=4x3,w=2x2", "cable-rate=0.5,seed=2"},
      {"random:switches=20,links=45,terminals=33,seed=9", "cable-rate=0.4,router-count=2,seed=5"}};
  int in_parts = 0;
  for (const auto& [spec, faults] : cases) {
    const Network whole = make_network(spec);
    const Network network = with_faults(whole, parse_faults(whole, faults));
    const std::uint64_t cut_off = disconnected_pairs(network).count;
    if (cut_off > 0) ++in_parts;
    Routing routing;
    try {
      routing = route(network, spec_of(GetParam()), request, quiet);
    } catch (const RoutingFailure& failure) {
      EXPECT_GT(std::string(failure.what()).size(), 20U) << spec;  // says why
      continue;
    }
    const Verdict verdict = verify(network, routing, {}, quiet);
    EXPECT_GE(verdict.unroutable_pairs, cut_off) << spec << " " << faults;
    if (verdict.unroutable_pairs > cut_off) {
      const std::string said = fmt::format("{} pairs that are connected", verdict.unroutable_pairs - cut_off);
      EXPECT_NE(routing.report.note.find(said), std::string::npos)
          << spec << " " << faults << ": " << routing.report.note;
    }
    EXPECT_EQ(verdict.looping_pairs, 0U) << spec;
    EXPECT_TRUE(verdict.deadlock_free || !find_engine(GetParam()).promise.deadlock_free) << spec;
  }
  EXPECT_GE(in_parts, 3);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryEngine, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const Engine& row : engines()) names.push_back(row.name);
                           return names;
                         }()),
                         [](const auto& row) {
                           std::string name = row.param;  // letters and digits only
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Engines, UnknownNamesAndParametersAreRefusedWithTheNearOnes) {
  const Network network = make_network("ring:4");
  Progress quiet;
  EXPECT_THROW((void)route(network, "dfssp", {}, quiet), InputError);
  try {
    (void)route(network, "dfssp", {}, quiet);
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'dfsssp'"), std::string::npos);
  }
  EXPECT_THROW((void)route(network, "dfsssp:rule=strongest", {}, quiet), InputError);
  EngineRequest none;
  none.virtual_lanes = 0;
  EXPECT_THROW((void)route(network, "dfsssp", none, quiet), InputError);
}

TEST(Updn, NeverGoesDownThenUpWhateverTheRoots) {
  Progress quiet;
  int tried = 0;
  for (const char* spec : {"torus:4x4", "slimfly:q=5", "dragonfly:a=4,h=2,p=2", "kautz:b=3,n=2,p=2",
                           "random:switches=24,links=50,terminals=60,seed=3", "xgft:m=4x4,w=2x2", "deimos"}) {
    const Network network = make_network(spec);
    for (std::uint32_t root = 0; root < network.router_count(); root += 5) {
      const std::string engine = "updn:roots=" + std::to_string(root);
      const Routing routing = route(network, engine, {}, quiet);
      const UpDownOrder order = order_below(network, {RouterId(root)});
      EXPECT_FALSE(find_down_up_turn(network, routing.table(), order.place).has_value()) << spec;
      const Verdict verdict = verify(network, routing, {}, quiet);
      EXPECT_TRUE(verdict.complete() && verdict.deadlock_free) << spec << " root " << root;
      ++tried;
    }
  }
  EXPECT_GT(tried, 30);
}

TEST(Updn, IsMinimalOnTrees) {
  Progress quiet;
  for (const char* spec : {"xgft:m=4x4,w=2x2", "kary-ntree:k=4,n=3", "xgft:m=3x4x2,w=2x2x3"}) {
    const Network network = make_network(spec);
    const Verdict verdict = verify(network, route(network, "updn", {}, quiet), {}, quiet);
    EXPECT_TRUE(verdict.minimal()) << spec;
  }
}

TEST(Updn, BadRootsGetASentence) {
  const Network network = make_network("ring:4");
  Progress quiet;
  EXPECT_THROW((void)route(network, "updn:roots=9", {}, quiet), InputError);
  EXPECT_THROW((void)route(network, "updn:roots=nobody", {}, quiet), InputError);
  EXPECT_THROW((void)route(network, "updn:roots=@/no/such/file", {}, quiet), InputError);
}

TEST(DownUpTurn, IsFoundWhereThereIsOne) {
  // Minimal routing on a ring must turn at the bottom for some pair.
  const Network network = make_network("ring:6");
  Progress quiet;
  const Routing routing = route(network, "minhop", {}, quiet);
  EXPECT_TRUE(
      find_down_up_turn(network, routing.table(), order_below(network, {RouterId(0)}).place).has_value());
}

}  // namespace
}  // namespace unknot
