// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/orders/lane_orders.hpp"

namespace unknot {

/// A channel of a lane's order, with what a pass over the order looks at.
struct OrderStep {
  std::uint32_t from, to, channel;  // from, to: routers
};

/// One lane's order as an array, for searches that pass over all of it again and again.
using OrderSteps = std::vector<OrderStep>;

/// A channel goes from one place of the lane's order to another.
struct OrderMove {
  std::uint32_t lane, from, to;
};

inline OrderSteps order_steps(const Network& network, const LaneOrders& orders, std::uint32_t lane) {
  OrderSteps steps;
  steps.reserve(network.channel_count());
  for (const std::uint32_t c : orders.order(lane))
    steps.push_back({network.source(ChannelId(c)).value, network.target(ChannelId(c)).value, c});
  return steps;
}

inline void set_order(LaneOrders& orders, std::uint32_t lane, const OrderSteps& steps) {
  std::vector<std::uint32_t> channels;
  channels.reserve(steps.size());
  for (const OrderStep& step : steps) channels.push_back(step.channel);
  orders.set_order(lane, channels);
}

/// The channel at place `from` goes to place `to`; those between make room.
inline void move_step(OrderSteps& steps, std::size_t from, std::size_t to) {
  const auto begin = steps.begin();
  const auto first = static_cast<std::ptrdiff_t>(std::min(from, to));
  const auto last = static_cast<std::ptrdiff_t>(std::max(from, to)) + 1;
  std::rotate(begin + first, from < to ? begin + first + 1 : begin + last - 1, begin + last);
}

}  // namespace unknot
