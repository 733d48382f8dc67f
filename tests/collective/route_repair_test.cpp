// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "collective/schedules.hpp"
#include "routed.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/model/pair_routes.hpp"
#include "unknot/collective/repair/schedule_repair.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/network/faults.hpp"

namespace unknot {
namespace {

std::shared_ptr<const PairRoutes> routes_of(const Network& network, const NodeGraph& graph,
                                            const std::string& engine) {
  return std::make_shared<const PairRoutes>(network, graph, routed(network, engine));
}

/// Router names along each transfer, and the step counted from where the delivery begins.
std::set<std::pair<std::string, std::uint32_t>> named(const Network& network, const Problem& problem,
                                                      const Schedule& schedule) {
  std::set<std::pair<std::string, std::uint32_t>> result;
  const bool backwards = problem.delivery == Delivery::reduction;
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      std::string text = network.router_name(RouterId(schedule.origin(t).value)) + ":";
      for (const NodeId n : schedule.path(t)) text += " " + network.router_name(RouterId(n.value));
      result.emplace(text, backwards ? schedule.step_count() - step : step);
    }
  }
  return result;
}

class RoutesRepaired : public ::testing::TestWithParam<const char*> {};

/// After a fault tables are made anew: what is repaired keeps to them, and keeps what it says.
TEST_P(RoutesRepaired, KeepsToTheRoutesInForceAndWhatItSays) {
  Progress silent;
  std::uint32_t changed = 0;
  for (const char* const spec : {"mesh:3x3", "hypercube:3", "torus:4x3"}) {
    for (const char* const engine : {"dfsssp", "updn"}) {
      const Network before = make_network(spec);
      const auto graph = std::make_shared<const NodeGraph>(before);
      ProblemRules rules;
      rules.routes = routes_of(before, *graph, engine);
      const Problem problem = make_collective(graph, GetParam(), {}, rules);
      SolveOptions solving;
      solving.lower_bound = lower_bound(problem).steps;
      const Schedule schedule = solve(problem, "auto:levels=1", solving, silent).schedule;
      ASSERT_TRUE(check_schedule(problem, schedule).valid());
      for (const char* const faults :
           {"cable-count=1,seed=1", "cable-count=2,seed=2", "router-count=1,seed=4"}) {
        SCOPED_TRACE(std::string(spec) + " " + engine + " without " + faults);
        const Network after = with_faults(before, parse_faults(before, faults));
        if (!describe_disconnection(after).empty()) continue;
        const auto left = std::make_shared<const NodeGraph>(after);
        const FaultImpact impact = fault_impact(problem, schedule, left,
                                                node_numbers(*graph, *left, compare_networks(before, after)),
                                                routes_of(after, *left, engine));
        for (const bool keep_all : {false, true}) {
          const RepairedSchedule made = repair_schedule(impact,
                                                        {.lower_bound = lower_bound(impact.problem).steps,
                                                         .keep_all = keep_all,
                                                         .effort = 4,
                                                         .seed = 1},
                                                        silent);
          ASSERT_NE(impact.problem.routes, nullptr);
          EXPECT_TRUE(check_schedule(impact.problem, made.schedule).valid());
          const auto now = named(after, impact.problem, made.schedule),
                     then = named(before, problem, schedule);
          std::uint32_t both = 0;
          for (const auto& one : now) both += then.contains(one) ? 1 : 0;
          EXPECT_EQ(made.change.kept, both);
          EXPECT_EQ(made.change.kept + made.change.rerouted + made.change.moved, impact.problem.messages());
          if (impact.problem.delivery != Delivery::scatter || !keep_all) continue;
          // Nothing else is thrown out by what has lost its way.
          std::uint32_t intact = 0;
          for (std::uint32_t m = 0; m < impact.former.messages(); ++m)
            intact += impact.former.intact(m) ? 1 : 0;
          EXPECT_EQ(made.change.kept, intact);
          changed += impact.former.messages() - intact;
        }
      }
    }
  }
  const bool scatter = std::string(GetParam()) == "AAS" || std::string(GetParam()) == "OAS";
  EXPECT_EQ(changed > 0, scatter);
}

INSTANTIATE_TEST_SUITE_P(Collectives, RoutesRepaired,
                         ::testing::Values("AAS", "OAS", "AAB", "OAB", "AAR", "AOR"));

TEST(RoutesRepairedOnce, NothingChangesWhereRoutesAreAsTheyWere) {
  Progress silent;
  const Network network = make_network("mesh:3x3");
  const auto graph = std::make_shared<const NodeGraph>(network);
  ProblemRules rules;
  rules.routes = routes_of(network, *graph, "dfsssp");
  const Problem problem = make_collective(graph, "AAB", {}, rules);
  SolveOptions solving;
  solving.lower_bound = lower_bound(problem).steps;
  const Schedule schedule = solve(problem, "auto:levels=1", solving, silent).schedule;
  const FaultImpact impact =
      fault_impact(problem, schedule, graph, node_numbers(*graph, *graph, compare_networks(network, network)),
                   rules.routes);
  const RepairedSchedule made = repair_schedule(impact, {.lower_bound = solving.lower_bound}, silent);
  EXPECT_EQ(made.change.kept, problem.messages());
}

}  // namespace
}  // namespace unknot
