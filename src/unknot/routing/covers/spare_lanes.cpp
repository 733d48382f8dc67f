// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/covers/spare_lanes.hpp"

#include "unknot/routing/orders/lane_orders.hpp"

namespace unknot {

SpareLanes::SpareLanes(const Network& network, std::vector<std::uint32_t> start, std::uint32_t most)
    : network_(network), start_(std::move(start)), most_(most), first_turn_(first_turns(network)) {}

std::size_t SpareLanes::add_one_of(const std::vector<std::vector<std::uint32_t>>& paths) {
  for (std::size_t lane = 0; lane <= lanes_.size() && lane < most_; ++lane) {
    if (lane == lanes_.size()) {
      std::vector<std::uint32_t> place(start_.size());
      for (std::uint32_t i = 0; i < start_.size(); ++i) place[start_[i]] = i;
      lanes_.push_back({OnlineOrder(std::move(place)), std::vector<std::uint8_t>(first_turn_.back(), 0)});
    }
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (add(lanes_[lane], paths[i])) return i;
    }
  }
  return paths.size();
}

bool SpareLanes::add(Lane& lane, const std::vector<std::uint32_t>& path) {
  added_.clear();
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const std::uint32_t t = turn(path[i], path[i + 1]);
    if (lane.used[t] != 0) continue;
    if (!allows(lane, path[i], path[i + 1])) {
      for (const std::uint32_t each : added_) lane.used[each] = 0;
      return false;
    }
    lane.used[t] = 1;
    added_.push_back(t);
  }
  return true;
}

bool SpareLanes::allows(Lane& lane, std::uint32_t from, std::uint32_t to) const {
  const auto next = [&](std::uint32_t c, const auto& visit) {
    const IdRange<ChannelId> out = network_.out(network_.targets()[c]);
    const std::uint8_t* const used = lane.used.data() + first_turn_[c];
    for (std::uint32_t i = 0; i < out.size(); ++i) {
      if (used[i] != 0 && !visit(out.first() + i)) return;
    }
  };
  const auto before = [&](std::uint32_t c, const auto& visit) {
    const RouterId source = network_.sources()[c];
    const std::uint32_t position = c - network_.out(source).first();
    for (const ChannelId b : network_.in(source)) {
      if (lane.used[first_turn_[b.value] + position] != 0 && !visit(b.value)) return;
    }
  };
  return lane.order.allows(from, to, next, before);
}

std::vector<std::uint32_t> SpareLanes::order(std::uint32_t lane) const {
  const std::vector<std::uint32_t>& place = lanes_[lane].order.places();
  std::vector<std::uint32_t> channels(place.size());
  for (std::uint32_t c = 0; c < place.size(); ++c) channels[place[c]] = c;
  return channels;
}

}  // namespace unknot
