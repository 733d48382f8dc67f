// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/orders/lane_orders.hpp"

#include <algorithm>

namespace unknot {

std::vector<std::uint32_t> first_turns(const Network& network) {
  std::vector<std::uint32_t> first{0};
  first.reserve(network.channel_count() + std::size_t{1});
  for (const ChannelId c : network.channels()) {
    first.push_back(first.back() + network.out(network.target(c)).size());
  }
  return first;
}

LaneOrders::LaneOrders(const Network& network, std::uint32_t lanes)
    : network_(network),
      lanes_(lanes),
      channels_(network.channel_count()),
      first_turn_(first_turns(network)),
      allowed_(first_turn_.back(), 0),
      lane_(lanes) {
  std::vector<std::uint32_t> by_id(channels_);
  for (std::uint32_t c = 0; c < channels_; ++c) by_id[c] = c;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) set_order(lane, by_id);
}

LaneOrders LaneOrders::unrestricted(const Network& network) {
  LaneOrders orders(network, 1);
  std::fill(orders.allowed_.begin(), orders.allowed_.end(), Mask{1});
  return orders;
}

void LaneOrders::set_order(std::uint32_t index, std::span<const std::uint32_t> channels) {
  Lane& lane = lane_[index];
  lane.key.assign(channels_, 0);
  lane.previous.assign(channels_ + 1, channels_);
  lane.next.assign(channels_ + 1, channels_);
  std::uint32_t last = channels_;
  for (const std::uint32_t c : channels) {
    link_after(lane, c, last);
    last = c;
  }
  respace(lane);
  const Mask bit = static_cast<Mask>(1U << index);
  for (std::uint32_t a = 0; a < channels_; ++a) {
    std::uint32_t turn = first_turn_[a];
    for (const ChannelId b : network_.out(network_.target(ChannelId(a)))) {
      Mask& mask = allowed_[turn++];
      mask = static_cast<Mask>(lane.key[a] < lane.key[b.value] ? mask | bit : mask & ~bit);
    }
  }
}

std::vector<std::uint32_t> LaneOrders::order(std::uint32_t lane) const {
  std::vector<std::uint32_t> channels;
  channels.reserve(channels_);
  const std::vector<std::uint32_t>& next = lane_[lane].next;
  for (std::uint32_t c = next[channels_]; c != channels_; c = next[c]) channels.push_back(c);
  return channels;
}

void LaneOrders::unlink(Lane& lane, std::uint32_t channel) const {
  lane.next[lane.previous[channel]] = lane.next[channel];
  lane.previous[lane.next[channel]] = lane.previous[channel];
}

void LaneOrders::link_after(Lane& lane, std::uint32_t channel, std::uint32_t other) const {
  const std::uint32_t next = lane.next[other];
  lane.previous[channel] = other;
  lane.next[channel] = next;
  lane.next[other] = channel;
  lane.previous[next] = channel;
}

/// Spreads the keys evenly again.
void LaneOrders::respace(Lane& lane) const {
  std::uint64_t key = kGap;
  for (std::uint32_t c = lane.next[channels_]; c != channels_; c = lane.next[c]) {
    lane.key[c] = key;
    key += kGap;
  }
}

void LaneOrders::flip(std::uint32_t lane, const Flip& flip) {
  const std::uint32_t first = network_.out(network_.target(ChannelId(flip.from))).first();
  allowed_[first_turn_[flip.from] + flip.to - first] ^= static_cast<Mask>(1U << lane);
}

LaneOrders::Move LaneOrders::move(std::uint32_t index, std::uint32_t channel, std::uint32_t other,
                                  bool before, std::vector<Flip>& flips) {
  Lane& lane = lane_[index];
  const Move move{index, channel, lane.previous[channel], lane.key[channel]};
  flips.clear();
  unlink(lane, channel);
  const std::uint32_t after = before ? lane.previous[other] : other;
  const std::uint32_t next = lane.next[after];
  const auto key_of = [&](std::uint32_t c) { return c == channels_ ? 0 : lane.key[c]; };
  std::uint64_t low = key_of(after);
  std::uint64_t high = next == channels_ ? low + 2 * kGap : lane.key[next];
  std::uint64_t old = move.key;
  if (high - low < 2) {
    // The moved channel's old place must stay comparable: count it in.
    link_after(lane, channel, move.before);
    respace(lane);
    old = lane.key[channel];
    unlink(lane, channel);
    low = key_of(after);
    high = next == channels_ ? low + 2 * kGap : lane.key[next];
  }
  const std::uint64_t key = low + (high - low) / 2;
  link_after(lane, channel, after);
  lane.key[channel] = key;

  for (const ChannelId a : network_.in(network_.source(ChannelId(channel)))) {
    const bool was = lane.key[a.value] < old;
    const bool is = lane.key[a.value] < key;
    if (was != is) flips.push_back({a.value, channel, is});
  }
  for (const ChannelId b : network_.out(network_.target(ChannelId(channel)))) {
    const bool was = old < lane.key[b.value];
    const bool is = key < lane.key[b.value];
    if (was != is) flips.push_back({channel, b.value, is});
  }
  for (const Flip& each : flips) flip(index, each);
  return {index, channel, move.before, old};
}

void LaneOrders::undo(const Move& move, const std::vector<Flip>& flips) {
  Lane& lane = lane_[move.lane];
  unlink(lane, move.channel);
  link_after(lane, move.channel, move.before);
  lane.key[move.channel] = move.key;
  for (const Flip& each : flips) flip(move.lane, each);
}

}  // namespace unknot
