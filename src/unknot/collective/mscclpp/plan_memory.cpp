// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/mscclpp/plan_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace unknot::mscclpp {
namespace {

constexpr std::uint32_t kPackets = 1U << 29U;  // of the offsets of scratch memory: those in packets

}  // namespace

PlanMemory::PlanMemory(const Plan& plan, const msccl::Layout& layout, msccl::Execution& memory)
    : plan_(plan), layout_(layout), memory_(memory), parts_(divisions(plan)) {
  memory_.memory.resize(plan.gpus.size());
  history_.resize(plan.gpus.size());
  touched_.resize(plan.gpus.size());
}

std::uint32_t PlanMemory::location(const Cell& cell) const {
  return layout_.location(cell.rank, cell.buffer, cell.part + (cell.packet ? kPackets : 0));
}

bool PlanMemory::ordered(const Touch& before, const Touch& touch, const Past& past) {
  if (std::find(past.touches.begin(), past.touches.end(), before) != past.touches.end()) return true;
  if (before.worker != touch.worker) return past.clock.of(before.worker) > before.time;
  return before.time < touch.time || before.spot == touch.spot ||
         (before.lane == touch.lane && before.lane != 0);
}

std::string PlanMemory::named(const Cell& cell) const {
  constexpr std::array<const char*, 3> kNames = {"input", "output", "scratch buffer"};
  return fmt::format("chunk {} of the {} of GPU {}{}", cell.part / parts_,
                     kNames[static_cast<std::size_t>(cell.buffer)], cell.rank,
                     cell.packet ? " (packets)" : "");
}

void PlanMemory::set_race(const Touch& before, const Touch& touch, const Cell& cell) {
  if (fault) return;
  const bool same = before.worker == touch.worker;
  fault = fmt::format("{} and {} touch {} in no certain order{}", text_of(spots[before.spot]),
                      text_of(spots[touch.spot]), named(cell), same ? ": there is no nop between" : "");
}

PlanMemory::History& PlanMemory::history(const Cell& cell, const Touch& touch) {
  if (!cell.packet) touched_[cell.rank].insert_or_assign(touch.worker, touch);  // times of a worker only grow
  return history_[cell.rank][location(cell)];
}

bool PlanMemory::has_packet(const Cell& cell) const {
  return memory_.memory[cell.rank].contains(location(cell));
}

void PlanMemory::learn(const Cell& packet, Past& past) const {
  const Past& other = history_[packet.rank].at(location(packet)).past;
  past.clock.merge(other.clock);
  past.touches.insert(past.touches.end(), other.touches.begin(), other.touches.end());
}

const Touch* PlanMemory::unread(std::uint32_t rank) const {
  const Touch* first = nullptr;
  for (const auto& [at, all] : history_[rank]) {
    if (all.past.touches.empty()) continue;  // no packet
    const bool seen = std::any_of(all.read.begin(), all.read.end(),
                                  [&](const Touch& reader) { return spots[reader.spot].rank == rank; });
    if (!seen && spots[all.written.spot].rank != rank && (first == nullptr || all.written.spot < first->spot))
      first = &all.written;
  }
  return first;
}

msccl::Value PlanMemory::read(const Cell& cell, const Touch& touch, const Past& past) {
  History& all = history(cell, touch);
  // packets say themselves that they are there
  if (!cell.packet && all.written.worker != Touch::kNobody && !ordered(all.written, touch, past))
    set_race(all.written, touch, cell);
  all.read.push_back(touch);
  msccl::Value value = memory_.at(layout_, cell.rank, location(cell));
  if (value.terms.empty() && !fault)
    fault = fmt::format("{} reads {}, which holds nothing yet", text_of(spots[touch.spot]), named(cell));
  return value;
}

void PlanMemory::write(const Cell& cell, const Touch& touch, const Past& past, const msccl::Value& value) {
  History& all = history(cell, touch);
  if (cell.packet && all.written.worker != Touch::kNobody && !fault) {
    fault = fmt::format("{} and {} both write packets to {}: which come first is not certain",
                        text_of(spots[all.written.spot]), text_of(spots[touch.spot]), named(cell));
  }
  if (all.written.worker != Touch::kNobody && !ordered(all.written, touch, past))
    set_race(all.written, touch, cell);
  for (const Touch& reader : all.read) {
    if (!ordered(reader, touch, past)) set_race(reader, touch, cell);
  }
  all.written = touch;
  all.read.clear();
  if (cell.packet) {
    all.past = past;
    all.past.touches.push_back(touch);
  }
  memory_.memory[cell.rank].insert_or_assign(location(cell), value);
}

}  // namespace unknot::mscclpp
