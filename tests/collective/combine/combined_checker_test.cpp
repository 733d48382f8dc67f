// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/combine/combined_checker.hpp"

#include <gmock/gmock.h>

#include "collective/combined_play.hpp"
#include "collective/schedules.hpp"
#include "unknot/collective/combine/combining_catalogue.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;
using testing::nodes;

CombinedProblem sum_on_ring() {
  return make_combined(testing::graph_of("ring:3"), find_combined_collective("all-reduce"));
}

/// One transfer of block [0, 0] in each step: sender, receiver, and whether it is added up.
struct Move {
  std::uint32_t from, to;
  bool combines;
};
CombinedSchedule moves(const std::vector<std::vector<Move>>& steps, Block block = {NodeId(0), 0}) {
  CombinedSchedule schedule;
  for (const auto& step : steps) {
    schedule.add_step();
    for (const Move& move : step)
      schedule.add(nodes({move.from, move.to}), std::vector<Block>{block}, move.combines);
  }
  return schedule;
}

TEST(CombinedChecker, TakesASumThatIsRight) {
  const auto good = moves({{{1, 0, true}, {2, 0, true}}, {{0, 1, false}, {0, 2, false}}});
  const ScheduleVerdict verdict = check_combined(sum_on_ring(), good);
  EXPECT_TRUE(verdict.valid());
  EXPECT_EQ(verdict.transfers, 4U);
  EXPECT_EQ(verdict.hops, 4U);
  EXPECT_EQ(testing::played(sum_on_ring(), good), "");
  // an exchange: both send what they had when the step began
  const CombinedProblem pair =
      make_combined(testing::graph_of("mesh:2"), find_combined_collective("all-reduce"));
  EXPECT_TRUE(check_combined(pair, moves({{{0, 1, true}, {1, 0, true}}})).valid());
}

TEST(CombinedChecker, NamesEachViolation) {
  const CombinedProblem sum = sum_on_ring();
  const auto expect = [](const CombinedProblem& problem, const CombinedSchedule& schedule, ViolationKind kind,
                         const char* words) {
    const ScheduleVerdict verdict = check_combined(problem, schedule);
    ASSERT_FALSE(verdict.valid()) << words;
    EXPECT_EQ(verdict.findings[0].kind, kind) << verdict.findings[0].first;
    EXPECT_THAT(verdict.findings[0].first, HasSubstr(words));
    EXPECT_GT(verdict.of(kind), 0U);
  };
  using enum ViolationKind;
  expect(sum, moves({{{1, 0, true}}, {{1, 0, true}}}), duplicate, "a contribution would count twice");
  expect(sum, moves({{{1, 0, true}, {2, 0, false}}}), duplicate, "another transfer brings this block");
  expect(sum, moves({{{0, 1, false}}, {{0, 1, false}}}), duplicate, "holds the same already");
  expect(sum, moves({{{1, 0, true}, {2, 0, true}}}), missing,
         "node 1 ends without what node 0 has of block [0, 0]");
  expect(sum, moves({{{1, 0, true}}}, {NodeId(0), 1}), unknown_node, "there is no such block");
  expect(sum, moves({{{1, 0, true}, {1, 0, true}}}), channel_conflict, "the channel from 1 to 0");
  expect(sum, moves({{{0, 7, true}}}), unknown_node, "there is no node 7");
  expect(sum, moves({{{0, 0, true}}}), no_path, "comes to node 0 twice");
  const CombinedProblem all =
      make_combined(testing::graph_of("ring:4"), find_combined_collective("all-gather"));
  expect(all, moves({{{1, 2, false}}}), not_informed, "the sender holds nothing of it");
  expect(all, moves({{{0, 1, true}}}), wrong_sender, "nothing is combined");
  expect(all, moves({{{0, 2, false}}}), no_channel, "no channel leads from 0 to 2");
  Problem one_port;
  one_port.send_ports = one_port.receive_ports = 1;
  const CombinedProblem narrow =
      make_combined(testing::graph_of("ring:4"), find_combined_collective("all-gather"), {}, 1, one_port);
  expect(narrow, moves({{{0, 1, false}, {0, 3, false}}}), send_ports, "sends more than 1 message");
  Participants some;
  some.nodes = nodes({0, 1});
  const CombinedProblem few =
      make_combined(testing::graph_of("ring:4"), find_combined_collective("all-gather"), some);
  expect(few, moves({{{0, 3, false}}}), unknown_node, "node 3 takes no part");
  // a scan must not hear of later nodes
  const CombinedProblem scan = make_combined(testing::graph_of("mesh:2"), find_combined_collective("scan"));
  EXPECT_TRUE(check_combined(scan, moves({{{0, 1, true}}})).valid());
  expect(scan, moves({{{0, 1, true}, {1, 0, true}}}), missing, "node 0 ends with what node 1 has");
}

/// Damaged schedules: what the checker takes has the right results with numbers too, and what gives wrong
/// results it does not take.
TEST(CombinedChecker, AgreesWithCarryingOutNumbers) {
  Progress silent;
  Random random(7);
  std::uint32_t valid = 0, wrong = 0;
  for (const char* const name : {"AAS", "all-gather", "reduce-scatter", "all-reduce", "scan", "OAB"}) {
    for (const CombiningChoice& choice :
         combining_choices(make_combined(testing::graph_of("ring:4"), find_combined_collective(name)))) {
      CombiningOptions options;
      options.tries = 2;
      const CombinedSolution made = choice.make(options, silent);
      for (int damage = 0; damage < 60; ++damage) {
        CombinedSchedule other;
        const std::uint32_t victim = random.below(made.schedule.transfer_count());
        const std::uint32_t way = random.below(5);
        for (std::uint32_t step = 0; step < made.schedule.step_count(); ++step) {
          const bool merge = way == 4 && step > 0 && made.schedule.step_begin(step) == victim;
          if (!merge) other.add_step();
          for (std::uint32_t t = made.schedule.step_begin(step); t < made.schedule.step_end(step); ++t) {
            std::vector<NodeId> path(made.schedule.path(t).begin(), made.schedule.path(t).end());
            std::vector<Block> blocks(made.schedule.blocks(t).begin(), made.schedule.blocks(t).end());
            bool combines = made.schedule.combines(t);
            if (t == victim) {
              if (way == 0) continue;
              if (way == 1) combines = !combines;
              if (way == 2) path.back() = NodeId(random.below(4));
              if (way == 3) blocks[0] = made.problem.block[random.below(made.problem.blocks())];
            }
            other.add(path, blocks, combines);
          }
        }
        const bool taken = check_combined(made.problem, other).valid();
        const std::string played = testing::played(made.problem, other);
        if (taken) {
          EXPECT_EQ(played, "") << name << ' ' << choice.name;
        }
        valid += taken ? 1 : 0;
        wrong += played.empty() ? 0 : 1;
        EXPECT_TRUE(played.empty() || !taken) << played;
      }
    }
  }
  EXPECT_GT(valid, 20U);
  EXPECT_GT(wrong, 500U);
}

}  // namespace
}  // namespace unknot
