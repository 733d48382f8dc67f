// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/solvers/solver.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "collective/schedules.hpp"
#include "effort.hpp"
#include "evolve/thread_exchange.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/model/catalogue.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Solver& row : solvers()) all.push_back(row.name);
  return all;
}

/// Spec of a solver with those of these parameters that it has.
std::string with_known(const std::string& solver, const std::vector<std::string>& assignments) {
  std::string spec = solver;
  for (const std::string& assignment : assignments) {
    for (const Parameter& p : find_solver(solver).parameters) {
      if (assignment.starts_with(p.name + "=")) spec += (spec == solver ? ":" : ",") + assignment;
    }
  }
  return spec;
}

bool refused(const std::string& solver, const Problem& problem) {
  const Solver& row = find_solver(solver);
  return !refusal(row, problem).empty();
}

class EverySolver : public ::testing::TestWithParam<std::string> {};

/// Every solver, every collective, networks of every kind of node: what it takes to be valid the checker
/// does.
TEST_P(EverySolver, SolvesEveryCollective) {
  Progress silent;
  for (const char* const spec :
       {"ring:4", "mesh:2x3", "kautz:b=2,n=2,oriented=1", "btree:4", "fat:2,ring:3"}) {
    for (const CollectiveRow& row : collectives()) {
      const Problem problem = testing::problem_on(spec, row.name, {});
      if (refused(GetParam(), problem)) {
        EXPECT_THROW((void)solve(problem, GetParam(), {}, silent), InputError);
        continue;
      }
      SolveOptions options;
      options.lower_bound = lower_bound(problem).steps;
      const Solution found = solve(problem,
                                   with_known(GetParam(), {"generations=100", "stall=25", "tries=2",
                                                           "greedy=0.5", "effort=1", "levels=2"}),
                                   options, silent);
      const ScheduleVerdict verdict = check_schedule(problem, found.schedule);
      EXPECT_TRUE(verdict.valid()) << spec << ' ' << row.name;
      EXPECT_EQ(found.conflicts, 0U) << spec << ' ' << row.name;
      EXPECT_EQ(found.steps, found.schedule.step_count());
      EXPECT_GE(found.steps, found.fewest);
      EXPECT_GE(found.fewest, options.lower_bound);
    }
  }
}

struct Rules {
  const char* what;
  const char* spec;
  const char* faults;
  NodeGraphOptions links;
  std::uint32_t ports;
  std::uint32_t extra_hops;
};

/// Ports, half duplex, capacities above one, what has failed, lengths of paths: schedules keep to each, and
/// the bounds hold for them.
TEST_P(EverySolver, KeepsEveryRule) {
  constexpr std::uint32_t kAll = Problem::kAllPorts;
  const NodeGraphOptions half{.links = LinkClass::half_duplex};
  const std::vector<Rules> rules{
      {"one port", "ring:5", "", {}, 1, Problem::kAnyLength},
      {"two ports", "mesh:2x3", "", {}, 2, 0},
      {"shortest paths", "petersen", "", {}, kAll, 0},
      {"one hop longer", "mesh:2x3", "", {}, kAll, 1},
      {"half duplex", "ring:5", "", half, kAll, Problem::kAnyLength},
      {"half duplex, one port", "mesh:2x3", "", half, 1, 1},
      {"parallel cables", "random:switches=5,links=12,parallel=1", "", {}, kAll, Problem::kAnyLength},
      {"wide terminal cables", "fat:3,ring:3", "", {.terminal_capacity = 2}, kAll, Problem::kAnyLength},
      {"a dead cable", "mesh:2x3", "cables=S-0-S-1", {}, kAll, Problem::kAnyLength},
      {"a dead channel", "ring:4", "channels=S-0-S-1", {}, kAll, Problem::kAnyLength},
      {"a dead router", "mesh:2x3", "routers=S-1", {}, 2, 1},
  };
  Progress silent;
  for (const Rules& rule : rules) {
    const Network whole = make_network(rule.spec);
    const Faults faults = *rule.faults == 0 ? Faults{} : parse_faults(whole, rule.faults);
    const auto graph = std::make_shared<const NodeGraph>(with_faults(whole, faults), rule.links);
    for (const CollectiveRow& row : collectives()) {
      SCOPED_TRACE(fmt::format("{}: {} on {}", rule.what, row.name, rule.spec));
      Problem limits;
      limits.send_ports = limits.receive_ports = rule.ports;
      limits.extra_hops = rule.extra_hops;
      const Problem problem = make_collective(graph, row.name, {}, limits);
      if (refused(GetParam(), problem)) continue;
      SolveOptions options;
      options.lower_bound = lower_bound(problem).steps;
      const Solution found = solve(problem,
                                   with_known(GetParam(), {"population=20", "generations=60", "stall=15",
                                                           "effort=1", "levels=2", "conflicts=8000"}),
                                   options, silent);
      EXPECT_TRUE(check_schedule(problem, found.schedule).valid());
      EXPECT_EQ(found.conflicts, 0U);
      EXPECT_GE(found.steps, options.lower_bound);
    }
  }
}

TEST_P(EverySolver, CountsTheConflictsThatAreLeft) {
  Progress silent;
  for (const CollectiveRow& row : collectives()) {
    const Problem problem = testing::problem_on("ring:8", row.name, {});
    if (refused(GetParam(), problem)) continue;
    SolveOptions options;
    options.steps = 1;  // 2 at least are needed
    const Solution found =
        solve(problem, with_known(GetParam(), {"generations=10", "effort=1", "levels=1"}), options, silent);
    EXPECT_EQ(found.steps, 1U) << row.name;
    EXPECT_GT(found.conflicts, 0U) << row.name;
    EXPECT_EQ(found.schedule.step_count(), 1U) << row.name;
    EXPECT_FALSE(check_schedule(problem, found.schedule).valid()) << row.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EverySolver, ::testing::ValuesIn(names()), [](const auto& row) {
  std::string name = row.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

/// Populations that stall are followed by others; all share the generations.
TEST(Solver, TriesUntilOneFindsASchedule) {
  Progress silent;
  const Problem problem = testing::problem_on("hypercube:3", "AAS", {});
  SolveOptions options;
  options.steps = 4;
  const auto run = [&](const char* spec) { return solve(problem, spec, options, silent); };
  std::uint32_t once = 0, tried = 0;
  const std::uint32_t seeds = fewer_cases() ? 2 : 5;
  for (options.seed = 1; options.seed <= seeds; ++options.seed) {
    const Solution first = run("umda:stall=30,generations=3000");
    const Solution again = run("umda:stall=30,generations=3000,tries=1000");
    once += first.conflicts == 0 ? 1 : 0;
    tried += again.conflicts == 0 ? 1 : 0;
    EXPECT_LE(again.conflicts, first.conflicts);
    EXPECT_GE(again.evaluations, first.evaluations);
    EXPECT_LE(again.evaluations, 100U + 3000U * 67 + 1000U * 100);
    EXPECT_TRUE(first.conflicts > 0 || again.schedule == first.schedule);
    EXPECT_EQ(run("umda:stall=30,generations=3000,tries=1000").schedule, again.schedule);
  }
  EXPECT_GT(tried, once);
}

TEST(Solver, EndsWhenTheTimeIsUp) {
  Progress silent;
  const Problem problem = testing::problem_on("hypercube:4", "AAS", {});
  SolveOptions options;
  options.lower_bound = 8;
  options.seconds = 0.01;
  const Solution found = solve(problem, "umda", options, silent);
  EXPECT_TRUE(found.out_of_time);
  EXPECT_EQ(found.steps, 8U);
}

/// Processes stay together from one number of steps to the next, also when the time is up for one of them.
TEST(Solver, SharesIslandsAmongProcesses) {
  const Problem problem = testing::problem_on("ring:6", "AAB", {});
  const auto solved = [&](SolveOptions options, evolve::Exchange* exchange) {
    Progress silent;
    options.exchange = exchange;
    return solve(problem, "umda:islands=4,population=8,interval=3,stall=40", options, silent);
  };
  const Solution one = solved({.lower_bound = 1}, nullptr);
  EXPECT_EQ(one.conflicts, 0U);
  for (const std::uint32_t processes : {2U, 3U}) {
    for (const Solution& found : evolve::on_processes(processes, [&](evolve::Exchange& exchange) {
           return solved({.lower_bound = 1, .threads = processes - 1}, &exchange);
         })) {
      EXPECT_EQ(found.schedule, one.schedule) << processes;
      EXPECT_EQ(found.steps, one.steps);
      EXPECT_EQ(found.conflicts, 0U);
      EXPECT_EQ(found.evaluations, one.evaluations);
    }
  }
  const auto hurried = evolve::on_processes(3, [&](evolve::Exchange& exchange) {
    // The others' limits do not count.
    return solved({.steps = 1, .seconds = exchange.process() == 0 ? 1e-6 : 1e6}, &exchange);
  });
  for (const Solution& found : hurried) {
    EXPECT_TRUE(found.out_of_time);
    EXPECT_EQ(found.schedule, hurried[0].schedule);
    EXPECT_EQ(found.conflicts, hurried[0].conflicts);
  }
}

TEST(Solver, RefusesWhatItDoesNotKnow) {
  Progress silent;
  const Problem problem = testing::problem_on("ring:4", "OAS", {});
  EXPECT_THROW((void)solve(problem, "ant", {}, silent), InputError);
  EXPECT_THROW((void)solve(problem, "umda:ants=3", {}, silent), InputError);
  EXPECT_THROW((void)solve(problem, "umda:generations=0", {}, silent), InputError);
}

}  // namespace
}  // namespace unknot
