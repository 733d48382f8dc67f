// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "collective/msccl_samples.hpp"
#include "collective/schedules.hpp"
#include "unknot/collective/mscclpp/plan_execution.hpp"
#include "unknot/collective/mscclpp/plan_make.hpp"

namespace unknot::mscclpp {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;
using unknot::testing::problem_on;

Plan ring_plan(const std::string& collective, bool in_place = false,
               const std::vector<std::uint32_t>& box = {}) {
  const Problem problem = problem_on("ring:4", collective);
  return make_plan(moves_of(problem, unknot::testing::found_schedule(problem)), collective, {in_place, box});
}

/// Two GPUs that reduce each other's input with one thread block each, as people write it.
Plan exchange() {
  Plan plan;
  plan.collective = "allreduce";
  plan.gpus.resize(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    Gpu& gpu = plan.gpus[r];
    gpu.chunks = {1, 1, 1};
    gpu.peers[0] = {1 - r};
    gpu.remotes = {{1 - r, Buffer::scratch, {true, false}}};
    ThreadBlock& block = gpu.blocks.emplace_back();
    block.channels[0] = {0};
    block.remotes[0] = {0};
    const auto add = [&](Kind kind) -> Operation& {
      Operation& op = block.operations.emplace_back();
      op.kind = kind;
      if (signals(kind) || waits(kind)) op.channels = {0};
      if (kind != Kind::nop && kind != Kind::reduce) op.access = Access::memory;
      return op;
    };
    add(Kind::relaxed_signal);
    add(Kind::relaxed_wait);
    add(Kind::nop);
    Operation& put = add(Kind::put);
    put.sources = {{Range::Where::local, Buffer::input, 0, 0, 1}};
    put.destinations = {{Range::Where::remote, Buffer::input, 0, 0, 1}};
    add(Kind::nop);
    add(Kind::signal);
    add(Kind::wait);
    add(Kind::nop);
    Operation& sum = add(Kind::reduce);
    sum.sources = {{Range::Where::local, Buffer::input, 0, 0, 1},
                   {Range::Where::local, Buffer::scratch, 0, 0, 1}};
    sum.destinations = {{Range::Where::local, Buffer::output, 0, 0, 1}};
  }
  return plan;
}

Plan without(std::size_t operation) {
  Plan plan = exchange();
  for (Gpu& gpu : plan.gpus)
    gpu.blocks[0].operations.erase(gpu.blocks[0].operations.begin() + static_cast<std::ptrdiff_t>(operation));
  return plan;
}

TEST(MscclppFault, NamesWhatIsLeftOut) {
  EXPECT_EQ(find_fault(exchange()), std::nullopt);
  EXPECT_THAT(find_fault(without(0)),
              Optional(HasSubstr(
                  "GPU 0, thread block 0, operation 0: deadlock: it waits for a signal of GPU 1 for ever")));
  EXPECT_THAT(find_fault(without(1)), Optional(HasSubstr("operation 2: GPU 1 may not have begun yet")));
  EXPECT_THAT(find_fault(without(2)), Optional(HasSubstr("operation 2: GPU 0 may not have begun yet")));
  EXPECT_THAT(find_fault(without(3)),
              Optional(HasSubstr("reads chunk 0 of the scratch buffer of GPU 0, which holds nothing yet")));
  // the signal overtakes what other threads put
  EXPECT_THAT(find_fault(without(4)),
              Optional(HasSubstr("operation 3 and GPU 0, thread block 0, operation 7 touch chunk 0 of the "
                                 "scratch buffer of GPU 0 in no certain order")));
  EXPECT_THAT(find_fault(without(5)), Optional(HasSubstr("deadlock")));
  EXPECT_THAT(find_fault(without(6)), Optional(HasSubstr("which holds nothing yet")));
  EXPECT_THAT(find_fault(without(7)), Optional(HasSubstr("in no certain order")));
  EXPECT_THAT(find_fault(without(8)),
              Optional(HasSubstr("at the end chunk 0 of the output of GPU 0 holds nothing")));
}

TEST(MscclppFault, NamesWhatRunsIntoTheNextRun) {
  Plan plan = exchange();
  plan.gpus[1].blocks[0].operations.push_back(plan.gpus[1].blocks[0].operations[5]);
  EXPECT_EQ(find_fault(plan),
            "GPU 1 signals GPU 0 1 times more on a channel than that waits: the next run would take "
            "them for its own");
  plan = exchange();
  plan.gpus[0].semaphores = {2};
  Operation& release = plan.gpus[0].blocks[0].operations.emplace_back();
  release.kind = Kind::release;
  release.semaphores = {0};
  EXPECT_EQ(find_fault(plan), "GPU 0 leaves semaphore 0 at 3, not at 2: the next run begins with that");
}

TEST(MscclppFault, RelaxedSignalsOrderNoData) {
  Plan plan = exchange();
  for (Gpu& gpu : plan.gpus) gpu.blocks[0].operations[5].kind = Kind::relaxed_signal;
  EXPECT_THAT(find_fault(plan), Optional(HasSubstr("in no certain order")));
}

TEST(MscclppFault, InPlaceResultsMayNotBeWrittenTooEarly) {
  Plan plan = exchange();
  plan.in_place = true;
  EXPECT_EQ(find_fault(plan), std::nullopt);  // a nop is between put and sum
  // another thread block adds up, which knows nothing of the put
  for (Gpu& gpu : plan.gpus) {
    gpu.peers[0].push_back(gpu.peers[0][0]);
    ThreadBlock& first = gpu.blocks[0];
    ThreadBlock second;
    second.channels[0] = {1};
    second.operations.assign(first.operations.begin() + 6, first.operations.end());
    first.channels[0] = {0, 1};
    first.operations.resize(6);
    first.operations[5].channels = {1};
    gpu.blocks.push_back(second);
  }
  EXPECT_THAT(find_fault(plan),
              Optional(HasSubstr("GPU 0, thread block 0, operation 3 and GPU 0, thread block 1, operation 2 "
                                 "touch chunk 0 of the output of GPU 0 in no certain order")));
}

/// Leaves out one operation after the other. What is not noticed has to be a nop that nobody needs.
void expect_all_needed(const Plan& plan) {
  std::size_t idle = 0, all = 0;
  for (std::size_t rank = 0; rank < plan.gpus.size(); ++rank) {
    for (std::size_t b = 0; b < plan.gpus[rank].blocks.size(); ++b) {
      for (std::size_t i = 0; i < plan.gpus[rank].blocks[b].operations.size(); ++i) {
        Plan less = plan;
        std::vector<Operation>& operations = less.gpus[rank].blocks[b].operations;
        const Kind kind = operations[i].kind;
        operations.erase(operations.begin() + static_cast<std::ptrdiff_t>(i));
        ++all;
        if (find_fault(less)) continue;
        EXPECT_EQ(kind, Kind::nop) << rank << " " << b << " " << i;
        ++idle;
      }
    }
  }
  EXPECT_LT(idle, all / 4);
}

TEST(MscclppFault, EveryOperationOfAMadePlanIsNeeded) {
  for (const char* collective : {"AAB", "AAR", "AOR", "OAB", "AAS"}) {
    expect_all_needed(ring_plan(collective));
    expect_all_needed(ring_plan(collective, false, {0, 0, 1, 1}));
  }
  expect_all_needed(ring_plan("AAR", true));
}

TEST(MscclppFault, LimitsOfTheExecutor) {
  Plan plan = exchange();
  plan.gpus[0].blocks[0].operations.resize(65);
  EXPECT_EQ(find_fault(plan), "GPU 0, thread block 0 needs 65 operations: the executor has at most 64");
  plan = exchange();
  plan.gpus[0].peers[0].assign(17, 1);
  plan.gpus[0].blocks[0].channels[0].resize(17);
  EXPECT_EQ(find_fault(plan), "GPU 0, thread block 0 has 17 channels: the executor has at most 16");
  plan = exchange();
  plan.gpus[0].blocks[0].operations[0].channels.assign(9, 0);
  EXPECT_THAT(find_fault(plan),
              Optional(HasSubstr("9 channels of an operation: the executor has at most 8")));
  plan = exchange();
  plan.gpus[1].chunks[1] = 0;
  EXPECT_THAT(find_fault(plan),
              Optional(HasSubstr("GPU 1 has no chunks of output: the executor divides by their number")));
  plan = exchange();
  plan.threads = 2048;
  EXPECT_THAT(find_fault(plan), Optional(HasSubstr("at most 1024")));
  plan = exchange();
  plan.gpus[0].blocks[0].operations[3].kind = Kind::put_signal;
  EXPECT_THAT(find_fault(plan), Optional(HasSubstr("pws needs port channels")));
  plan = exchange();
  plan.gpus[0].blocks[0].operations[3].destinations[0].index = 1;
  EXPECT_THAT(find_fault(plan), Optional(HasSubstr("chunk 1 of the scratch buffer of GPU 1, which has 1")));
  plan = exchange();
  plan.gpus[0].blocks[0].operations[3].kind = Kind::put_packets;
  EXPECT_THAT(find_fault(plan), Optional(HasSubstr("ppkt needs protocol LL")));
  plan = exchange();
  plan.gpus[0].blocks[0].operations[0].kind = Kind::barrier;
  plan.gpus[0].blocks[0].operations[0].barrier = 16;
  EXPECT_THAT(find_fault(plan), Optional(HasSubstr("barrier 16: the executor has 16")));
}

TEST(MscclppFault, APortWorksByItself) {
  Plan plan = ring_plan("AAB", false, {0, 1, 2, 3});
  EXPECT_EQ(find_fault(plan), std::nullopt);
  for (Gpu& gpu : plan.gpus) {
    for (ThreadBlock& block : gpu.blocks) {
      for (Operation& op : block.operations) {
        if (op.kind == Kind::put_signal_flush) op.kind = Kind::put_signal;
      }
    }
  }
  EXPECT_THAT(find_fault(plan),
              Optional(HasSubstr("GPU 0 may end before this is done: its port is not flushed")));
}

TEST(MscclppFault, PacketsSayThatTheyAreThere) {
  Plan plan = exchange();
  plan.packets = true;
  plan.double_scratch = true;
  for (Gpu& gpu : plan.gpus) {
    std::vector<Operation>& operations = gpu.blocks[0].operations;
    operations[3].kind = Kind::put_packets;
    operations[8].kind = Kind::reduce_packets;
    operations = {operations[3], operations[8]};
  }
  EXPECT_EQ(find_fault(plan), std::nullopt);
  Plan twice = plan;
  twice.gpus[0].blocks[0].operations.insert(twice.gpus[0].blocks[0].operations.begin(),
                                            twice.gpus[0].blocks[0].operations[0]);
  EXPECT_THAT(find_fault(twice),
              Optional(HasSubstr("both write packets to chunk 0 of the scratch buffer of GPU 1")));
  plan.double_scratch = false;
  EXPECT_THAT(find_fault(plan), Optional(HasSubstr("may not have begun yet")));
}

TEST(MscclppFault, SwitchesBarriersPipelinesAndSharedOperations) {
  Plan plan;
  plan.collective = "allreduce";
  plan.in_place = true;
  plan.gpus.resize(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    Gpu& gpu = plan.gpus[r];
    gpu.chunks = {2, 2, 0};
    gpu.peers[0] = {1 - r};
    gpu.switches = {{Buffer::input, {0, 1}}};
    for (std::uint32_t b = 0; b < 2; ++b) {
      ThreadBlock& block = gpu.blocks.emplace_back();
      if (b == 0) block.channels[0] = {0};
      block.channels[2] = {0};
      const auto meet = [&] {
        Operation op;
        op.kind = Kind::barrier;
        op.blocks = 2;
        block.operations.push_back(op);
      };
      const auto speak = [&] {
        if (b == 1) return;
        for (const Kind kind : {Kind::signal, Kind::wait}) {
          Operation op;
          op.kind = kind;
          op.access = Access::memory;
          op.channels = {0};
          block.operations.push_back(op);
        }
      };
      speak();
      meet();
      Operation sum;
      sum.kind = Kind::switch_reduce;
      sum.access = Access::multicast;
      sum.sources = sum.destinations = {{Range::Where::multicast, Buffer::input, 0, r, 1}};
      sum.part = b;
      sum.parts = 2;
      block.operations.push_back(sum);
      meet();
      speak();
    }
  }
  EXPECT_EQ(find_fault(plan), std::nullopt);
  Plan early = plan;
  early.gpus[0].blocks[1].operations.pop_back();
  early.gpus[0].blocks[0].operations.erase(early.gpus[0].blocks[0].operations.begin() + 4);
  EXPECT_THAT(find_fault(early), Optional(HasSubstr("may end before this is done")));
  for (Gpu& gpu : plan.gpus) {
    for (ThreadBlock& block : gpu.blocks) {
      for (Operation& op : block.operations) {
        if (op.kind != Kind::switch_reduce) continue;
        Operation all;
        all.kind = Kind::pipeline;
        all.unit = 1024;
        all.inner = {op};
        all.inner[0].parts = 1;
        all.inner[0].part = 0;
        op = all;
      }
    }
    gpu.blocks[1].operations.erase(gpu.blocks[1].operations.begin() + 1);
  }
  EXPECT_EQ(find_fault(plan), std::nullopt);
}

}  // namespace
}  // namespace unknot::mscclpp
