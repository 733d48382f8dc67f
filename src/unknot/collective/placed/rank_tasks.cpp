// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/placed/rank_tasks.hpp"

#include <vector>

#include "unknot/traffic/workloads/task_graph.hpp"
#include "unknot/traffic/workloads/workloads.hpp"

namespace unknot {

Workload rank_tasks(const RankSchedule& schedule, const PlacedRanks& placed, std::uint64_t bytes,
                    std::uint64_t alpha_ns) {
  constexpr std::uint32_t kNoTask = UINT32_MAX;
  TaskGraphBuilder builder;
  std::vector<std::vector<std::uint32_t>> undone(schedule.ranks());  // by rank: of the rounds before
  std::vector<std::uint32_t> gate(schedule.ranks(), kNoTask);  // by rank: the message that it has begun last
  std::vector<std::pair<std::uint32_t, std::uint32_t>> of_round;  // rank, task
  for (std::uint32_t round = 0; round < schedule.round_count(); ++round) {
    of_round.clear();
    std::fill(gate.begin(), gate.end(), kNoTask);
    for (std::uint32_t m = schedule.round_begin(round); m < schedule.round_end(round); ++m) {
      const RankSchedule::Message& message = schedule.message(m);
      const TerminalId from = placed.host(message.from);
      std::uint32_t& begin = gate[message.from];
      const std::uint32_t started = begin;
      begin = builder.compute(from, alpha_ns);
      if (started != kNoTask) {
        builder.require_done(begin, started);
      } else {
        for (const std::uint32_t task : undone[message.from]) builder.require_done(begin, task);
        undone[message.from].clear();
      }
      const std::uint32_t send = builder.send(from, placed.host(message.to), schedule.bytes_of(m, bytes));
      builder.require_done(send, begin);
      of_round.emplace_back(message.from, send);
      of_round.emplace_back(message.to, builder.receive(send));
    }
    for (const auto& [rank, task] : of_round) undone[rank].push_back(task);
  }
  return workload_of_tasks(placed.network().terminal_count(), std::move(builder).build(), 1);
}

}  // namespace unknot
