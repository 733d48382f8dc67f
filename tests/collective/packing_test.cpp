// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/packing/packing.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "collective/reference_checker.hpp"
#include "collective/schedules.hpp"
#include "effort.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/packing/ejection_search.hpp"
#include "unknot/collective/paths/pair_paths.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {
namespace {

/// Ways through the lattice of a message.
std::uint64_t ways(const PathLattice& lattice, std::uint32_t message) {
  std::vector<std::uint64_t> count(lattice.most_places(), 0);
  count[0] = 1;
  for (const PathLattice::Edge& edge : lattice.edges(message)) count[edge.to] += count[edge.from];
  std::uint64_t all = 0;
  for (const std::uint32_t end : lattice.ends(message)) all += count[end];
  return all;
}

/// As many as are listed one by one; beyond one hop more than the shortest, ways that meet themselves are
/// among them.
TEST(PathLattice, HoldTheListedPaths) {
  for (const char* const spec : {"hypercube:4", "mesh:3x4", "kautz:b=2,n=3,oriented=1", "petersen",
                                 "fat:2,ring:5", "btree:8", "omega:8"}) {
    const Problem problem = testing::problem_on(spec, "AAS");
    std::vector<MessageEnds> ends;
    for (std::uint32_t g = 0; g < problem.groups(); ++g) {
      for (const NodeId partner : problem.partners(g)) ends.push_back({problem.owner[g], partner});
    }
    for (const std::uint32_t extra : {0U, 1U, 2U}) {
      const PathLattice lattice(problem, extra);
      const PairPaths sets(*problem.graph, ends, {.extra_hops = extra, .most = 65'536});
      ASSERT_EQ(lattice.messages(), sets.pairs());
      for (std::uint32_t m = 0; m < lattice.messages(); ++m) {
        EXPECT_EQ(lattice.shortest(m), sets.arcs(sets.number(m, 0)).size()) << spec;
        if (extra < 2) {
          EXPECT_EQ(ways(lattice, m), sets.count(m)) << spec << ' ' << extra;
        } else {
          EXPECT_GE(ways(lattice, m), sets.count(m)) << spec << ' ' << extra;
        }
      }
    }
  }
}

/// Whatever the group and the bins, what is packed obeys every rule, and what is sent is what was packed.
TEST(Packing, SchedulesKeepTheRulesUnderEveryGroup) {
  struct Case {
    const char* spec;
    NodeGraphOptions links;
    std::uint32_t ports;
  };
  for (const Case& c : std::vector<Case>{{"hypercube:3", {}, Problem::kAllPorts},
                                         {"torus:4x4", {}, 1},
                                         {"torus:3x4", {.links = LinkClass::half_duplex}, Problem::kAllPorts},
                                         {"ring:6", {.links = LinkClass::half_duplex}, 1},
                                         {"levi", {}, Problem::kAllPorts},
                                         {"mesh:3x3", {}, 1},
                                         {"mesh:3x3", {}, 4},
                                         {"fat:2,spidergon:6", {.terminal_capacity = 2}, Problem::kAllPorts},
                                         {"omega:8", {}, Problem::kAllPorts},
                                         {"kautz:b=3,n=2,oriented=1", {}, 2}}) {
    ProblemRules rules;
    rules.send_ports = rules.receive_ports = c.ports;
    const Problem problem = make_collective(testing::graph_of(c.spec, c.links), "AAS", {}, rules);
    const Symmetry symmetry = find_symmetry(problem, {.fixed_node = true});
    const auto orders = symmetry.subgroup_orders();
    for (std::size_t g = 0; g < orders.size(); ++g) {
      for (std::size_t h = 0; h <= g; ++h) {
        for (const std::uint32_t extra : {0U, 1U}) {
          SCOPED_TRACE(std::string(c.spec) + " " + std::to_string(orders[g]) + " " +
                       std::to_string(orders[h]));
          const std::uint32_t shifts = orders[g] / orders[h];
          // Steps of two kinds where the group has any.
          std::vector<std::uint32_t> stabilisers(1 + 12 / shifts, orders[h]);
          stabilisers.push_back(orders[g]);
          const Packing packing(problem, symmetry.subgroup(orders[g]), extra, stabilisers);
          EXPECT_EQ(packing.items() * orders[g], problem.messages());
          EjectionSearch search(packing, 1, 0);
          (void)search.run(20'000, [] { return false; });
          const Schedule schedule = packing.schedule(search.best());
          EXPECT_EQ(schedule.step_count(), shifts * (1 + 12 / shifts) + 1);
          EXPECT_EQ(schedule.transfer_count() + search.best_waiting() * orders[g], problem.messages());
          const ScheduleVerdict verdict = check_schedule(problem, schedule);
          EXPECT_EQ(verdict.violations(), verdict.of(ViolationKind::missing));
          EXPECT_EQ(verdict.of(ViolationKind::missing), std::uint64_t{search.best_waiting()} * orders[g]);
        }
      }
    }
  }
}

/// Steps that exhaustive bounds allow, on networks with and without symmetry. The thesis's tables have more
/// for hypercube-16 (9), torus 4x4 (9), Heawood (10), Levi (31), mesh 5x5 (32) and the fat ones.
TEST(PackingSolver, ReachesTheBound) {
  struct Case {
    const char* spec;
    std::uint32_t steps;
  };
  Progress silent;
  for (const Case& c : std::vector<Case>{{"hypercube:4", 8},
                                         {"hypercube:6", 32},
                                         {"hypercube:7", 64},
                                         {"ring:8", 8},

                                         {"uniring:8", 28},
                                         {"torus:3x3", 3},
                                         {"torus:4x4", 8},
                                         {"torus:5x5", 15},
                                         {"torus:6x6", 27},
                                         {"torus:8x8", 64},
                                         {"mesh:4x4", 16},
                                         {"mesh:5x5", 30},

                                         {"petersen", 5},
                                         {"heawood", 9},
                                         {"levi", 28},
                                         {"kautz:b=3,n=2,oriented=1", 7},
                                         {"spidergon:24", 36},
                                         {"btree:16", 64},
                                         {"fulltree:15", 56},
                                         {"omega:16", 15},
                                         {"clos:12", 11},
                                         {"fat:2,hypercube:4", 32},
                                         {"fat:4,spidergon:8", 64}}) {
    if (fewer_cases() && c.steps > 32) continue;
    const Problem problem = testing::problem_on(c.spec, "AAS");
    EXPECT_EQ(lower_bound(problem).steps, c.steps) << c.spec;
    SolveOptions options;
    options.steps = c.steps;
    const Solution found = solve(problem, "packing", options, silent);
    EXPECT_EQ(found.conflicts, 0U) << c.spec;
    EXPECT_TRUE(check_schedule(problem, found.schedule).valid()) << c.spec;
  }
}

TEST(PackingSolver, SameSeedSameScheduleAtAnyNumberOfThreads) {
  Progress silent;
  for (const char* const spec : {"mesh:4x4", "torus:5x5"}) {
    const Problem problem = testing::problem_on(spec, "AAS");
    SolveOptions options{.lower_bound = lower_bound(problem).steps, .seed = 5, .threads = 1};
    const Solution one = solve(problem, "packing", options, silent);
    options.threads = 3;
    const Solution three = solve(problem, "packing", options, silent);
    EXPECT_EQ(one.schedule, three.schedule) << spec;
    EXPECT_EQ(one.evaluations, three.evaluations) << spec;
    options.seed = 6;
    EXPECT_NE(one.schedule, solve(problem, "packing", options, silent).schedule) << spec;
  }
}

TEST(PackingSolver, KnowsWhenChannelsAreTooFew) {
  Progress silent;
  const Problem problem = testing::problem_on("ring:8", "AAS");
  SolveOptions options;
  options.steps = 7;
  const Solution found = solve(problem, "packing:effort=1", options, silent);
  EXPECT_TRUE(found.impossible);
  EXPECT_GT(found.conflicts, 0U);
  EXPECT_EQ(found.fewest, 8U);
}

/// Without symmetry, and with more steps than a word has bits.
TEST(Packing, FillsManyStepsOfAnIrregularNetwork) {
  Progress silent;
  const Network torus = make_network("torus:8x8");
  const auto graph =
      std::make_shared<const NodeGraph>(with_faults(torus, parse_faults(torus, "cable-count=3,seed=1")));
  const Problem problem = make_collective(graph, "AAS");
  SolveOptions options;
  options.steps = 74;
  const Solution found = solve(problem, "packing:effort=100,longer=0", options, silent);
  EXPECT_EQ(found.conflicts, 0U);
  EXPECT_TRUE(check_schedule(problem, found.schedule).valid());
  EXPECT_GE(found.steps, lower_bound(problem).steps);
}

}  // namespace
}  // namespace unknot
