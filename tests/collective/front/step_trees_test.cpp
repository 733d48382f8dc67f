// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/front/step_trees.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "collective/bandwidth/sample_networks.hpp"
#include "unknot/collective/front/step_schedule.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

/// Who has which chunk, a bit for each rank and chunk; all that can be after one step more, arc by arc. Knows
/// neither formulas nor an order of chunks.
class AllStates {
 public:
  AllStates(const StepProblem& problem, std::uint32_t chunks) : problem_(problem), chunks_(chunks) {}

  /// Whether any division of the rounds among the steps does.
  [[nodiscard]] bool possible(std::uint32_t steps, std::uint32_t rounds) const {
    std::uint32_t begin = 0;
    for (std::uint32_t c = 0; c < chunks_; ++c) begin |= bit(problem_.sources[0].rank, c);
    return reaches({begin}, steps, rounds);
  }

 private:
  [[nodiscard]] std::uint32_t bit(std::uint32_t rank, std::uint32_t chunk) const {
    return 1U << (rank * chunks_ + chunk);
  }
  [[nodiscard]] bool reaches(const std::set<std::uint32_t>& states, std::uint32_t steps,
                             std::uint32_t rounds) const {
    if (steps == 0) {
      const std::uint32_t all = (1U << (problem_.ranks() * chunks_)) - 1;
      return states.contains(all);
    }
    for (std::uint32_t here = 1; here + steps - 1 <= rounds; ++here) {
      std::set<std::uint32_t> next;
      for (const std::uint32_t state : states) next.merge(after(state, here));
      if (reaches(next, steps - 1, rounds - here)) return true;
    }
    return false;
  }
  [[nodiscard]] std::set<std::uint32_t> after(std::uint32_t state, std::uint32_t rounds) const {
    std::set<std::uint32_t> reached{state};
    for (const StepHop& hop : problem_.hops) {
      const std::uint32_t room = problem_.graph->capacity(hop.arcs[0]) * rounds;
      std::set<std::uint32_t> more;
      for (std::uint32_t chosen = 0; chosen < (1U << chunks_); ++chosen) {
        std::uint32_t got = 0, sent = 0;
        bool has_all = true;
        for (std::uint32_t c = 0; c < chunks_; ++c) {
          if ((chosen >> c & 1U) == 0) continue;
          has_all = has_all && (state & bit(hop.from, c)) != 0;
          got |= bit(hop.to, c);
          ++sent;
        }
        if (!has_all || sent > room) continue;
        for (const std::uint32_t before : reached) more.insert(before | got);
      }
      reached.merge(more);
    }
    return reached;
  }

  const StepProblem& problem_;
  std::uint32_t chunks_;
};

TEST(StepTrees, ThereIsAScheduleJustWhereTryingAllFindsOne) {
  Random random(17);
  std::uint32_t yes = 0, no = 0;
  for (int sample = 0; sample < 24; ++sample) {
    const testing::SampleShape shape{3 + random.below(2), 0, random.below(3), false};
    NodeGraphOptions options;
    options.terminal_capacity = 0;
    options.unit = CapacityUnit::automatic;
    const auto graph = std::make_shared<const NodeGraph>(testing::sample_network(shape, random), options);
    const StepProblem problem = without_symmetry(make_step_problem(make_collective(graph, "OAB")));
    const std::uint32_t chunks = 1 + random.below(3);
    for (std::uint32_t steps = problem.least_steps(); steps <= 3; ++steps) {
      for (std::uint32_t rounds = steps; rounds <= steps + 3; ++rounds) {
        SatAnswer answer = SatAnswer::unknown;
        Progress progress;
        const auto found = find_trees(problem, {steps, chunks, rounds, 1}, {}, progress, answer);
        const bool possible = AllStates(problem, chunks).possible(steps, rounds);
        EXPECT_EQ(answer, possible ? SatAnswer::satisfiable : SatAnswer::unsatisfiable)
            << sample << ": " << steps << " steps, " << chunks << " chunks, " << rounds << " rounds";
        ++(possible ? yes : no);
        if (!found) continue;
        const TimedVerdict verdict = check_steps(problem, *found);
        EXPECT_TRUE(verdict.valid()) << verdict.fault;
        EXPECT_LE(verdict.time, Fraction(rounds, chunks));
      }
    }
  }
  EXPECT_GT(yes, 20U);
  EXPECT_GT(no, 20U);
}

}  // namespace
}  // namespace unknot
