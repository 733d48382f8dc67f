// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "collective/schedules.hpp"
#include "network/small_networks.hpp"
#include "routed.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/model/pair_routes.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using testing::nodes;

struct OnRoutes {
  Network network;
  Routing routing;
  Problem problem;
};

OnRoutes on_routes(const std::string& spec, const std::string& engine, const std::string& collective,
                   const NodeGraphOptions& options = {}, ProblemRules rules = {}) {
  OnRoutes made;
  made.network = make_network(spec);
  made.routing = routed(made.network, engine);
  const auto graph = std::make_shared<const NodeGraph>(made.network, options);
  rules.routes = std::make_shared<const PairRoutes>(made.network, *graph, made.routing);
  made.problem = make_collective(graph, collective, {}, rules);
  return made;
}

/// Channels of the network from one node to another, looked up in the tables hop by hop.
std::vector<ChannelId> table_walk(const OnRoutes& given, NodeId from, NodeId to) {
  const auto terminal = [&](NodeId n) {
    const NodeGraph& graph = *given.problem.graph;
    return graph.is_leaf(n) ? TerminalId(n.value - graph.router_count())
                            : *given.network.terminals_at(RouterId(n.value)).begin();
  };
  const TerminalId target = terminal(to);
  std::vector<ChannelId> walk;
  for (RouterId at = given.network.router_of(terminal(from)); at != given.network.router_of(target);) {
    if (given.routing.routes() != nullptr) {
      const auto all = given.routing.routes()->route(terminal(from), target);
      return {all.begin(), all.end()};
    }
    walk.push_back(given.routing.table().next(given.network, at, target));
    at = given.network.target(walk.back());
  }
  return walk;
}

/// Every transfer goes as the tables say, and no two of a step over the same channel.
void expect_on_tables(const OnRoutes& given, const Schedule& schedule) {
  for (std::uint32_t s = 0; s < schedule.step_count(); ++s) {
    std::set<ChannelId> busy;
    for (std::uint32_t t = schedule.step_begin(s); t < schedule.step_end(s); ++t) {
      const auto path = schedule.path(t);
      std::vector<NodeId> routers;
      for (const NodeId n : path) {
        if (!given.problem.graph->is_leaf(n)) routers.push_back(n);
      }
      const std::vector<ChannelId> walk = table_walk(given, path.front(), path.back());
      ASSERT_EQ(walk.size() + 1, routers.size());
      for (std::size_t i = 0; i < walk.size(); ++i) {
        EXPECT_EQ(given.network.source(walk[i]).value, routers[i].value);
        EXPECT_EQ(given.network.target(walk[i]).value, routers[i + 1].value);
        EXPECT_TRUE(busy.insert(walk[i]).second) << "step " << s;
      }
    }
  }
}

Solution solved(const Problem& problem, const std::string& spec = "auto", std::uint32_t steps = 0,
                std::uint32_t threads = 1) {
  SolveOptions options;
  options.steps = steps;
  options.lower_bound = lower_bound(problem).steps;
  options.threads = threads;
  Progress progress;
  return solve(problem, spec, options, progress);
}

class Routes : public ::testing::TestWithParam<const char*> {};

TEST_P(Routes, SchedulesGoAsTheTablesSayOnEveryNetwork) {
  const std::vector<std::pair<std::string, std::string>> fabrics = {
      {"hypercube:3", "dor"},       {"torus:3x3", "dfsssp"},
      {"mesh:3x4", "minhop"},       {"kary-ntree:k=2,n=3", "ftree"},
      {"fat:2,ring:4", "updn"},     {"random:switches=6,links=12,terminals=9", "lash"},
      {"torus:4x2", "angara-sssp"}, {"dragonfly:a=2,h=1,p=1", "sssp"}};
  const std::string collective = GetParam();
  for (const auto& [spec, engine] : fabrics) {
    SCOPED_TRACE(spec + " " + engine);
    const OnRoutes given = on_routes(spec, engine, collective);
    const std::vector<LowerBound> bounds = lower_bounds(given.problem);
    for (const LowerBound& bound : bounds) EXPECT_TRUE(check_bound(given.problem, bound)) << bound.name;
    const Solution found = solved(given.problem, "auto:levels=1");
    EXPECT_EQ(found.conflicts, 0U);
    EXPECT_GE(found.steps, largest(bounds).steps);
    EXPECT_TRUE(check_schedule(given.problem, found.schedule).valid());
    expect_on_tables(given, found.schedule);
    EXPECT_EQ(solved(given.problem, "auto:levels=1", 0, 3).schedule, found.schedule);
    // What keeps to routes is a schedule of free paths, too.
    Problem free = given.problem;
    free.routes = nullptr;
    EXPECT_TRUE(check_schedule(free, found.schedule).valid());
  }
}

INSTANTIATE_TEST_SUITE_P(Collectives, Routes,
                         ::testing::Values("OAS", "AOG", "AAS", "OAB", "AAB", "AOR", "AAR"));

TEST(RoutesInForce, ReachTheLoadOfTheBusiestChannel) {
  const OnRoutes given = on_routes("torus:8x8", "dfsssp", "AAS");
  const LowerBound bound = lower_bound(given.problem);
  EXPECT_EQ(bound.name, "routes");
  std::map<ChannelId, std::uint32_t> load;
  for (const NodeId from : given.problem.graph->nodes()) {
    for (const NodeId to : given.problem.graph->nodes()) {
      if (from == to) continue;
      for (const ChannelId c : table_walk(given, from, to)) ++load[c];
    }
  }
  const auto most = std::max_element(load.begin(), load.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  EXPECT_EQ(bound.steps, most->second);
  EXPECT_EQ(solved(given.problem).steps, bound.steps);
}

TEST(RoutesInForce, ShiftsAreFreeOfContentionOnAFatTree) {
  EXPECT_EQ(solved(on_routes("kary-ntree:k=4,n=2", "ftree", "AAS").problem).steps, 15U);
}

TEST(RoutesInForce, ATourServesAllWithOnePort) {
  EXPECT_EQ(solved(on_routes("kary-ntree:k=4,n=2", "dfsssp", "AAB").problem).steps, 15U);
}

TEST(RoutesInForce, PortsAndHalfDuplexCablesCount) {
  ProblemRules rules;
  rules.send_ports = 1;
  const OnRoutes one_port = on_routes("hypercube:3", "dor", "AAS", {}, rules);
  const Solution by_ports = solved(one_port.problem);
  EXPECT_GE(by_ports.steps, 7U);
  EXPECT_TRUE(check_schedule(one_port.problem, by_ports.schedule).valid());
  NodeGraphOptions half;
  half.links = LinkClass::half_duplex;
  for (const char* collective : {"AAS", "AAB"}) {
    const OnRoutes given = on_routes("fat:2,ring:4", "updn", collective, half);
    const Solution found = solved(given.problem, "auto:levels=1");
    EXPECT_TRUE(check_schedule(given.problem, found.schedule).valid()) << collective;
  }
}

// Two parallel cables are one arc of capacity two, but a route leads over one of them.
TEST(RoutesInForce, TheCheckerTellsParallelCablesApart) {
  const Network network = testing_networks::cables(2, {{0, 1}, {0, 1}}, 2);
  const Routing routing = routed(network, "minhop");
  const auto graph = std::make_shared<const NodeGraph>(network);
  ProblemRules rules;
  rules.routes = std::make_shared<const PairRoutes>(network, *graph, routing);
  // Nodes 2 and 3 are at router 0, nodes 4 and 5 at router 1.
  const Problem problem =
      make_problem("MNS", graph, Delivery::scatter, {{NodeId(2), NodeId(4)}, {NodeId(3), NodeId(4)}}, rules);
  const auto lines = [&](std::uint32_t from, std::uint32_t to) {
    return problem.routes->lines(NodeId(from), NodeId(to));
  };
  ASSERT_EQ(lines(2, 4)[1], lines(3, 4)[1]);  // tables know destinations only
  Schedule together;
  together.add_step();
  together.add(NodeId(2), nodes({2, 0, 1, 4}));
  together.add(NodeId(3), nodes({3, 0, 1, 4}));
  NodeGraphOptions wide;
  wide.terminal_capacity = 2;
  const auto wide_graph = std::make_shared<const NodeGraph>(network, wide);
  rules.routes = std::make_shared<const PairRoutes>(network, *wide_graph, routing);
  Problem free = make_problem("MNS", wide_graph, Delivery::scatter,
                              {{NodeId(2), NodeId(4)}, {NodeId(3), NodeId(4)}}, rules);
  const ScheduleVerdict verdict = check_schedule(free, together);
  EXPECT_EQ(verdict.of(ViolationKind::channel_conflict), 1U);
  EXPECT_EQ(verdict.violations(), 1U);
  free.routes = nullptr;
  EXPECT_TRUE(check_schedule(free, together).valid());
}

TEST(RoutesInForce, TheCheckerRefusesOtherPaths) {
  const OnRoutes given = on_routes("ring:4", "minhop", "OAS");
  const auto route = given.problem.routes->path(NodeId(0), NodeId(2));
  const std::uint32_t other = route[1].value == 1 ? 3 : 1;
  Schedule schedule = solved(given.problem).schedule;
  Schedule detour;
  for (std::uint32_t s = 0; s < schedule.step_count(); ++s) {
    detour.add_step();
    for (std::uint32_t t = schedule.step_begin(s); t < schedule.step_end(s); ++t) {
      if (schedule.receiver(t) == NodeId(2)) {
        detour.add(NodeId(0), nodes({0, other, 2}));
      } else {
        detour.add(NodeId(0), schedule.path(t));
      }
    }
  }
  EXPECT_EQ(check_schedule(given.problem, detour).of(ViolationKind::off_route), 1U);
}

TEST(RoutesInForce, TimeReversedRoutesAreTheSameBackwards) {
  const OnRoutes given = on_routes("torus:3x4", "dfsssp", "AAS");
  const Problem reversed = time_reversed(given.problem);
  for (const NodeId from : given.problem.graph->nodes()) {
    for (const NodeId to : given.problem.graph->nodes()) {
      auto path = given.problem.routes->path(from, to);
      std::reverse(path.begin(), path.end());
      EXPECT_EQ(reversed.routes->path(to, from), path);
    }
  }
  EXPECT_EQ(lower_bound(reversed).steps, lower_bound(given.problem).steps);
}

TEST(RoutesInForce, ManyShortTablesAndProofsAreRefused) {
  const Network ring = make_network("ring:4");
  const NodeGraph graph(ring);
  EXPECT_THROW((void)PairRoutes(ring, graph, routed(make_network("ring:5"), "minhop")), InputError);
  // In a circle: everything to the right.
  Routing circle = routed(ring, "minhop");
  for (const RouterId r : ring.routers()) {
    for (const TerminalId t : ring.terminals()) {
      if (ring.router_of(t).value == 2 && r.value != 2) {
        const auto out = ring.out(r);
        std::uint32_t to_0_or_1 = 0;
        for (std::uint32_t i = 0; i < out.size(); ++i) {
          if (ring.target(out[i]).value <= 1) to_0_or_1 = i;
        }
        circle.table().set(r, t, to_0_or_1);
      }
    }
  }
  EXPECT_THROW((void)PairRoutes(ring, graph, circle), InputError);
  const OnRoutes given = on_routes("ring:4", "minhop", "OAS");
  EXPECT_EQ(evaluate(given.problem, RouteProof{1000}).steps, 0U);
  Problem free = given.problem;
  free.routes = nullptr;
  EXPECT_EQ(evaluate(free, RouteProof{0}).steps, 0U);
}

TEST(RoutesInForce, OnlySolversThatKeepToThemTakeThem) {
  const OnRoutes given = on_routes("ring:4", "minhop", "AAS");
  EXPECT_THROW((void)solved(given.problem, "packing"), InputError);
  EXPECT_THROW((void)solved(testing::problem_on("ring:4", "AAS"), "on-routes"), InputError);
  const Solution few = solved(given.problem, "on-routes:effort=1", 1);
  EXPECT_GT(few.conflicts, 0U);
  EXPECT_FALSE(check_schedule(given.problem, few.schedule).valid());
}

}  // namespace
}  // namespace unknot
