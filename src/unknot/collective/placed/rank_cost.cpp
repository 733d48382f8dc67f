// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/placed/rank_cost.hpp"

#include <algorithm>

#include "unknot/collective/placed/contention.hpp"

namespace unknot {

void RankCost::Rounds::close(std::vector<Load>& of_round) {
  std::sort(of_round.begin(), of_round.end(), [](const Load& a, const Load& b) {
    return a.block != b.block ? a.block > b.block : a.latency > b.latency;
  });
  double latency = -1;
  for (const Load& load : of_round) {
    if (load.latency <= latency) continue;
    latency = load.latency;
    loads.push_back(load);
  }
  first.push_back(loads.size());
}

double RankCost::Rounds::time(double block_bytes) const {
  double sum = 0;
  for (std::size_t round = 0; round + 1 < first.size(); ++round) {
    double most = 0;
    for (std::size_t i = first[round]; i < first[round + 1]; ++i)
      most = std::max(most, loads[i].latency + loads[i].block * block_bytes);
    sum += most;
  }
  return sum;
}

RankCost::RankCost(const RankSchedule& schedule, const PlacedRanks& placed, const LineTimes& times)
    : parts_(schedule.parts()) {
  RoundLoad load(placed);
  std::vector<Load> shared, alone;
  std::vector<std::uint32_t> sends(schedule.ranks());
  for (std::uint32_t round = 0; round < schedule.round_count(); ++round) {
    load.count(schedule, round);
    shared.clear();
    alone.clear();
    std::fill(sends.begin(), sends.end(), 0);
    std::uint32_t starts = 0;
    for (std::uint32_t m = schedule.round_begin(round); m < schedule.round_end(round); ++m) {
      const RankSchedule::Message& message = schedule.message(m);
      starts = std::max(starts, ++sends[message.from]);
      double latency = 0, together = 0, slowest = 0;
      for (const std::uint32_t line : placed.lines(message.from, message.to)) {
        latency += times.latency[line];
        together = std::max(together, static_cast<double>(load.blocks(line)) * times.byte[line]);
        slowest = std::max(slowest, times.byte[line]);
      }
      shared.push_back({latency, together});
      alone.push_back({latency, static_cast<double>(schedule.blocks(m).size()) * slowest});
    }
    starts_ += starts;
    shared_.close(shared);
    alone_.close(alone);
  }
}

double RankCost::time(double bytes, double alpha) const {
  return starts_ * alpha + shared_.time(bytes / parts_);
}

double RankCost::time_alone(double bytes, double alpha) const {
  return starts_ * alpha + alone_.time(bytes / parts_);
}

}  // namespace unknot
