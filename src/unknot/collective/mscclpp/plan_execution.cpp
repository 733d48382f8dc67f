// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/mscclpp/plan_execution.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>

#include "unknot/collective/mscclpp/plan_machine.hpp"

namespace unknot::mscclpp {

PlanMachine::PlanMachine(const Plan& plan, const msccl::Layout& layout, msccl::Execution& memory)
    : plan_(plan), parts_(divisions(plan)), memory_(plan, layout, memory) {
  for (std::uint32_t rank = 0; rank < plan.gpus.size(); ++rank) {
    first_.push_back(static_cast<std::uint32_t>(blocks_.size()));
    for (std::uint32_t b = 0; b < plan.gpus[rank].blocks.size(); ++b) add_block(rank, b);
  }
  first_.push_back(static_cast<std::uint32_t>(blocks_.size()));
  join_channels();
  worker_end_ = static_cast<std::uint32_t>(blocks_.size() + ends_.size());
  for (Block& block : blocks_) block.clock.raise(worker_end_ + block.rank, 1);
  count_releases();
}

std::optional<std::string> PlanMachine::run() {
  for (std::uint32_t b = 0; b < blocks_.size(); ++b) wake(b);
  while (!ready_.empty() && !memory_.fault) {
    const std::uint32_t b = ready_.front();
    ready_.pop_front();
    blocks_[b].queued = false;
    while (!memory_.fault && blocks_[b].next < blocks_[b].tasks.size() && step(b)) ++blocks_[b].next;
  }
  if (!memory_.fault) find_deadlock();
  if (!memory_.fault) find_leftovers();
  for (std::uint32_t rank = 0; rank < plan_.gpus.size() && !memory_.fault; ++rank) find_late(rank);
  return memory_.fault;
}

void PlanMachine::add_block(std::uint32_t rank, std::uint32_t b) {
  Block block{rank, b, {}, 0, 0, {}, {}};
  const ThreadBlock& given = plan_.gpus[rank].blocks[b];
  const auto spot = [&](std::uint32_t i, std::uint32_t inner) {
    memory_.spots.push_back({rank, b, i, inner});
    return static_cast<std::uint32_t>(memory_.spots.size()) - 1;
  };
  for (std::uint32_t i = 0; i < given.operations.size(); ++i) {
    const Operation& op = given.operations[i];
    if (op.kind != Kind::pipeline) {
      block.tasks.push_back({&op, spot(i, Spot::kNone)});
      continue;
    }
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      for (std::uint32_t k = 0; k < op.inner.size(); ++k)
        block.tasks.push_back({&op.inner[k], spot(i, k), round});
    }
  }
  blocks_.push_back(std::move(block));
}

void PlanMachine::join_channels() {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::size_t, std::uint32_t>, std::uint32_t> named;
  for (std::uint32_t rank = 0; rank < plan_.gpus.size(); ++rank) {
    for (std::size_t access = 0; access < 2; ++access) {
      end_first_.push_back(static_cast<std::uint32_t>(ends_.size()));
      std::map<std::uint32_t, std::uint32_t> count;
      for (const std::uint32_t peer : plan_.gpus[rank].peers[access]) {
        End end;
        end.rank = rank;
        end.peer = peer;
        end.port = access == 1;
        const std::uint32_t n = count[peer]++;
        const auto id = static_cast<std::uint32_t>(ends_.size());
        named.emplace(std::tuple(rank, peer, access, n), id);
        if (const auto other = named.find({peer, rank, access, n}); other != named.end()) {
          end.other = other->second;
          ends_[other->second].other = id;
        }
        ends_.push_back(std::move(end));
      }
    }
  }
  for (const Gpu& gpu : plan_.gpus) {
    semaphore_first_.push_back(semaphores_.size());
    for (const std::uint32_t value : gpu.semaphores) semaphores_.emplace_back().begins = value;
  }
}

void PlanMachine::count_releases() {
  for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
    for (const Task& task : blocks_[b].tasks) {
      if (task.op->kind != Kind::release) continue;
      for (const std::uint32_t id : task.op->semaphores)
        ++semaphores_[semaphore_first_[blocks_[b].rank] + id].releases[b];
    }
  }
}

void PlanMachine::find_deadlock() {
  for (const Block& block : blocks_) {
    if (block.next == block.tasks.size()) continue;
    const Task& task = block.tasks[block.next];
    const Operation& op = *task.op;
    std::string why = "packets";
    if (op.kind == Kind::barrier) why = fmt::format("{} thread blocks at barrier {}", op.blocks, op.barrier);
    if (op.kind == Kind::acquire) {
      for (const std::uint32_t id : op.semaphores) {
        const Semaphore& s = semaphores_[semaphore_first_[block.rank] + id];
        if (s.begins + s.came <= s.acquired) why = fmt::format("semaphore {}", id);
      }
    }
    if (waits(op.kind)) {
      for (const std::uint32_t channel : op.channels) {
        const End& end = ends_[end_of(block, op, channel)];
        if (end.come.empty()) why = fmt::format("a signal of GPU {}", end.peer);
      }
    }
    return fail(task.spot, fmt::format("deadlock: it waits for {} for ever", why));
  }
}

void PlanMachine::find_leftovers() {
  for (const End& end : ends_) {
    if (end.come.empty() || memory_.fault) continue;
    memory_.fault = fmt::format(
        "GPU {} signals GPU {} {} times more on a channel than that waits: the next run "
        "would take them for its own",
        end.peer, end.rank, end.come.size());
  }
  for (std::uint32_t rank = 0; rank < plan_.gpus.size() && !memory_.fault; ++rank) {
    for (std::size_t id = 0; id < plan_.gpus[rank].semaphores.size(); ++id) {
      const Semaphore& s = semaphores_[semaphore_first_[rank] + id];
      if (s.came == s.acquired) continue;
      memory_.fault =
          fmt::format("GPU {} leaves semaphore {} at {}, not at {}: the next run begins with that", rank, id,
                      std::int64_t{s.begins} + s.came - s.acquired, s.begins);
      break;
    }
  }
}

void PlanMachine::find_late(std::uint32_t rank) {
  SparseClock end;
  for (std::uint32_t b = first_[rank]; b < first_[rank + 1]; ++b) {
    meet(blocks_[b]);
    end.merge(told(b));
  }
  const Touch* first = nullptr;
  for (const auto& [worker, touch] : memory_.touched(rank)) {
    if (end.of(worker) <= touch.time && (first == nullptr || touch.spot < first->spot)) first = &touch;
  }
  if (first == nullptr) first = memory_.unread(rank);
  if (first == nullptr) return;
  const bool own = memory_.spots[first->spot].rank == rank;
  fail(first->spot, fmt::format("GPU {} may end before this is done: {}", rank,
                                own ? "its port is not flushed" : "it does not wait for it"));
}

std::optional<std::string> execute(const Plan& plan, const msccl::Layout& layout, msccl::Execution& memory) {
  return PlanMachine(plan, layout, memory).run();
}

}  // namespace unknot::mscclpp
