// SPDX-License-Identifier: Apache-2.0
// The engines' tables against published and reference values, and the proofs of optimality against code that
// did not make them.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "angara/systems.hpp"
#include "unknot/angara/genetic.hpp"
#include "unknot/angara/load_bound.hpp"
#include "unknot/angara/opt.hpp"
#include "unknot/angara/route_search.hpp"
#include "unknot/angara/sssp.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot::angara {
namespace {

const std::vector<std::string>& engine_names() {
  static const std::vector<std::string> names{
      "angara-bfs",           "angara-bfs:key=sum",      "angara-genetic:population=6,stall=3",
      "angara-sssp",          "angara-sssp:turns=exact", "angara-sssp:turns=none",
      "angara-opt:effort=0.1"};
  return names;
}

LoadStatistics statistics(const std::string& spec, const std::string& engine) {
  Progress quiet;
  const Network network = make_network(spec);
  return load_statistics(channel_load(network, route(network, engine, {}, quiet)));
}

// Also with failures: every pair that the routing graph connects is delivered, by a shortest path of the
// graph, and the whole is deadlock-free.
TEST(AngaraEngines, RouteWhatTheRoutingGraphConnects) {
  Progress quiet;
  for (const unknot::testing::AngaraCase& one : unknot::testing::angara_cases()) {
    const Network network = make(one);
    for (const std::string& engine : engine_names()) {
      const System system(network, engine.find("exact") != std::string::npos  ? Augmentation::exact
                                   : engine.find("none") != std::string::npos ? Augmentation::none
                                                                              : Augmentation::direction_sets);
      const RouteChoices choices(system.graph, 1, quiet);
      const Routing routing = route(network, engine, {}, quiet);
      const Verdict verdict = verify(network, routing, {.certificate = true}, quiet);
      const std::string what = one.spec + " " + one.faults + " " + engine;
      EXPECT_EQ(verdict.unroutable_pairs, choices.unroutable_pairs()) << what;
      EXPECT_EQ(verdict.total_hops, choices.total_hops()) << what;
      EXPECT_TRUE(verdict.deadlock_free) << what;
      std::string why;
      EXPECT_TRUE(check_certificate(network, routing, verdict.certificate.value(), &why))
          << what << ": " << why;
      EXPECT_TRUE(verdict.minimal() || !one.faults.empty()) << what;
    }
  }
}

struct Published {
  const char* spec;
  std::uint64_t bfs, genetic, sssp, optimum;
};
// Table 2 of the paper, with the optima that the reference proves.
constexpr Published kTable2[] = {{"torus:2", 1, 1, 1, 1},
                                 {"torus:4", 2, 2, 2, 2},
                                 {"torus:4x2", 6, 4, 5, 4},
                                 {"torus:4x2x2", 18, 11, 12, 10},
                                 {"torus:4x2x2x2", 48, 27, 28, 26}};

TEST(AngaraEngines, Table2) {
  for (const Published& row : kTable2) {
    EXPECT_LE(statistics(row.spec, "angara-sssp").max, row.sssp + 1) << row.spec;
    EXPECT_LE(statistics(row.spec, "angara-genetic:first=random").max, row.genetic) << row.spec;
    EXPECT_LE(statistics(row.spec, "angara-bfs").max, row.bfs + 1) << row.spec;
    EXPECT_EQ(statistics(row.spec, "angara-opt").max, row.optimum) << row.spec;
  }
  const LoadStatistics desmos = statistics("torus:4x2x2x2", "angara-opt");
  EXPECT_EQ(desmos.min, 9U);
  EXPECT_LT(desmos.sigma4, 6.1905);
  EXPECT_NEAR(statistics("torus:4x2x2x2", "angara-bfs:key=sum").sigma4, 9.824, 0.2);
}

TEST(AngaraEngines, OptimumWhereTheReferenceStopsShort) {
  struct Row {
    const char* spec;
    std::uint64_t max;
  };
  for (const Row& row : {Row{"torus:4x4", 8},
                         {"torus:4x4x4", 32},
                         {"torus:8x8", 64},
                         {"torus:6x4x3", 54},
                         {"torus:2x2x4", 11},
                         {"torus:2x3x4", 14}}) {
    EXPECT_EQ(statistics(row.spec, "angara-opt").max, row.max) << row.spec;
  }
  EXPECT_EQ(statistics("torus:2x2x4", "angara-opt:turns=exact").max, 10U);
  EXPECT_EQ(statistics("torus:2x3x4", "angara-opt:turns=exact").max, 12U);
}

/// What the weights prove, with routes listed by the routing graph's search and added up by channels.
std::uint64_t bound_by_search(const Network& network, const System& system,
                              const std::vector<std::uint32_t>& weight) {
  std::vector<std::uint64_t> by_channel(network.channel_count(), 0);
  std::uint64_t all = 0;
  for (std::uint32_t slot = 0; slot < system.torus.slot_count(); ++slot) {
    if (system.torus.next(slot) == Torus::kNone) {
      EXPECT_EQ(weight[slot], 0U);
      continue;
    }
    by_channel[system.torus.channel(slot).value] = weight[slot];
    all += weight[slot];
  }
  std::uint64_t sum = 0;
  RouteSearch search(system.graph);
  for (const TerminalId s : network.terminals()) {
    search.run(network.router_of(s).value);
    for (const TerminalId d : network.terminals()) {
      std::vector<RouteCode> routes;
      search.list(network.router_of(d).value, routes);
      std::uint64_t lightest = std::numeric_limits<std::uint64_t>::max();
      for (const RouteCode code : routes) {
        std::uint64_t here = 0;
        walk(system.torus, network.router_of(s).value, code,
             [&](std::uint32_t slot) { here += by_channel[system.torus.channel(slot).value]; });
        lightest = std::min(lightest, here);
      }
      if (!routes.empty()) sum += lightest;
    }
  }
  return (sum + all - 1) / all;
}

TEST(AngaraOpt, BoundsHoldAndNoTableIsBelowThem) {
  Progress quiet;
  int optimal = 0;
  for (const unknot::testing::AngaraCase& one : unknot::testing::angara_cases()) {
    const Network network = make(one);
    const System system(network, Augmentation::direction_sets);
    const RouteChoices choices(system.graph, 1, quiet);
    const OptResult result = optimise(system, choices, {.effort = 0.2}, quiet);
    const std::string what = one.spec + " " + one.faults;
    EXPECT_EQ(result.bound.value, bound_by_search(network, system, result.bound.weight)) << what;
    const std::vector<std::uint32_t> load = slot_loads(system.torus, result.table);
    EXPECT_EQ(result.max_load, *std::max_element(load.begin(), load.end())) << what;
    EXPECT_GE(result.max_load, result.bound.value) << what;
    const std::vector<std::uint32_t> before = slot_loads(system.torus, sssp(system, choices, quiet).table);
    EXPECT_LE(result.max_load, *std::max_element(before.begin(), before.end())) << what;
    optimal += result.proven_optimal() ? 1 : 0;
  }
  EXPECT_GT(optimal, 40);
}

TEST(AngaraOpt, StopsWhenToldTo) {
  Progress quiet;
  const Network network = make_network("torus:10x10");
  const System system(network, Augmentation::direction_sets);
  const RouteChoices choices(system.graph, 1, quiet);
  const OptResult result = optimise(system, choices, {.seconds_left = [] { return 0.0; }}, quiet);
  EXPECT_GE(result.max_load, result.bound.value);
  EXPECT_LE(result.max_load, 131U);
}

TEST(AngaraEngines, SameTablesAtAnyNumberOfThreads) {
  Progress quiet;
  const Network network = make_network("torus:4x2x2x2");
  for (const std::string& engine : engine_names()) {
    EngineRequest one;
    one.threads = 1;
    EngineRequest many;
    many.threads = 3;
    EXPECT_EQ(*route(network, engine, one, quiet).routes(), *route(network, engine, many, quiet).routes())
        << engine;
  }
}

TEST(AngaraGenetic, IsNoWorseThanSssp) {
  for (const char* spec : {"torus:4x4x2x2", "torus:4x4x2", "torus:5x4x2", "torus:3x3x3"}) {
    const LoadStatistics sssp = statistics(spec, "angara-sssp");
    const LoadStatistics genetic = statistics(spec, "angara-genetic:population=20,stall=5");
    EXPECT_LE(genetic.max, sssp.max) << spec;
  }
}

TEST(AngaraGenetic, SeedsDifferAndEndsWhenStalled) {
  Progress quiet;
  const Network network = make_network("torus:4x2x2");
  const System system(network, Augmentation::direction_sets);
  const RouteChoices choices(system.graph, 1, quiet);
  const GeneticResult one =
      genetic(system, choices, {.seed = 1, .population = 8, .stall = 2, .from_sssp = false}, quiet);
  const GeneticResult two =
      genetic(system, choices, {.seed = 2, .population = 8, .stall = 2, .from_sssp = false}, quiet);
  EXPECT_NE(one.table, two.table);
  EXPECT_GE(one.generations, 2U);
}

}  // namespace
}  // namespace unknot::angara
