// SPDX-License-Identifier: Apache-2.0
#include "unknot/bounds/length_search.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace unknot {
namespace {

constexpr double kUnreached = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kUnsettled = 0xFFFFFFFFU;
/// Passes over all routers that a heap takes as long as.
constexpr int kMostPasses = 12;
/// Places that one moves on the average where sorting anew takes as long.
constexpr std::size_t kMostMoves = 8;

/// False, and some order, where more are out of place than that pays.
bool sort_nearly_sorted(std::vector<std::pair<double, std::uint32_t>>& items) {
  std::size_t moves = 0;
  for (std::size_t i = 1; i < items.size(); ++i) {
    const std::pair<double, std::uint32_t> moved = items[i];
    std::size_t at = i;
    for (; at > 0 && moved < items[at - 1]; --at) items[at] = items[at - 1];
    items[at] = moved;
    moves += i - at;
    if (moves > kMostMoves * items.size()) return false;
  }
  return true;
}

}  // namespace

LengthSearch::LengthSearch(const Network& network, const InNeighbours& neighbours, FlowWays paths)
    : network_(network),
      paths_(paths),
      hops_(neighbours),
      distance_(network.router_count()),
      rank_(network.router_count()) {}

void LengthSearch::run(RouterId home, std::span<const double> length, std::vector<std::uint32_t>& order) {
  std::fill(distance_.begin(), distance_.end(), kUnreached);
  distance_[home.value] = 0;
  if (paths_ == FlowWays::shortest) {
    by_hops(home, length, order);
  } else if (order.empty()) {
    by_heap(home, length, order);
  } else {
    by_order(home, length, order);
  }
  std::fill(rank_.begin(), rank_.end(), kUnsettled);
  for (std::uint32_t i = 0; i < order.size(); ++i) rank_[order[i]] = i;
}

void LengthSearch::by_heap(RouterId home, std::span<const double> length, std::vector<std::uint32_t>& order) {
  order.clear();
  queue_.emplace(0.0, home.value);
  while (!queue_.empty()) {
    const auto [reached, r] = queue_.top();
    queue_.pop();
    if (reached > distance_[r]) continue;
    order.push_back(r);
    for (const ChannelId c : network_.in(RouterId(r))) {
      const std::uint32_t from = network_.source(c).value;
      const double through = reached + length[c.value];
      if (through >= distance_[from]) continue;
      distance_[from] = through;
      queue_.emplace(through, from);
    }
  }
}

/// Each router by its neighbours' distances until none changes: sums of lengths along the same paths, added
/// in the same order, as by a heap.
void LengthSearch::by_order(RouterId home, std::span<const double> length,
                            std::vector<std::uint32_t>& order) {
  bool changed = true;
  for (int pass = 0; changed; ++pass) {
    if (pass == kMostPasses) {
      std::fill(distance_.begin(), distance_.end(), kUnreached);
      distance_[home.value] = 0;
      by_heap(home, length, order);
      return;
    }
    changed = false;
    for (const std::uint32_t r : order) {
      double least = distance_[r];
      for (const ChannelId c : network_.out(RouterId(r)))
        least = std::min(least, distance_[network_.target(c).value] + length[c.value]);
      changed = changed || least < distance_[r];
      distance_[r] = least;
    }
  }
  placed_.clear();
  for (const std::uint32_t r : order) placed_.emplace_back(distance_[r], r);
  if (!sort_nearly_sorted(placed_)) std::sort(placed_.begin(), placed_.end());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = placed_[i].second;
}

/// Channels lead nearer in hops, so that one pass in their order settles all.
void LengthSearch::by_hops(RouterId home, std::span<const double> length, std::vector<std::uint32_t>& order) {
  hops_.run(home);
  order.assign(hops_.order().begin(), hops_.order().end());
  for (std::size_t i = 1; i < order.size(); ++i) {
    const std::uint32_t r = order[i];
    for (const ChannelId c : network_.out(RouterId(r))) {
      const std::uint32_t to = network_.target(c).value;
      if (allowed(r, to)) distance_[r] = std::min(distance_[r], distance_[to] + length[c.value]);
    }
  }
}

void LengthSearch::spread(std::span<const double> length, std::span<const std::uint32_t> order, double slack,
                          std::vector<double>& passing, std::span<double> flow) {
  for (std::size_t i = order.size(); i-- > 1;) {
    const std::uint32_t r = order[i];
    if (passing[r] == 0) continue;
    next_.clear();
    for (const ChannelId c : network_.out(RouterId(r))) {
      const std::uint32_t to = network_.target(c).value;
      // settled before, so that no circle can arise from ties
      if (rank_[to] < rank_[r] && allowed(r, to) &&
          distance_[to] + length[c.value] <= distance_[r] * (1 + slack)) {
        next_.push_back(c);
      }
    }
    const double share = passing[r] / static_cast<double>(next_.size());
    for (const ChannelId c : next_) {
      flow[c.value] += share;
      passing[network_.target(c).value] += share;
    }
    passing[r] = 0;
  }
  if (!order.empty()) passing[order[0]] = 0;
}

}  // namespace unknot
