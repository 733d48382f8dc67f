// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/mscclpp/plan_machine.hpp"

namespace unknot::mscclpp {

std::vector<Cell> PlanMachine::cells(const Block& block, const Task& task, const Range& range,
                                     bool packet) const {
  const Gpu& gpu = plan_.gpus[block.rank];
  const ThreadBlock& given = gpu.blocks[block.id];
  const std::uint32_t size = range.size * parts_;
  const std::uint32_t slices = task.round == Task::kOnce ? task.op->parts : kRounds;
  const std::uint32_t slice = task.round == Task::kOnce ? task.op->part : task.round;
  const std::uint32_t begin = range.index * parts_ + size / slices * slice;
  std::vector<Cell> result;
  const auto add = [&](std::uint32_t rank, Buffer buffer) {
    for (std::uint32_t i = 0; i < size / slices; ++i) result.push_back({rank, buffer, begin + i, packet});
  };
  if (range.where == Range::Where::local) add(block.rank, range.buffer);
  if (range.where == Range::Where::remote) {
    const auto access = static_cast<std::size_t>(task.op->access);
    const RemoteBuffer& remote = gpu.remotes[given.remotes[access][range.id]];
    add(remote.rank, remote.buffer);
  }
  if (range.where == Range::Where::multicast) {
    const SwitchChannel& channel = gpu.switches[given.channels[2][range.id]];
    for (const std::uint32_t rank : channel.ranks) add(rank, channel.buffer);
  }
  return result;
}

void PlanMachine::require_begun(const SparseClock& clock, std::uint32_t rank, std::uint32_t target,
                                std::uint32_t spot, bool packet) {
  if (target == rank || clock.of(worker_end_ + target) > 0 || (packet && plan_.double_scratch)) return;
  fail(spot, fmt::format("GPU {} may not have begun yet: nothing says that it has", target));
}

void PlanMachine::port_put(std::uint32_t b, const Operation& op, const Task& task) {
  Block& block = blocks_[b];
  for (std::size_t i = 0; i < op.sources.size(); ++i) {
    const std::uint32_t e = end_of(block, op, op.channels[i]);
    End& end = ends_[e];
    end.clock.merge(told(b));
    const Past past{end.clock, {}};
    const Touch touch{port_worker(e), end.now, task.spot, 0, 0};
    const std::vector<Cell> from = cells(block, task, op.sources[i], false);
    const std::vector<Cell> to = cells(block, task, op.destinations[i], false);
    for (std::size_t c = 0; c < from.size() && !memory_.fault; ++c) {
      require_begun(end.clock, block.rank, to[c].rank, task.spot, false);
      memory_.write(to[c], touch, past, memory_.read(from[c], touch, past));
    }
    ++end.now;
    if (op.kind != Kind::put) signal(b, e, task.spot, false);
    if (op.kind == Kind::put_signal_flush) flush(block, e);
    if (memory_.fault) return;
  }
}

bool PlanMachine::move(std::uint32_t b, const Task& task) {
  Block& block = blocks_[b];
  const Operation& op = *task.op;
  const KindRow& row = row_of(op.kind);
  Touch touch{b, block.now, task.spot, 0, 0};
  if (is_packets(op.kind)) {
    const Range& like = op.sources[0];
    touch.lane = (std::uint64_t{like.size} << 40U | std::uint64_t{op.part} << 20U | op.parts) + 1;
  }
  std::vector<std::vector<Cell>> sources, destinations;
  for (std::size_t i = 0; i < op.sources.size(); ++i) {
    sources.push_back(
        cells(block, task, op.sources[i], row.packets_in && (row.ends != KindRow::Ends::combines || i > 0)));
  }
  for (std::size_t i = 0; i < op.destinations.size(); ++i)
    destinations.push_back(cells(block, task, op.destinations[i], i >= row.plain_out));
  for (const auto& list : sources) {
    for (const Cell& cell : list) {
      if (!cell.packet || memory_.has_packet(cell)) continue;
      for_packets_[cell.rank].push_back(b);
      return false;
    }
  }
  Past past{block.clock, {}};
  // What packets tell holds for the part of the data that they are of; all of it once threads have met.
  const auto begin = [&](std::uint32_t offset, const std::vector<const Cell*>& packets) {
    touch.offset = offset;
    if (packets.empty()) return;
    past = {block.clock, {}};
    for (const Cell* cell : packets) memory_.learn(*cell, past);
    block.pending.merge(past.clock);
  };
  const auto read = [&](const Cell& cell) {
    if (!cell.packet) require_begun(past.clock, block.rank, cell.rank, task.spot, false);
    return memory_.read(cell, touch, past);
  };
  const auto write = [&](const Cell& cell, const msccl::Value& value) {
    require_begun(past.clock, block.rank, cell.rank, task.spot, cell.packet);
    memory_.write(cell, touch, past, value);
    if (!cell.packet) return;
    for (const std::uint32_t waiting : for_packets_[cell.rank]) wake(waiting);
    for_packets_[cell.rank].clear();
  };
  if (row.ends == KindRow::Ends::copies) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      for (std::size_t c = 0; c < sources[i].size() && !memory_.fault; ++c) {
        const Cell& from = sources[i][c];
        begin(static_cast<std::uint32_t>(c), from.packet ? std::vector{&from} : std::vector<const Cell*>{});
        write(destinations[i][c], read(from));
      }
    }
    return true;
  }
  const std::uint32_t slices = task.round == Task::kOnce ? op.parts : kRounds;
  const std::size_t width = op.sources[0].size * parts_ / slices;
  for (std::size_t c = 0; c < width && !memory_.fault; ++c) {
    std::vector<const Cell*> packets;
    for (const auto& list : sources) {
      if (list[c].packet) packets.push_back(&list[c]);
    }
    begin(static_cast<std::uint32_t>(c), packets);
    msccl::Value value;
    bool first = true;
    for (const auto& list : sources) {
      for (std::size_t at = c; at < list.size(); at += width) {
        msccl::Value one = read(list[at]);
        value = first ? std::move(one) : combined(value, one);
        first = false;
      }
    }
    for (const auto& list : destinations) {
      for (std::size_t at = c; at < list.size() && !memory_.fault; at += width) write(list[at], value);
    }
  }
  return true;
}

}  // namespace unknot::mscclpp
