// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/front/step_front.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collective/bandwidth/sample_networks.hpp"
#include "unknot/collective/bandwidth/bandwidth_optimum.hpp"
#include "unknot/collective/bandwidth/bandwidth_problem.hpp"
#include "unknot/collective/front/step_trees.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

std::shared_ptr<const NodeGraph> front_graph(const Network& network) {
  NodeGraphOptions options;
  options.terminal_capacity = 0;
  options.unit = CapacityUnit::automatic;
  return std::make_shared<const NodeGraph>(network, options);
}

struct Sought {
  StepProblem problem;
  Front front;
};

Sought seek(const std::shared_ptr<const NodeGraph>& graph, const std::string& collective,
            const FrontOptions& options = {}) {
  Progress progress;
  Sought result{make_step_problem(make_collective(graph, collective)), {}};
  Fraction end;
  if (!result.problem.personal)
    end = bandwidth_optimum(make_bandwidth_problem(graph, collective), progress).time();
  result.front = find_front(result.problem, end, options, progress);
  return result;
}

Sought seek(const std::string& spec, const std::string& collective, const FrontOptions& options = {}) {
  return seek(front_graph(make_network(spec)), collective, options);
}

using Ends = std::vector<std::pair<std::uint32_t, std::string>>;

Ends ends_of(const Front& front) {
  Ends ends;
  for (const FrontPoint& point : front.points) ends.emplace_back(point.steps(), point.verdict.time.text());
  return ends;
}

/// Each point passes the checker, and each bound is counted from its weights without symmetry.
void expect_proven(const Sought& sought, bool optimal) {
  const StepProblem plain = without_symmetry(sought.problem);
  for (const FrontPoint& point : sought.front.points) {
    const TimedVerdict verdict = check_steps(plain, point.schedule);
    EXPECT_TRUE(verdict.valid()) << verdict.fault;
    EXPECT_EQ(verdict.time, point.verdict.time);
    EXPECT_GE(point.verdict.time, point.bound);
    if (point.by_weights) {
      EXPECT_EQ(count_proof(plain, point.proof).time(), point.bound);
    }
    EXPECT_EQ(point.optimal(), optimal) << point.steps() << " steps";
  }
}

TEST(StepFront, AllGatherOfTheCubeMesh) {
  // SCCL has (C, S, R) = (2, 2, 3) and (6, 3, 7), and no proof that two steps take 3/2: it excludes 4/3
  // alone.
  for (const char* collective : {"AAB", "AAR"}) {
    const Sought sought = seek("dgx1", collective);
    EXPECT_EQ(sought.front.least_steps, 2U);
    EXPECT_EQ(ends_of(sought.front), (Ends{{2, "3/2"}, {3, "7/6"}})) << collective;
    EXPECT_EQ(sought.front.points[0].schedule.chunks, 2U);
    EXPECT_TRUE(sought.front.points[0].by_weights);
    EXPECT_EQ(sought.front.points[1].schedule.chunks, 6U);
    expect_proven(sought, true);
  }
}

TEST(StepFront, OtherCollectivesOfTheCubeMesh) {
  for (const auto& [collective, ends] : std::vector<std::pair<const char*, Ends>>{
           {"AAS", {{2, "8/3"}}}, {"OAS", {{2, "7/6"}}}, {"AOG", {{2, "7/6"}}}}) {
    const Sought sought = seek("dgx1", collective);
    EXPECT_EQ(ends_of(sought.front), ends) << collective;
    EXPECT_EQ(sought.front.end, sought.front.points.back().verdict.time);
    EXPECT_EQ(count_proof(sought.problem, sought.front.end_proof).time(), sought.front.end);
    expect_proven(sought, true);
  }
  FrontOptions options;
  options.most_steps = 4;
  const Sought spread = seek("dgx1", "OAB", options);
  EXPECT_EQ(ends_of(spread.front), (Ends{{2, "1"}, {3, "9/22"}, {4, "4/13"}}));
  expect_proven(spread, true);
}

TEST(StepFront, OneScheduleIsBestOfAllOnNetworksThatAreAlikeEverywhere) {
  for (const auto& [spec, collective, ends] :
       std::vector<std::tuple<const char*, const char*, Ends>>{{"torus:8x8", "AAB", {{8, "63/4"}}},
                                                               {"hypercube:6", "AAR", {{6, "21/2"}}},
                                                               {"ring:8", "AAB", {{4, "7/2"}}},
                                                               {"torus:4x4", "AAS", {{4, "8"}}},
                                                               {"hypercube:4", "AAS", {{4, "8"}}}}) {
    const Sought sought = seek(spec, collective);
    EXPECT_EQ(ends_of(sought.front), ends) << spec << " " << collective;
    EXPECT_EQ(sought.front.end, sought.front.points.back().verdict.time);
    expect_proven(sought, true);
  }
}

TEST(StepFront, WhereNoFewChunksAreWholeManyAreRounded) {
  const Sought sought = seek("mesh:4x4", "AAS");
  EXPECT_EQ(sought.front.end.text(), "16");
  EXPECT_EQ(sought.front.points.back().schedule.chunks, 120U);
  EXPECT_LT(sought.front.points.back().verdict.time.value(), 16 * 1.01);
  expect_proven(sought, false);
}

TEST(StepFront, BoundsAgreeWithWhatNoSolverFinds) {
  // Whatever a bound excludes has no schedule, by a solver that knows neither weights nor symmetry; and a
  // schedule of the front is never better than the bound.
  Random random(5);
  std::uint32_t excluded = 0;
  for (int sample = 0; sample < 12; ++sample) {
    const testing::SampleShape shape{3 + random.below(2), 0, random.below(4), sample % 4 == 3};
    const auto graph = front_graph(testing::sample_network(shape, random));
    FrontOptions options;
    options.most_steps = 4;
    options.most_chunks = 6;
    const Sought sought = seek(graph, sample % 2 == 0 ? "AAB" : "OAB", options);
    const StepProblem plain = without_symmetry(sought.problem);
    for (std::uint32_t steps = sought.front.least_steps; steps <= 4; ++steps) {
      for (std::uint32_t chunks = 1; chunks <= 3; ++chunks) {
        for (std::uint32_t rounds = steps; Fraction(rounds, chunks) < sought.front.bound(steps); ++rounds) {
          SatAnswer answer = SatAnswer::unknown;
          Progress progress;
          (void)find_trees(plain, {steps, chunks, rounds, 1}, {}, progress, answer);
          EXPECT_EQ(answer, SatAnswer::unsatisfiable)
              << sample << ": " << steps << " steps, " << chunks << " chunks, " << rounds << " rounds";
          ++excluded;
        }
      }
    }
    for (const FrontPoint& point : sought.front.points) {
      EXPECT_GE(point.verdict.time, point.bound);
      EXPECT_TRUE(check_steps(plain, point.schedule).valid());
    }
  }
  EXPECT_GT(excluded, 20U);
}

TEST(StepFront, WhereSwitchesJoinGpusAHopLeadsThroughThem) {
  const Sought sought = seek("boxes:1,4", "AAB");
  EXPECT_EQ(sought.front.least_steps, 1U);
  EXPECT_EQ(ends_of(sought.front), (Ends{{1, "1/3"}}));
  EXPECT_EQ(sought.problem.hops.size(), 12U);
  expect_proven(sought, true);
}

TEST(StepCheck, NamesWhatIsWrong) {
  const Sought sought = seek("ring:4", "AAB");
  const StepSchedule good = sought.front.points[0].schedule;
  ASSERT_TRUE(check_steps(sought.problem, good).valid());
  StepSchedule lost = good;
  lost.steps.back().pop_back();
  EXPECT_NE(check_steps(sought.problem, lost).fault.find("ends without chunk"), std::string::npos);
  StepSchedule twice = good;
  twice.steps.back().push_back(twice.steps.back().back());
  EXPECT_NE(check_steps(sought.problem, twice).fault.find("gets a chunk twice"), std::string::npos);
  StepSchedule early = good;
  std::swap(early.steps.front(), early.steps.back());
  EXPECT_NE(check_steps(sought.problem, early).fault.find("sends what it does not have yet"),
            std::string::npos);
  StepSchedule strange = good;
  strange.steps[0][0].chunk = 99;
  EXPECT_NE(check_steps(sought.problem, strange).fault.find("a chunk that there is not"), std::string::npos);
}

TEST(StepProof, WeightsThatDoNotCoverTheirPartsProveNothing) {
  const Sought sought = seek("dgx1", "AAB");
  StepProof proof = sought.front.points[0].proof;
  ASSERT_EQ(count_proof(sought.problem, proof).time().text(), "3/2");
  StepProof cheap = proof;
  for (std::uint32_t& weight : cheap.arc_weight) weight /= 2;
  EXPECT_EQ(count_proof(sought.problem, cheap).distance, 0U);
  StepProof idle = proof;
  for (std::uint32_t& part : idle.part) part = 0;
  EXPECT_EQ(count_proof(sought.problem, idle).distance, 0U);
  StepProof dear = proof;
  for (std::uint32_t& weight : dear.arc_weight) weight *= 2;
  EXPECT_EQ(count_proof(sought.problem, dear).time().text(), "3/4");
}

}  // namespace
}  // namespace unknot
