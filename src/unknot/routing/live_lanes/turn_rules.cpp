// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/live_lanes/turn_rules.hpp"

#include "unknot/routing/orders/lane_orders.hpp"

namespace unknot {

TurnRules::TurnRules(const Network& network, const std::vector<std::vector<std::uint32_t>>& orders,
                     const EscapeOrder& escape)
    : network_(&network),
      escape_lane_(static_cast<std::uint32_t>(orders.size())),
      first_turn_(first_turns(network)),
      allowed_(first_turn_.back(), 0) {
  std::vector<std::uint32_t> place(network.channel_count());
  for (std::uint32_t lane = 0; lane < orders.size(); ++lane) {
    for (std::uint32_t i = 0; i < orders[lane].size(); ++i) place[orders[lane][i]] = i;
    for (const ChannelId c : network.channels()) {
      std::uint32_t turn = first_turn_[c.value];
      for (const ChannelId next : network.out(network.target(c))) {
        if (place[c.value] < place[next.value]) allowed_[turn] |= static_cast<Mask>(1U << lane);
        ++turn;
      }
    }
  }
  for (const ChannelId c : network.channels()) update_from(c, escape);
}

void TurnRules::update_from(ChannelId c, const EscapeOrder& escape) {
  const auto lane = static_cast<Mask>(1U << escape_lane_);
  const bool up = escape.up(c);
  std::uint32_t turn = first_turn_[c.value];
  for (const ChannelId next : network_->out(network_->target(c))) {
    allowed_[turn] =
        static_cast<Mask>(up || !escape.up(next) ? allowed_[turn] | lane : allowed_[turn] & ~lane);
    ++turn;
  }
}

void TurnRules::update_around(RouterId router, const EscapeOrder& escape) {
  for (const ChannelId c : network_->out(router)) update_from(c, escape);
  for (const ChannelId c : network_->in(router)) {
    update_from(c, escape);
    for (const ChannelId before : network_->in(network_->source(c))) update_from(before, escape);
  }
}

}  // namespace unknot
