// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "collective/msccl_samples.hpp"
#include "collective/mscclpp/plan_play.hpp"
#include "collective/schedules.hpp"
#include "refusal.hpp"
#include "unknot/collective/bandwidth/bandwidth_optimum.hpp"
#include "unknot/collective/combine/combining_catalogue.hpp"
#include "unknot/collective/mscclpp/plan_make.hpp"
#include "unknot/collective/trees/make_forest.hpp"

namespace unknot::mscclpp {
namespace {

using ::testing::HasSubstr;
using unknot::testing::graph_of;
using unknot::testing::nodes;
using unknot::testing::problem_on;

/// Every plan of these moves: comes back from what is written, has no fault, and gives the right numbers.
void expect_plans(const RankMoves& moves, const std::string& what) {
  std::vector<std::uint32_t> boxes;
  for (std::uint32_t r = 0; r < moves.ranks(); ++r) boxes.push_back(r / 2);
  for (const bool in_place : {false, true}) {
    if (in_place && moves.collective == msccl::Collective::all_to_all) continue;
    for (const auto& box : {std::vector<std::uint32_t>{}, boxes}) {
      const Plan made = make_plan(moves, what, {in_place, box});
      const std::string text = plan_text(made);
      const Plan read = parse_plan(text, "made");
      ASSERT_EQ(plan_text(read), text) << what;
      ASSERT_EQ(find_fault(read), std::nullopt) << what;
      for (std::uint64_t seed = 0; seed < 3; ++seed)
        EXPECT_EQ(testing::PlanPlay(read, seed).run(), "") << what << (in_place ? " in place" : "") << seed;
    }
  }
}

TEST(MscclppMade, EveryScheduleBecomesAPlanThatDoesWhatItSays) {
  for (const char* spec : {"ring:6", "hypercube:3", "petersen", "fat:2,ring:4", "btree:8", "uniring:4"}) {
    for (const CollectiveRow& row : collectives()) {
      const Problem problem = problem_on(spec, row.name);
      const Schedule schedule = unknot::testing::found_schedule(problem);
      const std::string refused = refusal([&] { (void)moves_of(problem, schedule); });
      if (row.participation == Participation::one_to_one ||
          row.participation == Participation::to_all_after) {
        EXPECT_THAT(refused, HasSubstr("it has no collective")) << row.name;
      } else if (row.delivery == Delivery::scatter && (row.participation == Participation::one_to_all ||
                                                       row.participation == Participation::all_to_one)) {
        EXPECT_THAT(refused, HasSubstr("buffers of the same sizes; those of " + row.name + " differ"));
      } else {
        expect_plans(moves_of(problem, schedule), row.name + " " + spec);
      }
    }
  }
}

TEST(MscclppMade, EveryCombiningAlgorithmBecomesAPlan) {
  std::size_t plans = 0;
  for (const char* spec : {"ring:5", "hypercube:3", "mesh:3x2"}) {
    for (const CombinedRow& row : combined_collectives()) {
      Participants who;
      const CombinedProblem problem = make_combined(graph_of(spec), row, who);
      CombiningOptions options;
      options.threads = 1;
      options.tries = 2;
      for (const CombiningChoice& choice : combining_choices(problem)) {
        Progress silent;
        CombinedSolution made;
        if (!refusal([&] { made = choice.make(options, silent); }).empty()) continue;
        const std::string refused = refusal([&] { (void)moves_of(made.problem, made.schedule); });
        if (!refused.empty()) {
          EXPECT_THAT(refused, ::testing::AnyOf(HasSubstr("it has no collective"), HasSubstr("differ")))
              << row.name;
          continue;
        }
        expect_plans(moves_of(made.problem, made.schedule), row.name + " " + choice.name + " " + spec);
        ++plans;
      }
    }
  }
  EXPECT_GT(plans, 30U);
}

Forest trees_of(const BandwidthProblem& problem) {
  Progress silent;
  return problem.all_reduce ? make_forest(all_reduce_optimum(problem, silent), silent)
                            : make_forest(problem, bandwidth_optimum(problem, silent), silent);
}

TEST(MscclppMade, TreesBecomePlansInAnyNumberOfChunks) {
  for (const char* spec : {"ring:5", "torus:3x3", "mesh:3x2", "boxes:gpus=4,boxes=2"}) {
    for (const char* collective : {"all-gather", "reduce-scatter", "all-reduce", "broadcast", "reduce"}) {
      const BandwidthProblem problem = make_bandwidth_problem(graph_of(spec), collective);
      const Forest forest = trees_of(problem);
      for (const std::uint64_t chunks : {1, 3})
        expect_plans(moves_of(problem, forest, chunks), std::string(collective) + " " + spec);
    }
  }
}

TEST(MscclppMade, ThreadBlocksThatAreFullAreDivided) {
  const Problem problem = problem_on("ring:64", "AAB");
  const Plan plan = make_plan(moves_of(problem, unknot::testing::ring_gossip(64)), "ring");
  std::size_t longest = 0;
  for (const ThreadBlock& block : plan.gpus[0].blocks) longest = std::max(longest, block.operations.size());
  EXPECT_LE(longest, kMostOperations);
  EXPECT_GT(plan.gpus[0].blocks.size(), 8U);
  EXPECT_GT(plan.gpus[0].peers[0].size(), 8U);  // each with a channel
}

TEST(MscclppMade, BoxesAreJoinedByPorts) {
  const Problem problem = problem_on("ring:4", "AAB");
  const RankMoves moves = moves_of(problem, unknot::testing::ring_gossip(4));
  const Plan plan = make_plan(moves, "two boxes", {false, {0, 0, 1, 1}});
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    for (const std::uint32_t peer : plan.gpus[rank].peers[0]) EXPECT_EQ(peer / 2, rank / 2);
    for (const std::uint32_t peer : plan.gpus[rank].peers[1]) EXPECT_NE(peer / 2, rank / 2);
  }
}

TEST(MscclppMade, AMessageIsPassedOnAfterItCame) {
  const Problem problem = problem_on("uniring:3", "OAB");
  Schedule schedule;
  schedule.add_step();
  schedule.add(NodeId(0), nodes({0, 1}));
  schedule.add_step();
  schedule.add(NodeId(0), nodes({1, 2}));
  const std::string text = plan_text(make_plan(moves_of(problem, schedule), "a \"b\""));
  EXPECT_THAT(text, HasSubstr(R"({"id": 1, "input_chunks": 1, "output_chunks": 1, "scratch_chunks": 0,
     "threadblocks": [
      {"id": 0, "ops": [
        {"name": "rlxsignal", "channel_ids": [0], "channel_type": "memory"},
        {"name": "wait", "channel_ids": [0], "channel_type": "memory"},
        {"name": "nop"},
        {"name": "sem_release", "semaphore_ids": [0]}],
       "channels": [{"channel_type": "memory", "channel_ids": [0]}], "remote_buffer_refs": []},
      {"id": 1, "ops": [
        {"name": "rlxwait", "channel_ids": [0], "channel_type": "memory"},
        {"name": "nop"},
        {"name": "sem_acquire", "semaphore_ids": [0]},
        {"name": "nop"},
        {"name": "put", "src_buff": [{"type": "o", "index": 0, "size": 1}], "dst_buff": [{"buffer_id": 0, "index": 0, "size": 1}], "channel_type": "memory"},
        {"name": "nop"},
        {"name": "signal", "channel_ids": [0], "channel_type": "memory"}],
       "channels": [{"channel_type": "memory", "channel_ids": [1]}], "remote_buffer_refs": [{"access_channel_type": "memory", "remote_buffer_ids": [0]}]}],
     "channels": [{"channel_type": "memory", "connected_to": [0, 2]}],
     "remote_buffers": [{"rank": 2, "type": "o", "access_channel_types": ["memory"]}],
     "semaphores": [{"init_value": 0}]})"));
}

TEST(MscclppMade, RefusesWhatDoesNotFit) {
  const Problem all = problem_on("hypercube:7", "AAS");
  EXPECT_EQ(refusal([&] { (void)make_plan(moves_of(all, unknot::testing::hypercube_exchange(7)), "x"); }),
            "MSCCL++: GPU 0 needs 255 thread blocks, which must all run at once: at most 128 do");
  const Problem four = problem_on("hypercube:2", "AAS");
  EXPECT_EQ(refusal([&] {
              (void)make_plan(moves_of(four, unknot::testing::hypercube_exchange(2)), "x", {true, {}});
            }),
            "MSCCL++: an alltoall in place would overwrite what is still to be sent");
  EXPECT_THAT(refusal([&] {
                (void)moves_of(problem_on("hypercube:2", "OAB"), unknot::testing::recursive_doubling(1));
              }),
              HasSubstr("MSCCL++: the schedule is not valid: "));
  const BandwidthProblem ring = make_bandwidth_problem(graph_of("ring:5"), "all-gather");
  EXPECT_THAT(refusal([&] { (void)moves_of(ring, trees_of(ring), 1U << 16U); }),
              HasSubstr("make buffers of more than 65536 chunks"));
}

}  // namespace
}  // namespace unknot::mscclpp
