// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/placed/ring_order.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "unknot/support/random.hpp"

namespace unknot {
namespace {

/// A ring of ranks and how often its routes meet, kept up to date.
class MeetingRing {
 public:
  MeetingRing(const PlacedRanks& placed, std::vector<std::uint32_t> order)
      : placed_(&placed), order_(std::move(order)), load_(placed.network().channel_count()) {
    for (std::uint32_t i = 0; i < size(); ++i) add(i);
  }

  [[nodiscard]] std::uint64_t meetings() const { return meetings_; }
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(order_.size()); }

  /// The ranks at two places change places. Doing it again undoes it.
  void exchange(std::uint32_t i, std::uint32_t j) {
    std::uint32_t edges[] = {before(i), i, before(j), j};
    std::sort(std::begin(edges), std::end(edges));
    const auto* const end = std::unique(std::begin(edges), std::end(edges));
    for (const auto* edge = std::begin(edges); edge != end; ++edge) remove(*edge);
    std::swap(order_[i], order_[j]);
    for (const auto* edge = std::begin(edges); edge != end; ++edge) add(*edge);
  }

  /// The rank at place i goes to place j, those between move up by one. move(j, i) undoes it.
  void move(std::uint32_t i, std::uint32_t j) {
    const std::uint32_t low = std::min(i, j), high = std::max(i, j);
    // Edges inside of what moves up stay what they are, under other numbers.
    const std::uint32_t edges_before[] = {before(i), i, i < j ? j : before(j)};
    for (const std::uint32_t edge : distinct(edges_before)) remove(edge);
    if (i < j) {
      std::rotate(order_.begin() + low, order_.begin() + low + 1, order_.begin() + high + 1);
    } else {
      std::rotate(order_.begin() + low, order_.begin() + high, order_.begin() + high + 1);
    }
    const std::uint32_t edges_after[] = {before(j), j, i < j ? before(i) : i};
    for (const std::uint32_t edge : distinct(edges_after)) add(edge);
  }

 private:
  [[nodiscard]] std::uint32_t before(std::uint32_t i) const { return (i + size() - 1) % size(); }
  static std::vector<std::uint32_t> distinct(const std::uint32_t (&edges)[3]) {
    std::vector<std::uint32_t> list(std::begin(edges), std::end(edges));
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
  }
  [[nodiscard]] std::span<const std::uint32_t> lines(std::uint32_t i) const {
    const auto all = placed_->lines(order_[i], order_[(i + 1) % size()]);
    return all.subspan(1, all.size() - 2);  // without the cables of the two hosts
  }
  void add(std::uint32_t i) {
    for (const std::uint32_t line : lines(i)) meetings_ += load_[line]++ > 0 ? 1 : 0;
  }
  void remove(std::uint32_t i) {
    for (const std::uint32_t line : lines(i)) meetings_ -= --load_[line] > 0 ? 1 : 0;
  }

  const PlacedRanks* placed_;
  std::vector<std::uint32_t> order_, load_;
  std::uint64_t meetings_ = 0;
};

std::vector<std::uint32_t> to_the_nearest(const PlacedRanks& placed, std::uint32_t start) {
  std::vector<std::uint32_t> order{start}, left(placed.ranks());
  std::iota(left.begin(), left.end(), 0);
  std::erase(left, start);
  while (!left.empty()) {
    const auto nearest = std::min_element(left.begin(), left.end(), [&](std::uint32_t a, std::uint32_t b) {
      return placed.lines(order.back(), a).size() < placed.lines(order.back(), b).size();
    });
    order.push_back(*nearest);
    left.erase(nearest);
  }
  return order;
}

void anneal(MeetingRing& ring, Random& random) {
  constexpr double kHot = 2, kCold = 0.05;
  const std::uint32_t size = ring.size();
  const auto moves = 400ULL * size * static_cast<std::uint64_t>(std::bit_width(size));
  const double cooling = std::pow(kCold / kHot, 1.0 / static_cast<double>(moves));
  double heat = kHot;
  for (std::uint64_t k = 0; k < moves && ring.meetings() > 0; ++k, heat *= cooling) {
    const std::uint32_t i = random.below(size), j = random.below(size);
    if (i == j) continue;
    const bool exchanges = random.below(2) == 0;
    const auto old = static_cast<double>(ring.meetings());
    exchanges ? ring.exchange(i, j) : ring.move(i, j);
    const double worse = static_cast<double>(ring.meetings()) - old;
    if (worse <= 0 || random.unit() < std::exp(-worse / heat)) continue;
    exchanges ? ring.exchange(i, j) : ring.move(j, i);
  }
}

std::vector<std::uint32_t> in_rank_order(const PlacedRanks& placed) {
  std::vector<std::uint32_t> order(placed.ranks());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

}  // namespace

std::uint64_t ring_meetings(const PlacedRanks& placed) {
  return MeetingRing(placed, in_rank_order(placed)).meetings();
}

RingOrder find_ring_order(const PlacedRanks& placed, std::uint32_t tries, std::uint64_t seed) {
  MeetingRing best(placed, in_rank_order(placed));
  const auto consider = [&](const MeetingRing& ring) {
    if (ring.meetings() < best.meetings()) best = ring;
  };
  for (std::uint32_t k = 0; k < tries && best.meetings() > 0; ++k) {
    Random random(seed, k);
    // Routes to the nearest are short, and meet seldom.
    MeetingRing ring(placed, k == 1 ? in_rank_order(placed)
                                    : to_the_nearest(placed, k == 0 ? 0 : random.below(placed.ranks())));
    consider(ring);
    anneal(ring, random);
    consider(ring);
  }
  RingOrder result{{}, best.meetings()};
  for (const std::uint32_t rank : best.order()) result.hosts.push_back(placed.host(rank));
  return result;
}

}  // namespace unknot
