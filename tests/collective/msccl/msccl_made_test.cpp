// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "collective/msccl_samples.hpp"
#include "collective/schedules.hpp"
#include "refusal.hpp"
#include "unknot/collective/msccl/msccl_make.hpp"
#include "unknot/support/error.hpp"

namespace unknot::msccl {
namespace {

using ::testing::HasSubstr;
using unknot::testing::nodes;
using unknot::testing::problem_on;

std::string msccl_made_refusal(const Problem& problem, const Schedule& schedule) {
  return refusal([&] { (void)make_program(problem, schedule, "x"); });
}

std::size_t sent(const Program& program) {
  std::size_t count = 0;
  for (const Gpu& gpu : program.gpus) {
    for (const ThreadBlock& block : gpu.blocks) {
      for (const Step& step : block.steps) count += sends(step.action) ? 1 : 0;
    }
  }
  return count;
}

TEST(MscclMade, EveryScheduleBecomesAnAlgorithmThatDoesWhatItSays) {
  for (const char* spec : {"ring:6", "hypercube:3", "petersen", "fat:2,ring:4", "btree:8", "uniring:4"}) {
    for (const CollectiveRow& row : collectives()) {
      const Problem problem = problem_on(spec, row.name);
      const Schedule schedule = testing::found_schedule(problem);
      if (row.participation == Participation::one_to_one ||
          row.participation == Participation::to_all_after) {
        EXPECT_THAT(msccl_made_refusal(problem, schedule), ::testing::HasSubstr("it has no collective"))
            << row.name;
        continue;
      }
      const Program made = make_program(problem, schedule, row.name);
      EXPECT_EQ(sent(made), schedule.transfer_count()) << spec << row.name;
      const std::string text = program_text(made);
      const Program read = parse_program(text, "made");
      EXPECT_EQ(program_text(read), text) << spec << row.name;
      const auto fault = find_fault(read);
      EXPECT_FALSE(fault) << spec << row.name << fault->line << fault->sentence;
    }
  }
}

TEST(MscclMade, NamesOfCollectives) {
  const std::vector<std::pair<const char*, Collective>> pairs = {
      {"AAS", Collective::all_to_all}, {"AAG", Collective::all_to_all},     {"AAB", Collective::allgather},
      {"OAB", Collective::broadcast},  {"OAS", Collective::scatter},        {"AOG", Collective::gather},
      {"AOR", Collective::reduce},     {"AAR", Collective::reduce_scatter}, {"MNS", Collective::all_to_all},
      {"MNB", Collective::allgather}};
  for (const auto& [name, expected] : pairs) {
    const Problem problem = problem_on("ring:4", name);
    EXPECT_EQ(make_program(problem, testing::found_schedule(problem), name).collective, expected) << name;
  }
}

TEST(MscclMade, ABroadcastIsPassedOnAfterItCame) {
  const Problem problem = problem_on("hypercube:2", "OAB");
  const std::string text = program_text(make_program(problem, testing::recursive_doubling(2), "a <b>"));
  EXPECT_EQ(
      text,
      R"(<algo name="a &lt;b&gt;" proto="Simple" nchannels="1" nchunksperloop="1" ngpus="4" coll="broadcast" inplace="1" outofplace="1" minBytes="0" maxBytes="0">
  <gpu id="0" i_chunks="1" o_chunks="1" s_chunks="0">
    <tb id="0" send="-1" recv="-1" chan="0">
      <step s="0" type="cpy" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
    <tb id="1" send="1" recv="-1" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
    <tb id="2" send="2" recv="-1" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
  <gpu id="1" i_chunks="1" o_chunks="1" s_chunks="0">
    <tb id="0" send="-1" recv="0" chan="0">
      <step s="0" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="1"/>
    </tb>
    <tb id="1" send="3" recv="-1" chan="0">
      <step s="0" type="s" srcbuf="o" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="0" deps="0" hasdep="0"/>
    </tb>
  </gpu>
  <gpu id="2" i_chunks="1" o_chunks="1" s_chunks="0">
    <tb id="0" send="-1" recv="0" chan="0">
      <step s="0" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
  <gpu id="3" i_chunks="1" o_chunks="1" s_chunks="0">
    <tb id="0" send="-1" recv="1" chan="0">
      <step s="0" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
</algo>
)");
}

TEST(MscclMade, RanksAreTheNodesThatTakePart) {
  Participants some;
  some.transmitters = some.receivers = nodes({1, 3, 4});
  const Problem problem = problem_on("ring:6", "MNS", some);
  const Program program = make_program(problem, testing::found_schedule(problem), "some");
  EXPECT_EQ(program.gpus.size(), 3U);
  EXPECT_EQ(program.chunks_per_loop, 3U);
  // One transmitter makes a scatter of any of them.
  some.transmitters = nodes({3});
  const Problem scatter = problem_on("ring:6", "MNS", some);
  const Program one = make_program(scatter, testing::found_schedule(scatter), "one");
  EXPECT_EQ(one.collective, Collective::scatter);
  EXPECT_EQ(one.gpus[1].chunks[0], 3U);  // node 3 is rank 1, the root
}

TEST(MscclMade, ManyPeersShareThreadBlocksAndTakeMoreChannels) {
  const Problem problem = problem_on("hypercube:6", "AAS");
  const Program program = make_program(problem, testing::hypercube_exchange(6), "64");
  EXPECT_EQ(program.channels, 2U);
  EXPECT_EQ(program.gpus[0].blocks.size(), kMostBlocks);
}

TEST(MscclMade, RefusesWhatDoesNotFit) {
  EXPECT_EQ(msccl_made_refusal(problem_on("hypercube:7", "AAS"), testing::hypercube_exchange(7)),
            "MSCCL: GPU 0 needs 128 thread blocks: the runtime has at most 64");
  EXPECT_THAT(msccl_made_refusal(problem_on("ring:200", "AAB"), testing::ring_gossip(200)),
              HasSubstr("thread block 1 of GPU 0 needs 100 steps: the runtime has at most 64"));
  Participants some;
  some.transmitters = nodes({0, 1});
  some.receivers = nodes({2, 3});
  const Problem many = problem_on("ring:4", "MNB", some);
  EXPECT_THAT(msccl_made_refusal(many, testing::found_schedule(many)),
              HasSubstr("not all exchange messages with all"));
  EXPECT_THAT(msccl_made_refusal(problem_on("hypercube:2", "OAB"), testing::recursive_doubling(1)),
              HasSubstr("MSCCL: the schedule is not valid: "));
}

}  // namespace
}  // namespace unknot::msccl
