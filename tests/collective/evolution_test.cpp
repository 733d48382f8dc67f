// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/evolution/evolution.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/evolution/scatter_genome.hpp"
#include "unknot/collective/model/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

std::shared_ptr<const NodeGraph> graph(const std::string& spec, const NodeGraphOptions& options = {}) {
  return std::make_shared<NodeGraph>(make_network(spec), options);
}

std::uint32_t conflicts_by_pairs(const Problem& problem, const Schedule& schedule) {
  // The definition: channels shared by two transfers of one step, over all pairs of transfers.
  std::uint32_t conflicts = 0;
  for (std::uint32_t s = 0; s < schedule.step_count(); ++s) {
    for (std::uint32_t a = schedule.step_begin(s); a < schedule.step_end(s); ++a) {
      for (std::uint32_t b = a + 1; b < schedule.step_end(s); ++b) {
        const auto p = schedule.path(a), q = schedule.path(b);
        for (std::size_t i = 1; i < p.size(); ++i) {
          for (std::size_t j = 1; j < q.size(); ++j) {
            conflicts += p[i - 1] == q[j - 1] && p[i] == q[j] ? 1 : 0;
          }
        }
      }
    }
  }
  EXPECT_GT(problem.messages(), 0U);
  return conflicts;
}

TEST(PairPaths, AllShortestPathsOfAMesh) {
  const auto mesh = graph("mesh:4x4");
  const std::vector<MessageEnds> pairs = {
      {NodeId(0), NodeId(6)}, {NodeId(0), NodeId(15)}, {NodeId(3), NodeId(2)}};
  const PairPaths sets(*mesh, pairs);
  EXPECT_EQ(sets.count(0), 3U);  // the example of the thesis, Figure 6.2
  EXPECT_EQ(sets.count(1), 20U);
  EXPECT_EQ(sets.count(2), 1U);
  // All shortest paths between all pairs: 744 on this mesh, 2784 with paths longer by two. [section 6.1.1]
  std::vector<MessageEnds> all;
  for (const NodeId a : mesh->nodes()) {
    for (const NodeId b : mesh->nodes()) {
      if (a != b) all.push_back({a, b});
    }
  }
  EXPECT_EQ(PairPaths(*mesh, all).paths(), 744U);
}

TEST(PairPaths, KeepsPathsThatLieEvenlyAndAreDifferent) {
  const auto cube = graph("hypercube:6");
  const std::vector<MessageEnds> pairs = {{NodeId(0), NodeId(63)}};
  EXPECT_EQ(PairPaths(*cube, pairs).count(0), 720U);
  const PairPaths few(*cube, pairs, {.extra_hops = 0, .most = 100});
  ASSERT_EQ(few.count(0), 100U);
  std::set<std::vector<std::uint32_t>> seen;
  for (std::uint32_t i = 0; i < 100; ++i) {
    std::vector<std::uint32_t> arcs;
    for (const ArcId a : few.arcs(few.number(0, i))) arcs.push_back(a.value);
    EXPECT_EQ(arcs.size(), 6U);
    seen.insert(arcs);
  }
  EXPECT_EQ(seen.size(), 100U);
}

TEST(PairPaths, LongerPathsComeToNoNodeTwice) {
  const auto ring = graph("ring:5");
  const std::vector<MessageEnds> pairs = {{NodeId(0), NodeId(1)}};
  EXPECT_EQ(PairPaths(*ring, pairs, {.extra_hops = 2}).count(0), 1U);
  EXPECT_EQ(PairPaths(*ring, pairs, {.extra_hops = 3}).count(0), 2U);
  EXPECT_EQ(PairPaths(*ring, pairs, {.extra_hops = 30}).count(0), 2U);
}

TEST(Genomes, CostIsTheNumberOfConflicts) {
  for (const char* const spec : {"hypercube:3", "mesh:3x3", "kautz:b=2,n=2,oriented=1", "ring:6"}) {
    for (const char* const name : {"AAS", "OAS", "OAB", "AAB"}) {
      const Problem problem = make_collective(graph(spec), name);
      const auto check = [&](const auto& genome) {
        const auto evaluator = genome.evaluator();
        std::vector<evolve::Value> individual(genome.layout().length());
        Random random(3);
        for (int i = 0; i < 20; ++i) {
          if (i % 10 == 0)
            evaluator->initial(individual, random);
          else
            evaluator->mutate(individual, random);
          evaluator->repair(individual, random);
          const evolve::Cost cost = evaluator->cost(individual);
          const Schedule schedule = genome.schedule(individual);
          EXPECT_EQ(cost, conflicts_by_pairs(problem, schedule)) << spec << ' ' << name;
          // Nothing but channels can be wrong with what has been repaired.
          const ScheduleVerdict verdict = check_schedule(problem, schedule);
          EXPECT_EQ(verdict.violations(), verdict.of(ViolationKind::channel_conflict)) << spec << ' ' << name;
          EXPECT_EQ(cost == 0, verdict.valid());
        }
      };
      for (const double greedy : {0.0, 0.7}) {
        if (problem.delivery == Delivery::scatter) {
          check(ScatterGenome(problem, 3, {.limits = {}, .greedy = greedy}));
        } else {
          check(BroadcastGenome(problem, 3, {.limits = {}, .greedy = greedy}));
        }
      }
    }
  }
}

TEST(Conflicts, MoreIsWhatOneMoreBrings) {
  const Problem problem = make_collective(graph("hypercube:3"), "AAS");
  const auto all = graph("hypercube:3");
  std::vector<MessageEnds> pairs;
  for (std::uint32_t a = 0; a < 8; ++a) {
    for (std::uint32_t b = 0; b < 8; ++b) {
      if (a != b) pairs.push_back({NodeId(a), NodeId(b)});
    }
  }
  const PairPaths paths(*all, pairs);
  const StepResources resources(problem, paths, Symmetry(problem.graph->node_count()));
  Conflicts conflicts(resources, 3);
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    const std::uint32_t pair = random.below(static_cast<std::uint32_t>(pairs.size()));
    const std::uint32_t path = paths.number(pair, random.below(paths.count(pair))), step = random.below(3);
    const std::uint32_t before = conflicts.total(), more = conflicts.more(path, step);
    conflicts.add(path, step);
    ASSERT_EQ(conflicts.total(), before + more);
  }
}

struct EvolvedCase {
  const char* spec;
  const char* collective;
  std::uint32_t steps;
};

class Evolved : public ::testing::TestWithParam<EvolvedCase> {};

TEST_P(Evolved, IsAValidScheduleOfAsManySteps) {
  const auto [spec, collective, steps] = GetParam();
  const Problem problem = make_collective(graph(spec), collective);
  EXPECT_GE(steps, lower_bound(problem).steps);
  EvolutionOptions options;
  options.run.generations = 20'000;
  Progress silent;
  const EvolvedSchedule result = evolve_schedule(problem, steps, options, silent);
  EXPECT_TRUE(result.outcome.reached);
  EXPECT_EQ(result.schedule.step_count(), steps);
  const ScheduleVerdict verdict = check_schedule(problem, result.schedule);
  EXPECT_TRUE(verdict.valid()) << (verdict.findings.empty() ? "" : verdict.findings.front().first);
}

INSTANTIATE_TEST_SUITE_P(
    Patterns, Evolved,
    ::testing::Values(EvolvedCase{"hypercube:3", "OAS", 3}, EvolvedCase{"hypercube:3", "OAB", 2},
                      EvolvedCase{"hypercube:3", "AAS", 6}, EvolvedCase{"hypercube:3", "AAB", 3},
                      EvolvedCase{"hypercube:4", "OAB", 2}, EvolvedCase{"ring:8", "AAB", 4},
                      EvolvedCase{"mesh:3x3", "OAS", 4}, EvolvedCase{"hypercube:3", "AOG", 3},
                      EvolvedCase{"hypercube:3", "AOR", 2}),
    [](const auto& test) { return "case" + std::to_string(test.index); });

TEST(Evolution, SameSeedSameScheduleAtAnyNumberOfThreads) {
  const Problem problem = make_collective(graph("hypercube:4"), "AAB");
  Progress silent;
  EvolutionOptions options;
  options.run.generations = 30;
  options.run.threads = 1;
  const EvolvedSchedule one = evolve_schedule(problem, 4, options, silent);
  options.run.threads = 3;
  EXPECT_EQ(evolve_schedule(problem, 4, options, silent).schedule, one.schedule);
  options.run.seed = 2;
  EXPECT_NE(evolve_schedule(problem, 4, options, silent).schedule, one.schedule);
}

TEST(Evolution, RefusesNoSteps) {
  const Problem problem = make_collective(graph("ring:4"), "OAS");
  Progress silent;
  EXPECT_THROW((void)evolve_schedule(problem, 0, {}, silent), InputError);
  EXPECT_THROW((void)evolve_schedule(problem, 70'000, {}, silent), InputError);
}

}  // namespace
}  // namespace unknot
