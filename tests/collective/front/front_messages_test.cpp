// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/front/front_messages.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "unknot/collective/bandwidth/bandwidth_optimum.hpp"
#include "unknot/collective/bandwidth/bandwidth_problem.hpp"
#include "unknot/collective/files/combined_file.hpp"
#include "unknot/collective/front/all_reduce_front.hpp"
#include "unknot/collective/front/rounds_check.hpp"
#include "unknot/collective/front/size_ranges.hpp"
#include "unknot/collective/mscclpp/plan.hpp"
#include "unknot/collective/mscclpp/plan_make.hpp"
#include "unknot/collective/mscclpp/rank_moves.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

struct Half {
  StepProblem problem;
  Front front;
};

Half half_of(const std::shared_ptr<const NodeGraph>& graph, const char* row) {
  Progress progress;
  Half half{make_step_problem(make_collective(graph, row)), {}};
  half.front = find_front(
      half.problem, bandwidth_optimum(make_bandwidth_problem(graph, row), progress).time(), {}, progress);
  return half;
}

TEST(FrontMessages, AllReduceOfTheCubeMeshIsCarriedOutInItsRounds) {
  // SCCL: (C, S, R) = (16, 4, 6), which is 3 shares, and (48, 6, 14), 7/3; five steps it does not have.
  const auto graph = std::make_shared<const NodeGraph>(make_network("dgx1"));
  const Half in = half_of(graph, "AAR");
  const Half out = half_of(graph, "AAB");
  const std::vector<AllReducePoint> points = join_fronts(in.front, out.front);
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[0].time.text(), "3");
  EXPECT_EQ(points[1].time.text(), "8/3");
  EXPECT_EQ(points[2].time.text(), "7/3");
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(points[i].steps, 4 + i);
    EXPECT_EQ(points[i].bound, points[i].time);
    const AllReduceMessages made =
        all_reduce_messages(in.problem, in.front.points[points[i].inward].schedule, out.problem,
                            out.front.points[points[i].outward].schedule);
    const CombinedProblem problem =
        make_combined(graph, find_combined_collective("all-reduce"), {}, made.pieces);
    std::vector<std::uint32_t> rounds = rounds_of(problem, made.schedule);
    std::uint64_t all = 0;
    for (const std::uint32_t r : rounds) all += r;
    EXPECT_EQ(Fraction(all * 8, made.pieces), points[i].time);  // shares of eight
    const ScheduleVerdict verdict = check_in_rounds(problem, made.schedule, rounds);
    EXPECT_TRUE(verdict.valid()) << verdict.findings.front().first;
    rounds.back() -= 1;
    const ScheduleVerdict hurried = check_in_rounds(problem, made.schedule, rounds);
    EXPECT_GT(hurried.of(ViolationKind::channel_conflict), 0U);
    EXPECT_EQ(hurried.violations(), hurried.of(ViolationKind::channel_conflict));
    const mscclpp::Plan plan =
        mscclpp::make_plan(mscclpp::moves_of(problem, made.schedule, mscclpp::Sharing::shared), "front", {});
    EXPECT_EQ(mscclpp::find_fault(plan), std::nullopt);
  }
}

TEST(FrontMessages, FilesHoldRounds) {
  const auto graph = std::make_shared<const NodeGraph>(make_network("ring:4"));
  const Half half = half_of(graph, "AAB");
  CombinedDocument document;
  document.fabric = "ring:4";
  document.collective = "AAB";
  document.pieces = half.front.points[0].schedule.chunks;
  document.schedule = front_messages(half.problem, half.front.points[0].schedule);
  const CombinedProblem problem = make_combined(graph, find_combined_collective("AAB"), {}, document.pieces);
  document.rounds = rounds_of(problem, document.schedule);
  EXPECT_EQ(std::get<CombinedDocument>(parse_any_schedule(combined_json(document), "file")), document);
  EXPECT_TRUE(check_in_rounds(problem, document.schedule, document.rounds).valid());
  document.rounds.push_back(1);
  EXPECT_FALSE(check_in_rounds(problem, document.schedule, document.rounds).valid());
  EXPECT_FALSE(check_in_rounds(problem, document.schedule, {}).valid());
}

TEST(SizeRanges, EachIsTheQuickestFromItsFirstSizeOn) {
  Random random(3);
  for (int sample = 0; sample < 200; ++sample) {
    std::vector<LineCost> lines;
    for (std::uint32_t i = 0; i < 1 + random.below(5); ++i)
      lines.push_back({1 + random.below(40) * 1.0, random.below(20) / 10.0});
    const auto from = first_sizes(lines);
    for (std::uint64_t bytes = 1; bytes <= 600; ++bytes) {
      std::size_t says = lines.size();
      for (std::size_t i = 0; i < lines.size(); ++i) {
        if (from[i] && *from[i] <= bytes && (says == lines.size() || *from[i] >= *from[says])) says = i;
      }
      ASSERT_LT(says, lines.size());
      double least = lines[0].fixed + lines[0].byte * static_cast<double>(bytes);
      for (const LineCost& line : lines)
        least = std::min(least, line.fixed + line.byte * static_cast<double>(bytes));
      EXPECT_NEAR(lines[says].fixed + lines[says].byte * static_cast<double>(bytes), least, 1e-9);
    }
  }
}

}  // namespace
}  // namespace unknot
