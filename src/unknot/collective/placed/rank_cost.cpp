// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/placed/rank_cost.hpp"

#include <algorithm>

#include "unknot/collective/placed/contention.hpp"

namespace unknot {

RankCost::RankCost(const RankSchedule& schedule, const PlacedRanks& placed, const LineTimes& times)
    : parts_(schedule.parts()), ranks_(schedule.ranks()) {
  RoundLoad load(placed);
  steps_.reserve(schedule.message_count());
  first_.reserve(schedule.round_count() + 1);
  std::vector<std::uint64_t> sends(
      ranks_);  // blocks of a rank in the round: it shares its own cable alone, too
  for (std::uint32_t round = 0; round < schedule.round_count(); ++round) {
    load.count(schedule, round);
    std::fill(sends.begin(), sends.end(), 0);
    for (std::uint32_t m = schedule.round_begin(round); m < schedule.round_end(round); ++m)
      sends[schedule.message(m).from] += schedule.blocks(m).size();
    for (std::uint32_t m = schedule.round_begin(round); m < schedule.round_end(round); ++m) {
      const RankSchedule::Message& message = schedule.message(m);
      Step step{message.from, message.to, 0, 0, 0};
      for (const std::uint32_t line : placed.lines(message.from, message.to)) {
        step.latency += times.latency[line];
        step.shared = std::max(step.shared, static_cast<double>(load.blocks(line)) * times.byte[line]);
        step.alone = std::max(step.alone, static_cast<double>(schedule.blocks(m).size()) * times.byte[line]);
      }
      const std::uint32_t cable = placed.lines(message.from, message.to).front();
      step.alone = std::max(step.alone, static_cast<double>(sends[message.from]) * times.byte[cable]);
      steps_.push_back(step);
    }
    first_.push_back(steps_.size());
  }
}

double RankCost::run(double bytes, const RankPace& pace, double Step::*block) const {
  const double block_bytes = bytes / parts_;
  std::vector<double> ready(ranks_), begun(ranks_), next;
  for (std::size_t round = 0; round + 1 < first_.size(); ++round) {
    next = ready;
    begun = ready;
    for (std::size_t i = first_[round]; i < first_[round + 1]; ++i) {
      const Step& step = steps_[i];
      const double sent = (begun[step.from] += pace.alpha) + step.*block * block_bytes;
      next[step.from] = std::max(next[step.from], sent);
      next[step.to] = std::max(next[step.to], sent + step.latency);
    }
    ready.swap(next);
    if (pace.apart) std::fill(ready.begin(), ready.end(), *std::max_element(ready.begin(), ready.end()));
  }
  return ready.empty() ? 0 : *std::max_element(ready.begin(), ready.end());
}

}  // namespace unknot
