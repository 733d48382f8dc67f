// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "unknot/drawing/node_layout.hpp"

namespace unknot::drawing {
namespace {

std::uint64_t around(std::uint32_t a, std::uint32_t b, std::uint32_t n) {
  const std::uint32_t d = a < b ? b - a : a - b;
  return std::min(d, n - d);
}

/// Slots of the circle by router: exchanges two as long as cables get shorter around the circle.
std::vector<std::uint32_t> slots(const Network& network) {
  const std::uint32_t n = network.router_count();
  std::vector<std::uint32_t> slot(n);
  std::iota(slot.begin(), slot.end(), 0);
  // What is numbered along a ring is known in that order: rings, chordal rings, many named graphs.
  if (numbered_around(network)) return slot;

  const auto cost = [&](RouterId r) {
    std::uint64_t sum = 0;
    for (const ChannelId c : network.out(r)) sum += around(slot[r.value], slot[network.target(c).value], n);
    for (const ChannelId c : network.in(r)) sum += around(slot[r.value], slot[network.source(c).value], n);
    return sum;
  };
  constexpr int kRounds = 20;
  bool better = true;
  for (int round = 0; better && round < kRounds; ++round) {
    better = false;
    for (std::uint32_t a = 0; a < n; ++a) {
      for (std::uint32_t b = a + 1; b < n; ++b) {
        const std::uint64_t before = cost(RouterId(a)) + cost(RouterId(b));
        std::swap(slot[a], slot[b]);
        const bool shorter = cost(RouterId(a)) + cost(RouterId(b)) < before;
        if (!shorter) std::swap(slot[a], slot[b]);
        better = better || shorter;
      }
    }
  }
  return slot;
}

}  // namespace

bool numbered_around(const Network& network) {
  const std::uint32_t n = network.router_count();
  const auto joined = [&](RouterId a, RouterId b) {
    for (const ChannelId c : network.out(a)) {
      if (network.target(c) == b) return true;
    }
    return false;
  };
  for (std::uint32_t r = 0; r < n; ++r) {
    if (!joined(RouterId(r), RouterId((r + 1) % n))) return false;
  }
  return n > 2;
}

std::vector<Point> circle_places(const Network& network) {
  const std::uint32_t n = network.router_count();
  if (n == 1) return {Point{}};
  const std::vector<std::uint32_t> slot = slots(network);
  const double apart = n <= 24 ? 0.85 : 0.62;
  const double radius = std::max(1.25, apart / (2 * std::sin(std::numbers::pi / n)));
  std::vector<Point> places;
  for (const RouterId r : network.routers()) {
    const double angle = 2 * std::numbers::pi * slot[r.value] / n - std::numbers::pi / 2;  // from the top
    places.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  return places;
}

}  // namespace unknot::drawing
