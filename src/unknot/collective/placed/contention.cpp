// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/placed/contention.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace unknot {

void RoundLoad::count(const RankSchedule& schedule, std::uint32_t round) {
  for (const std::uint32_t line : touched_) {
    flows_[line] = 0;
    blocks_[line] = 0;
  }
  touched_.clear();
  for (std::uint32_t m = schedule.round_begin(round); m < schedule.round_end(round); ++m) {
    const RankSchedule::Message& message = schedule.message(m);
    for (const std::uint32_t line : placed_->lines(message.from, message.to)) {
      if (flows_[line]++ == 0) touched_.push_back(line);
      blocks_[line] += schedule.blocks(m).size();
    }
  }
}

Contention contention_of(const RankSchedule& schedule, const PlacedRanks& placed,
                         std::uint32_t group_routers) {
  const Network& network = placed.network();
  Contention result;
  result.rounds = schedule.round_count();
  RoundLoad load(placed);
  std::vector<std::uint8_t> shared(network.channel_count());
  std::uint64_t channels = 0, between = 0, sent = 0;
  for (std::uint32_t round = 0; round < schedule.round_count(); ++round) {
    load.count(schedule, round);
    bool met = false;
    for (const std::uint32_t line : load.touched()) {
      const std::uint32_t flows = load.flows(line);
      if (!placed.is_channel(line)) {
        result.port_flows = std::max(result.port_flows, flows);
        if ((line - network.channel_count()) % 2 == 0) sent += load.blocks(line);
        continue;
      }
      channels += load.blocks(line);
      const ChannelId c(line);
      if (group_routers > 0 &&
          network.source(c).value / group_routers != network.target(c).value / group_routers)
        between += load.blocks(line);
      if (flows > result.most_flows) {
        result.most_flows = flows;
        result.round = round;
        result.line = line;
      }
      if (flows < 2) continue;
      met = true;
      shared[line] = 1;
    }
    result.shared_rounds += met ? 1 : 0;
  }
  result.shared_channels = static_cast<std::uint32_t>(std::count(shared.begin(), shared.end(), 1));
  result.channels = static_cast<double>(channels) / schedule.parts();
  result.between = static_cast<double>(between) / schedule.parts();
  result.sent = static_cast<double>(sent) / schedule.parts();
  if (result.free()) return result;
  for (std::uint32_t m = schedule.round_begin(result.round); m < schedule.round_end(result.round); ++m) {
    const RankSchedule::Message& message = schedule.message(m);
    const auto lines = placed.lines(message.from, message.to);
    if (std::find(lines.begin(), lines.end(), result.line) != lines.end())
      result.flows.emplace_back(message.from, message.to);
  }
  return result;
}

std::string meeting_text(const Contention& contention, const PlacedRanks& placed) {
  constexpr std::size_t kShown = 4;
  std::string text = fmt::format("round {}: ", contention.round + 1);
  for (std::size_t i = 0; i < std::min(kShown, contention.flows.size()); ++i) {
    text +=
        (i == 0 ? "" : ", ") + fmt::format("{} > {}", contention.flows[i].first, contention.flows[i].second);
  }
  if (contention.flows.size() > kShown) text += fmt::format(" and {} more", contention.flows.size() - kShown);
  return text + " over " + placed.line_name(contention.line);
}

}  // namespace unknot
