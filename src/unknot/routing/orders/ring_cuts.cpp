// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/orders/ring_cuts.hpp"

#include <algorithm>
#include <cmath>

namespace unknot {
namespace {

constexpr std::uint32_t kMostRouters = 2048;  // of a search: 16 MiB of pairs
constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;
constexpr double kFirstTemperature = 1;  // in pairs
constexpr double kLastTemperature = 0.02;
constexpr std::uint64_t kLooksAMove = 8;  // a move that touches nothing is work as well

}  // namespace

bool RingCuts::are_searched(const Coordinates& coordinates, std::uint32_t lanes) {
  std::uint64_t routers = 1;
  for (const std::uint32_t extent : coordinates.extent)
    routers = std::min<std::uint64_t>(routers * extent, kMostRouters + 1);
  return coordinates.wraps && routers <= kMostRouters && lanes > 1 && lanes <= coordinates.dimensions;
}

RingCuts::RingCuts(const Coordinates& coordinates, std::uint32_t lanes, std::uint64_t variant)
    : lanes_(lanes),
      random_(variant, 16),
      extent_(coordinates.extent.begin(), coordinates.extent.end()),
      stride_(extent_.size()),
      parity_(extent_.size()) {
  for (std::size_t d = extent_.size(); d-- > 0;) {
    stride_[d] = routers_;
    routers_ *= extent_[d];
  }
  for (std::uint32_t d = 0; d < extent_.size(); ++d) {
    const std::uint32_t extent = extent_[d];
    const std::uint32_t shift = variant == 0 ? 0 : random_.below(extent);
    std::vector<std::uint32_t>& cuts = cut_.emplace_back(std::size_t{routers_ / extent} * lanes * 2);
    for (std::uint32_t ring = 0; ring < routers_ / extent; ++ring) {
      // A ring's number has the other coordinates as its digits.
      std::uint32_t sum = 0;
      std::uint32_t digits = ring;
      for (std::size_t other = extent_.size(); other-- > 0;) {
        if (other == d) continue;
        sum += digits % extent_[other];
        digits /= extent_[other];
      }
      parity_[d].push_back(static_cast<std::uint8_t>(sum % 2));
      sum += shift;
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        cuts[place(lane, ring, true)] = (sum + lane * extent / lanes) % extent;
        cuts[place(lane, ring, false)] = (sum + lane * extent / lanes + extent / 2) % extent;
      }
    }
  }
}

std::uint32_t RingCuts::ring_of(std::uint32_t d, const std::uint32_t* at) const {
  std::uint32_t ring = 0;
  for (std::uint32_t other = 0; other < extent_.size(); ++other) {
    if (other != d) ring = ring * extent_[other] + at[other];
  }
  return ring;
}

/// The ring in which the path from one router to another corrects dimension `d`.
std::uint32_t RingCuts::ring_between(std::uint32_t d, std::uint32_t source, std::uint32_t target) const {
  return target / (stride_[d] * extent_[d]) * stride_[d] + source % stride_[d];
}

bool RingCuts::cuts_way(std::uint32_t d, std::uint32_t ring, std::uint32_t lane, bool upwards,
                        std::uint32_t from, std::uint32_t to) const {
  const std::uint32_t extent = extent_[d];
  const std::uint32_t cut = cut_[d][place(lane, ring, upwards)];
  const std::uint32_t before = upwards ? cut + extent - from : from + extent - cut;
  const std::uint32_t length = upwards ? to + extent - from : from + extent - to;
  return before % extent > 0 && before % extent < length % extent;
}

/// The way round to the router that lies `up` hops upwards: the shorter one. To the opposite router every
/// other router of the ring goes up, from ring to ring in turn.
bool RingCuts::goes_up(std::uint32_t d, std::uint32_t ring, std::uint32_t from, std::uint32_t up) const {
  if (2 * up != extent_[d]) return 2 * up < extent_[d];
  return (from + parity_[d][ring]) % 2 == 0;
}

/// Lanes that cut the way from one coordinate to another.
RingCuts::Mask RingCuts::cutting(std::uint32_t d, std::uint32_t ring, std::uint32_t from,
                                 std::uint32_t to) const {
  const std::uint32_t up = (to + extent_[d] - from) % extent_[d];
  Mask mask = 0;
  for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
    if (up != 0 && cuts_way(d, ring, lane, goes_up(d, ring, from, up), from, to)) mask |= 1U << lane;
  }
  return mask;
}

bool RingCuts::is_blocked(std::uint32_t source, std::uint32_t target) const {
  Mask mask = 0;
  for (std::uint32_t d = 0; d < extent_.size(); ++d) {
    const std::size_t ring = ring_between(d, source, target);
    const std::size_t at = (ring * extent_[d] + along(d, source)) * extent_[d] + along(d, target);
    mask |= cutting_[d][at];
  }
  return mask == (1U << lanes_) - 1;
}

void RingCuts::set_blocked(std::uint32_t pair, bool blocked) {
  if (blocked == (place_of_[pair] != kNowhere)) return;
  if (blocked) {
    place_of_[pair] = static_cast<std::uint32_t>(blocked_.size());
    blocked_.push_back(pair);
    return;
  }
  const std::uint32_t last = blocked_.back();
  blocked_[place_of_[pair]] = last;
  place_of_[last] = place_of_[pair];
  blocked_.pop_back();
  place_of_[pair] = kNowhere;
}

void RingCuts::prepare() {
  for (std::uint32_t d = 0; d < extent_.size(); ++d) {
    const std::uint32_t extent = extent_[d];
    std::vector<Mask>& masks = cutting_.emplace_back();
    masks.reserve(std::size_t{routers_} * extent);
    for (std::uint32_t i = 0; i < routers_ * extent; ++i) {
      masks.push_back(cutting(d, i / (extent * extent), i / extent % extent, i % extent));
    }
  }
  place_of_.assign(std::size_t{routers_} * routers_, kNowhere);
  for (std::uint32_t pair = 0; pair < routers_ * routers_; ++pair) {
    set_blocked(pair, is_blocked(pair / routers_, pair % routers_));
  }
}

/// One of the cuts that keep the pair from a random lane, at random.
bool RingCuts::pick_cut(std::uint32_t pair) {
  const std::uint32_t lane = random_.below(lanes_);
  std::uint32_t seen = 0;
  for (std::uint32_t d = 0; d < extent_.size(); ++d) {
    const std::uint32_t from = along(d, pair / routers_);
    const std::uint32_t to = along(d, pair % routers_);
    const std::uint32_t ring = ring_between(d, pair / routers_, pair % routers_);
    const bool upwards = goes_up(d, ring, from, (to + extent_[d] - from) % extent_[d]);
    if (from != to && cuts_way(d, ring, lane, upwards, from, to) && random_.below(++seen) == 0)
      picked_ = {d, ring, lane, from, to, upwards};
  }
  return seen > 0;
}

/// After a cut of the ring has moved: what that changes, and by how many pairs more are blocked.
std::int64_t RingCuts::look_again(std::uint32_t d, std::uint32_t ring) {
  before_.clear();
  flipped_.clear();
  std::int64_t more = 0;
  const std::uint32_t extent = extent_[d];
  const std::uint32_t stride = stride_[d];
  const std::uint32_t tops = routers_ / (stride * extent);
  for (std::uint32_t ends = 0; ends < extent * extent; ++ends) {
    const std::size_t at = std::size_t{ring} * extent * extent + ends;
    const Mask now = cutting(d, ring, ends / extent, ends % extent);
    if (now == cutting_[d][at]) continue;
    before_.push_back({at, cutting_[d][at]});
    cutting_[d][at] = now;
    looks_ += std::uint64_t{tops} * stride;
    for (std::uint32_t top = 0; top < tops; ++top) {
      for (std::uint32_t low = 0; low < stride; ++low) {
        const std::uint32_t source = (top * extent + ends / extent) * stride + ring % stride;
        const std::uint32_t target = (ring / stride * extent + ends % extent) * stride + low;
        const std::uint32_t pair = source * routers_ + target;
        const bool blocked = is_blocked(source, target);
        if (blocked == (place_of_[pair] != kNowhere)) continue;
        more += blocked ? 1 : -1;
        flipped_.push_back(pair);
      }
    }
  }
  return more;
}

void RingCuts::try_move(double temperature) {
  const auto blocked = static_cast<std::uint32_t>(blocked_.size());
  if (!pick_cut(blocked_[random_.below(blocked)])) return;
  const auto [d, ring, lane, from, to, upwards] = picked_;
  const std::uint32_t extent = extent_[d];
  std::uint32_t& cut = cut_[d][place(lane, ring, upwards)];
  const std::uint32_t old = cut;
  // Anywhere that does not cut the pair's way.
  const std::uint32_t length = (upwards ? to + extent - from : from + extent - to) % extent;
  const std::uint32_t beyond = length + random_.below(extent - length + 1);
  cut = (upwards ? from + beyond : from + 2 * extent - beyond) % extent;
  const std::int64_t more = look_again(d, ring);
  if (more <= 0 || random_.unit() < std::exp(-static_cast<double>(more) / temperature)) {
    for (const std::uint32_t pair : flipped_) set_blocked(pair, place_of_[pair] == kNowhere);
    return;
  }
  cut = old;
  for (const Before& each : before_) cutting_[d][each.at] = each.mask;
}

std::uint64_t RingCuts::search(std::uint64_t most_looks) {
  prepare();
  looks_ = 0;
  while (!blocked_.empty() && looks_ < most_looks) {
    const double left = 1 - static_cast<double>(looks_) / static_cast<double>(most_looks);
    looks_ += kLooksAMove;
    try_move(kLastTemperature + left * (kFirstTemperature - kLastTemperature));
  }
  return blocked_.size();
}

}  // namespace unknot
