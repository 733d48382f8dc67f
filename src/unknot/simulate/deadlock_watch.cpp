// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/deadlock_watch.hpp"

#include <fmt/format.h>

#include <bit>

namespace unknot::simulate {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;

class Search {
 public:
  Search(const Engine& engine, const RoutePlan& plan, const Settings& settings)
      : plan_(plan),
        settings_(settings),
        shift_(engine.lane_shift()),
        lanes_(engine.lane_states()),
        holders_(engine.lane_holders()),
        moves_(lanes_.size(), 0) {}

  DeadlockCycle run() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::uint32_t l = 0; l < lanes_.size(); ++l) {
        if (moves_[l] == 0 && waits_for(l) == kNone) {
          moves_[l] = 1;
          changed = true;
        }
      }
    }
    return shortest_circle();
  }

 private:
  /// The input lane behind an out lane; kNone where that is a terminal, which takes everything.
  [[nodiscard]] std::uint32_t behind(std::uint32_t out_lane) const {
    const std::uint32_t to = plan_.ports.output_to[out_lane >> shift_];
    if ((to & Ports::kTerminal) != 0) return kNone;
    return (plan_.ports.input_of_channel[to] << shift_) | (out_lane & ((1U << shift_) - 1));
  }
  /// Flits of room that a full-looking lane may still give: none where its buffer is full of waiting flits.
  [[nodiscard]] bool stuck_behind(std::uint32_t out_lane, std::uint32_t need) const {
    const std::uint32_t next = behind(out_lane);
    if (next == kNone || moves_[next] != 0) return false;
    return lanes_[next].present + need > settings_.vc_buffer;
  }
  /// A lane that keeps this one from an out lane that it wants and that is not known to move; kNone where
  /// it gets it in the end. `need`: flits of room.
  [[nodiscard]] std::uint32_t in_the_way(std::uint32_t out_lane, std::uint32_t need) const {
    const std::uint32_t holder = holders_[out_lane];
    if (holder != kNone) return moves_[holder] != 0 ? kNone : holder;
    return stuck_behind(out_lane, need) ? behind(out_lane) : kNone;
  }
  /// A lane that this one waits for and that is not known to move; kNone where it can move.
  [[nodiscard]] std::uint32_t waits_for(std::uint32_t l) const {
    const LaneState& lane = lanes_[l];
    if (!lane.occupied) return kNone;
    if (lane.holds) {
      if (!lane.flit_here) {
        // The rest of the packet is upstream: it comes when the lane that holds this one moves.
        const std::uint32_t from = plan_.ports.input_from[l >> shift_];
        if ((from & Ports::kTerminal) != 0) return kNone;
        const std::uint32_t up = (plan_.ports.output_of_channel[from] << shift_) | (l & ((1U << shift_) - 1));
        const std::uint32_t holder = holders_[up];
        return holder == kNone || moves_[holder] != 0 || lanes_[holder].has_room ? kNone : holder;
      }
      if (lane.has_room || !stuck_behind(lane.out_lane, 1)) return kNone;
      return behind(lane.out_lane);
    }
    std::uint32_t first = kNone;
    const bool whole = settings_.switching == Switching::virtual_cut_through;
    if (!lane.choices.empty()) {
      for (const auto& [out_lane, now] : lane.choices) {
        const std::uint32_t other = now ? kNone : in_the_way(out_lane, whole ? settings_.packet_flits : 1);
        if (other == kNone) return kNone;
        if (first == kNone) first = other;
      }
      return first;
    }
    if (lane.wanted == 0) return kNone;  // still being routed
    const std::uint32_t need = (whole ? settings_.packet_flits : 0) * (lane.enters ? 2 : 1);
    for (std::uint32_t rest = lane.wanted; rest != 0; rest &= rest - 1) {
      const std::uint32_t out_lane =
          (lane.out_lane >> shift_ << shift_) | static_cast<std::uint32_t>(std::countr_zero(rest));
      const std::uint32_t other = in_the_way(out_lane, need);
      if (other == kNone) return kNone;
      if (first == kNone) first = other;
    }
    return first;
  }

  /// Each lane that cannot move waits for one that cannot move either: from each the way leads into a circle.
  /// The first of the shortest; empty where all can move.
  [[nodiscard]] DeadlockCycle shortest_circle() const {
    std::vector<std::uint32_t> seen_from(lanes_.size(), kNone), place(lanes_.size(), 0), path, shortest;
    for (std::uint32_t start = 0; start < lanes_.size(); ++start) {
      if (moves_[start] != 0) continue;
      path.clear();
      std::uint32_t l = start;
      while (seen_from[l] == kNone) {
        seen_from[l] = start;
        place[l] = static_cast<std::uint32_t>(path.size());
        path.push_back(l);
        l = waits_for(l);
      }
      const std::size_t length = path.size() - place[l];
      // Where an earlier way has been met, its circle is known already.
      if (seen_from[l] != start || (!shortest.empty() && length >= shortest.size())) continue;
      shortest.assign(path.begin() + place[l], path.end());
    }
    DeadlockCycle cycle;
    for (const std::uint32_t l : shortest) {
      cycle.push_back(
          {l >> shift_, l & ((1U << shift_) - 1), lanes_[l].source, lanes_[l].destination,
           !lanes_[l].holds && holders_of_wanted(lanes_[l]),
           lanes_[l].choices.empty() ? 0 : static_cast<std::uint32_t>(lanes_[l].choices.size()) - 1});
    }
    return cycle;
  }
  [[nodiscard]] bool holders_of_wanted(const LaneState& lane) const {
    if (!lane.choices.empty()) return holders_[lane.choices.front().first] != kNone;
    const std::uint32_t first =
        (lane.out_lane >> shift_ << shift_) | static_cast<std::uint32_t>(std::countr_zero(lane.wanted));
    return holders_[first] != kNone;
  }

  const RoutePlan& plan_;
  const Settings& settings_;
  std::uint32_t shift_;
  std::vector<LaneState> lanes_;
  std::vector<std::uint32_t> holders_;
  std::vector<std::uint8_t> moves_;
};

}  // namespace

DeadlockCycle find_deadlock(const Engine& engine, const RoutePlan& plan, const Settings& settings) {
  return Search(engine, plan, settings).run();
}

std::string destination_name(const RoutePlan& plan, std::uint32_t destination) {
  if (destination == plan.network.terminal_count()) return "nowhere, lost";
  if ((destination & Packet::kGroup) == 0) return plan.network.terminal_name(TerminalId(destination));
  return fmt::format("group 0x{:04x}", plan.multicast.groups[destination & ~Packet::kGroup].lid);
}

std::string describe(const DeadlockCycle& cycle, const RoutePlan& plan) {
  std::string text;
  const Network& network = plan.network;
  for (const DeadlockStep& step : cycle) {
    const std::uint32_t from = plan.ports.input_from[step.input];
    const std::string place = (from & Ports::kTerminal) != 0
                                  ? network.terminal_name(TerminalId(from & ~Ports::kTerminal))
                                  : network.channel_name(ChannelId(from));
    text += fmt::format(
        "{}, lane {}: a packet from {} to {} waits for {}{}\n", place, step.lane,
        network.terminal_name(TerminalId(step.source)), destination_name(plan, step.destination),
        step.for_lane ? "a lane that the next one holds" : "room in the buffer of the next one",
        step.others == 0 ? std::string() : fmt::format(", or {} more that never come free", step.others));
  }
  return text;
}

}  // namespace unknot::simulate
