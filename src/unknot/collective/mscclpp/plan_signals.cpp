// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>

#include "unknot/collective/mscclpp/plan_machine.hpp"

namespace unknot::mscclpp {

bool PlanMachine::step(std::uint32_t b) {
  Block& block = blocks_[b];
  const Task& task = block.tasks[block.next];
  const Operation& op = *task.op;
  switch (op.kind) {
    case Kind::nop:
      meet(block);
      return true;
    case Kind::barrier:
      return meet_others(b, op);
    case Kind::signal:
    case Kind::relaxed_signal:
      for (const std::uint32_t channel : op.channels) {
        signal(b, end_of(block, op, channel), task.spot,
               op.kind == Kind::relaxed_signal && op.access == Access::memory);
      }
      return true;
    case Kind::wait:
    case Kind::relaxed_wait:
      return wait(b, op, task.spot);
    case Kind::flush:
      for (const std::uint32_t channel : op.channels) flush(block, end_of(block, op, channel));
      return true;
    case Kind::acquire:
      return acquire(b, op, task.spot);
    case Kind::release:
      for (const std::uint32_t id : op.semaphores) {
        Semaphore& semaphore = semaphores_[semaphore_first_[block.rank] + id];
        semaphore.released[b].push_back(told(b));
        ++semaphore.came;
      }
      wake_gpu(block.rank);
      return true;
    case Kind::put:
    case Kind::put_signal:
    case Kind::put_signal_flush:
      if (op.access == Access::port) {
        port_put(b, op, task);
        return true;
      }
      [[fallthrough]];
    default:
      return move(b, task);
  }
}

bool PlanMachine::meet_others(std::uint32_t b, const Operation& op) {
  Block& block = blocks_[b];
  if (block.through) {  // the last one opened it
    block.through = false;
    return true;
  }
  if (!block.at_barrier) {
    meet(block);
    block.at_barrier = true;
  }
  std::vector<std::uint32_t> there;
  for (std::uint32_t other = first_[block.rank]; other < first_[block.rank + 1]; ++other) {
    if (blocks_[other].at_barrier && blocks_[other].tasks[blocks_[other].next].op->barrier == op.barrier)
      there.push_back(other);
  }
  if (there.size() < op.blocks) return false;
  SparseClock all;
  for (const std::uint32_t other : there) all.merge(told(other));
  for (const std::uint32_t other : there) {
    blocks_[other].clock.merge(all);
    ++blocks_[other].now;
    blocks_[other].at_barrier = false;
    blocks_[other].through = other != b;
    wake(other);
  }
  return true;
}

void PlanMachine::signal(std::uint32_t b, std::uint32_t e, std::uint32_t spot, bool relaxed) {
  End& end = ends_[e];
  if (end.other == kNone)
    return fail(spot, fmt::format("its channel to GPU {} has no other end: that GPU has fewer", end.peer));
  if (end.signaller != kNone && end.signaller != b) {
    return fail(spot, fmt::format("thread block {} signals on the same channel: both count for themselves",
                                  blocks_[end.signaller].id));
  }
  end.signaller = b;
  SparseClock clock = told(b);
  if (end.port) {
    clock.merge(end.clock);
    clock.raise(port_worker(e), end.now);
  } else if (relaxed) {
    clock.keep_from(worker_end_);
  }
  End& other = ends_[end.other];
  other.come.push_back(std::move(clock));
  wake(other.waiter);
}

bool PlanMachine::wait(std::uint32_t b, const Operation& op, std::uint32_t spot) {
  Block& block = blocks_[b];
  for (const std::uint32_t channel : op.channels) {
    End& end = ends_[end_of(block, op, channel)];
    if (end.other == kNone) {
      fail(spot, fmt::format("its channel to GPU {} has no other end: that GPU has fewer", end.peer));
      return false;
    }
    if (end.waiter != kNone && end.waiter != b) {
      fail(spot, fmt::format("thread block {} waits on the same channel: both count for themselves",
                             blocks_[end.waiter].id));
      return false;
    }
    end.waiter = b;
    if (end.come.empty()) return false;
  }
  for (const std::uint32_t channel : op.channels) {
    End& end = ends_[end_of(block, op, channel)];
    if (end.come.empty()) {
      fail(spot, "a channel twice in one wait");
      return false;
    }
    if (op.kind == Kind::relaxed_wait && op.access == Access::memory) end.come.front().keep_from(worker_end_);
    block.pending.merge(end.come.front());
    end.come.pop_front();
  }
  return true;
}

void PlanMachine::flush(Block& block, std::uint32_t e) {
  block.pending.merge(ends_[e].clock);
  block.pending.raise(port_worker(e), ends_[e].now);
}

bool PlanMachine::acquire(std::uint32_t b, const Operation& op, std::uint32_t spot) {
  Block& block = blocks_[b];
  std::map<std::uint32_t, std::uint32_t> wanted;
  for (const std::uint32_t id : op.semaphores) ++wanted[id];
  for (const auto& [id, count] : wanted) {
    Semaphore& semaphore = semaphores_[semaphore_first_[block.rank] + id];
    if (semaphore.acquirer != kNone && semaphore.acquirer != b) {
      fail(spot, fmt::format("thread block {} acquires semaphore {}, too: who goes on first is not certain",
                             blocks_[semaphore.acquirer].id, id));
      return false;
    }
    semaphore.acquirer = b;
    if (semaphore.begins + semaphore.came < semaphore.acquired + count) return false;
  }
  for (const auto& [id, count] : wanted) {
    Semaphore& semaphore = semaphores_[semaphore_first_[block.rank] + id];
    semaphore.acquired += count;
    // what must have come by now, in whatever order thread blocks release it
    std::uint64_t all = semaphore.begins;
    for (const auto& [by, releases] : semaphore.releases) all += releases;
    for (const auto& [by, releases] : semaphore.releases) {
      const std::uint64_t others = all - releases;
      if (semaphore.acquired > others)
        block.pending.merge(semaphore.released[by][semaphore.acquired - others - 1]);
    }
  }
  return true;
}

}  // namespace unknot::mscclpp
