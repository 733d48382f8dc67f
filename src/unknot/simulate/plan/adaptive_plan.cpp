// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/plan/adaptive_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/tables/lane_function.hpp"

namespace unknot::simulate {

AdaptivePlan::AdaptivePlan(const Network& network, const Ports& ports, AdaptiveRouting routing,
                           bool committed)
    : network_(network), routing_(std::move(routing)), lanes_(routing_), committed_(committed) {
  require_fit(network, routing_);
  place_of_channel_.resize(network.channel_count());
  for (const ChannelId c : network.channels())
    place_of_channel_[c.value] = static_cast<std::uint16_t>(ports.local(ports.output_of_channel[c.value]));
  first_channel_.assign(network.router_count(), 0);
  for (const RouterId r : network.routers()) {
    if (network.out(r).size() > 0) first_channel_[r.value] = network.out(r)[0].value;
  }
  for (const AdaptivePlane& plane : routing_.planes) {
    for (const RouterId r : network.routers()) {
      first_group_.push_back(group_begin_.size());
      for (std::uint32_t g = 0; g < plane.group_count(r); ++g) {
        group_begin_.push_back(group_places_.size());
        for (const std::uint16_t position : plane.group(r, g))
          group_places_.push_back(place_of_channel_[first_channel_[r.value] + position]);
      }
    }
  }
  group_begin_.push_back(group_places_.size());
  lanes_needed_ = highest_lane(ports) + 1;
}

/// Of all lanes that packets can come to, wherever they go: the tables say of which next.
std::uint32_t AdaptivePlan::highest_lane(const Ports& ports) const {
  std::uint32_t levels = routing_.levels();
  if (!routing_.service_levels.empty()) {
    levels = 0;
    for (std::uint32_t i = 0; i < routing_.service_levels.row_count(); ++i) {
      for (const std::uint8_t level : routing_.service_levels.row(i)) {
        if (level < LaneMap::kLevels) levels |= 1U << level;
      }
    }
  }
  const auto highest = [](std::uint32_t mask) {
    return mask == 0 ? 0U : static_cast<std::uint32_t>(std::bit_width(mask)) - 1;
  };
  if (lanes_.stays()) return highest(levels);
  const auto each_bit = [](std::uint32_t mask, auto visit) {
    for (; mask != 0; mask &= mask - 1) visit(static_cast<std::uint8_t>(std::countr_zero(mask)));
  };
  std::uint32_t lanes = 0;
  const auto see = [&](std::uint8_t lane) {
    if (lane < LaneMap::kLevels) lanes |= 1U << lane;
  };
  for (const TerminalId t : network_.terminals())
    each_bit(levels, [&](std::uint8_t level) { see(lanes_.injected(level, t)); });
  for (std::uint32_t before = 0; before != lanes;) {
    before = lanes;
    for (const RouterId r : network_.routers()) {
      const std::uint32_t keys = routing_.has_steps(r) ? before : levels;
      for (std::uint32_t i = ports.first_input[r.value]; i < ports.first_input[r.value + 1]; ++i) {
        for (const ChannelId c : network_.out(r)) {
          // Of level and lane only one counts at a router.
          each_bit(keys, [&](std::uint8_t key) {
            see(lanes_.next(key, key, r, ports.input_number[i], network_.source_port(c)));
          });
        }
      }
    }
  }
  return highest(lanes);
}

AdaptivePlan::Options AdaptivePlan::options(RouterId at, std::uint16_t in_port, std::uint8_t lane,
                                            std::uint8_t level, TerminalId source,
                                            TerminalId destination) const {
  const std::size_t p =
      routing_.plane_map == nullptr ? 0 : routing_.plane_map->plane(at, in_port, lane, level);
  const AdaptivePlane& plane = routing_.planes[p];
  const std::uint16_t entry = plane.entry(at, destination);
  if (entry >= AdaptivePlane::kHere) return {};
  const Choice& choice = plane.choices(at)[entry];
  if (choice.kind == ChoiceKind::fixed || (routing_.adaptive_levels >> level & 1U) == 0) {
    if (choice.fixed >= network_.out(at).size()) return {};
    return {std::span(place_of_channel_).subspan(first_channel_[at.value] + choice.fixed, 1), false};
  }
  const auto places = group(first_group_[p * network_.router_count() + at.value] + choice.group);
  if (choice.kind == ChoiceKind::adaptive) return {places, !committed_ && places.size() > 1};
  if (places.empty()) return {};
  const std::uint64_t pair = std::uint64_t{source.value} << 32U | destination.value;
  return {places.subspan(Random(pair, at.value).below(static_cast<std::uint32_t>(places.size())), 1), false};
}

std::uint8_t AdaptivePlan::level(TerminalId source, TerminalId destination, std::uint32_t drawn) const {
  if (!routing_.service_levels.empty()) {
    const std::uint8_t level = routing_.service_levels.get(source, destination);
    if (level < LaneMap::kLevels) return level;
    throw InputError(fmt::format("{}: the adaptive routing has no service level from {} to {}",
                                 network_.description(), network_.terminal_name(source),
                                 network_.terminal_name(destination)));
  }
  std::uint32_t levels = routing_.levels();
  if ((levels & (levels - 1)) == 0) return static_cast<std::uint8_t>(std::countr_zero(levels));
  const auto count = static_cast<std::uint64_t>(std::popcount(levels));
  for (std::uint64_t skip = count * drawn >> 32U; skip > 0; --skip) levels &= levels - 1;
  return static_cast<std::uint8_t>(std::countr_zero(levels));
}

}  // namespace unknot::simulate
