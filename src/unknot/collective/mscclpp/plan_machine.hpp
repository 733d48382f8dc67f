// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unknot/collective/mscclpp/plan_memory.hpp"

namespace unknot::mscclpp {

/// An operation to be done, and which time round of a pipeline it is.
struct Task {
  static constexpr std::uint32_t kOnce = 0xFFFFFFFFU;
  const Operation* op;
  std::uint32_t spot;
  std::uint32_t round = kOnce;
};

/// All thread blocks at work, each as long as it can. What they tell each other is what is certain at any
/// speed, so that one order of events stands for all.
class PlanMachine {
 public:
  PlanMachine(const Plan& plan, const msccl::Layout& layout, msccl::Execution& memory);

  std::optional<std::string> run();

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  struct Block {
    std::uint32_t rank, id;
    std::vector<Task> tasks;
    std::size_t next = 0;
    std::uint32_t now = 0;       // grows where all threads have met
    SparseClock clock, pending;  // what all threads know, and what one has learnt since they met
    bool queued = false, at_barrier = false, through = false;
  };
  /// One end of a channel, with its port.
  struct End {
    std::uint32_t rank = 0, peer = 0, other = kNone;  // other: end
    bool port = false;
    std::deque<SparseClock> come;  // signals not yet waited for
    std::uint32_t waiter = kNone;  // block
    std::uint32_t signaller = kNone;
    std::uint32_t now = 0;  // of a port, which works by itself
    SparseClock clock;
  };
  struct Semaphore {
    std::map<std::uint32_t, std::vector<SparseClock>> released;  // by block
    std::map<std::uint32_t, std::uint32_t> releases;             // by block: all there will be
    std::uint32_t begins = 0, came = 0, acquired = 0, acquirer = kNone;
  };

  void add_block(std::uint32_t rank, std::uint32_t b);
  void join_channels();
  void count_releases();

  void fail(std::uint32_t spot, const std::string& why) {
    if (!memory_.fault) memory_.fault = fmt::format("{}: {}", text_of(memory_.spots[spot]), why);
  }
  void wake(std::uint32_t b) {
    if (b == kNone || blocks_[b].queued) return;
    blocks_[b].queued = true;
    ready_.push_back(b);
  }
  void wake_gpu(std::uint32_t rank) {
    for (std::uint32_t b = first_[rank]; b < first_[rank + 1]; ++b) wake(b);
  }
  [[nodiscard]] std::uint32_t end_of(const Block& block, const Operation& op, std::uint32_t channel) const {
    const auto access = static_cast<std::size_t>(op.access);
    const std::uint32_t of_gpu = plan_.gpus[block.rank].blocks[block.id].channels[access][channel];
    return end_first_[2 * block.rank + access] + of_gpu;
  }
  [[nodiscard]] std::uint32_t port_worker(std::uint32_t end) const {
    return static_cast<std::uint32_t>(blocks_.size()) + end;
  }

  static void meet(Block& block) {
    block.clock.merge(block.pending);
    block.pending = {};
    ++block.now;
  }
  /// What a thread that speaks now makes known.
  [[nodiscard]] SparseClock told(std::uint32_t b) const {
    SparseClock clock = blocks_[b].clock;
    clock.raise(b, blocks_[b].now);
    return clock;
  }

  /// False where it has to wait.
  bool step(std::uint32_t b);
  bool meet_others(std::uint32_t b, const Operation& op);
  void signal(std::uint32_t b, std::uint32_t e, std::uint32_t spot, bool relaxed);
  bool wait(std::uint32_t b, const Operation& op, std::uint32_t spot);
  void flush(Block& block, std::uint32_t e);
  bool acquire(std::uint32_t b, const Operation& op, std::uint32_t spot);

  /// Cells of a range, in the part of a thread block or a round.
  [[nodiscard]] std::vector<Cell> cells(const Block& block, const Task& task, const Range& range,
                                        bool packet) const;
  void require_begun(const SparseClock& clock, std::uint32_t rank, std::uint32_t target, std::uint32_t spot,
                     bool packet);

  static msccl::Value combined(const msccl::Value& a, const msccl::Value& b) {
    msccl::Value sum;
    std::set_union(a.terms.begin(), a.terms.end(), b.terms.begin(), b.terms.end(),
                   std::back_inserter(sum.terms));
    sum.spoilt = a.spoilt || b.spoilt || sum.terms.size() < a.terms.size() + b.terms.size();
    return sum;
  }

  /// The port reads and writes by itself, one after the other.
  void port_put(std::uint32_t b, const Operation& op, const Task& task);

  /// What threads move themselves. False where packets are still to come.
  bool move(std::uint32_t b, const Task& task);

  void find_deadlock();
  void find_leftovers();
  /// Memory of a GPU that others may still touch when it has ended.
  void find_late(std::uint32_t rank);

  const Plan& plan_;
  std::uint32_t parts_;
  PlanMemory memory_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> first_;  // by rank, of its blocks
  std::vector<End> ends_;
  std::vector<std::uint32_t> end_first_;  // by rank and access
  std::vector<Semaphore> semaphores_;
  std::vector<std::size_t> semaphore_first_;  // by rank
  // Workers are blocks, then ports; from here on, by rank, whether a GPU is known to have begun.
  std::uint32_t worker_end_ = 0;
  std::deque<std::uint32_t> ready_;
  /// Thread blocks that wait for packets, by rank whose scratch memory they are in.
  std::map<std::uint32_t, std::vector<std::uint32_t>> for_packets_;
};

}  // namespace unknot::mscclpp
