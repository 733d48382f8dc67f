// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/orders/start_orders.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>

#include "unknot/routing/orders/ring_cuts.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kLooksForCuts = 3'000'000;  // pairs: some tenths of a second

using Ranks = std::vector<std::uint32_t>;  // by router: its place in an arrangement

/// The router that breadth-first search from `root` finds last.
std::uint32_t farthest(const Ranks& rank) {
  return static_cast<std::uint32_t>(std::max_element(rank.begin(), rank.end()) - rank.begin());
}

/// Each lane's root is far from those before: the farthest from the last, then the one with the largest
/// smallest rank.
std::vector<std::uint32_t> far_apart_roots(const Network& network, std::uint32_t count,
                                           std::uint64_t variant) {
  std::uint32_t first = 0;
  if (variant == 0) {
    // The router with most channels, else the first.
    for (const RouterId r : network.routers()) {
      if (network.out(r).size() > network.out(RouterId(first)).size()) first = r.value;
    }
  } else {
    first = Random(variant, 1).below(network.router_count());
  }
  std::vector<std::uint32_t> roots{first};
  Ranks nearest = breadth_first_ranks(network, first);
  while (roots.size() < count) {
    const std::uint32_t next = farthest(nearest);
    roots.push_back(next);
    const Ranks rank = breadth_first_ranks(network, next);
    for (std::size_t r = 0; r < rank.size(); ++r) nearest[r] = std::min(nearest[r], rank[r]);
  }
  return roots;
}

Ranks reversed(Ranks rank) {
  for (std::uint32_t& each : rank) each = static_cast<std::uint32_t>(rank.size()) - 1 - each;
  return rank;
}

Ranks linear_arrangement(const Network& network, std::uint64_t variant) {
  Ranks rank(network.router_count());
  std::iota(rank.begin(), rank.end(), 0);
  if (variant == 0) return rank;
  const std::uint32_t start = Random(variant, 2).below(network.router_count());
  return breadth_first_ranks(network, farthest(breadth_first_ranks(network, start)));
}

/// Where lane `lane` cuts the rings of dimension `d`: opposite places in as many combinations as there are
/// lanes, shifted by the variant.
std::uint32_t cut_of(const Coordinates& coordinates, std::uint32_t lanes, std::uint32_t lane, std::uint32_t d,
                     std::uint64_t variant) {
  const std::uint32_t extent = coordinates.extent[d];
  const std::uint32_t combinations = 1U << std::min(coordinates.dimensions, 16U);
  const std::uint32_t shift = Random(variant, 3 + d).below(extent);
  if (lanes >= combinations) return (shift + (lane >> d & 1U) * (extent / 2)) % extent;
  // Too few lanes for all combinations: spread the cuts of each dimension, dimensions at different paces.
  return (shift + (lane * (2 * d + 1) % lanes) * extent / lanes) % extent;
}

/// `cuts`: where the lane cuts each ring; none where all rings of a dimension are cut alike.
std::vector<std::uint32_t> dimension_order(const Network& network, std::uint32_t lanes, std::uint32_t lane,
                                           std::uint64_t variant, const std::optional<RingCuts>& cuts) {
  const Coordinates& coordinates = *network.coordinates();
  using Key = std::tuple<std::uint32_t, bool, std::uint32_t>;
  std::vector<Key> key;
  for (const ChannelId c : network.channels()) {
    const std::size_t from = std::size_t{network.source(c).value} * coordinates.dimensions;
    const std::size_t to = std::size_t{network.target(c).value} * coordinates.dimensions;
    std::uint32_t d = 0;
    while (d + 1 < coordinates.dimensions && coordinates.value[from + d] == coordinates.value[to + d]) ++d;
    const std::uint32_t extent = coordinates.extent[d];
    const std::uint32_t x = coordinates.value[from + d];
    const std::uint32_t y = coordinates.value[to + d];
    const bool forward = y == (x + 1) % extent;
    std::uint32_t cut = 0;
    if (cuts) {
      cut = cuts->cut(lane, d, forward, &coordinates.value[from]);
    } else if (coordinates.wraps) {
      cut = cut_of(coordinates, lanes, lane, d, variant);
    }
    const std::uint32_t along = forward ? (x + extent - cut) % extent : (cut + extent - y - 1) % extent;
    key.emplace_back(d, forward, along);
  }
  std::vector<std::uint32_t> channels(network.channel_count());
  std::iota(channels.begin(), channels.end(), 0);
  std::stable_sort(channels.begin(), channels.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return key[a] < key[b]; });
  return channels;
}

}  // namespace

std::vector<std::uint32_t> breadth_first_ranks(const Network& network, std::uint32_t root) {
  std::vector<std::uint32_t> rank(network.router_count(), 0xFFFFFFFFU);
  std::vector<std::uint32_t> queue{root};
  rank[root] = 0;
  std::uint32_t next = 1;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const ChannelId c : network.out(RouterId(queue[head]))) {
      const std::uint32_t to = network.target(c).value;
      if (rank[to] != 0xFFFFFFFFU) continue;
      rank[to] = next++;
      queue.push_back(to);
    }
  }
  for (std::uint32_t& each : rank) {
    if (each == 0xFFFFFFFFU) each = next++;
  }
  return rank;
}

std::vector<std::uint32_t> up_then_down(const Network& network, const std::vector<std::uint32_t>& rank) {
  std::vector<std::uint32_t> channels(network.channel_count());
  std::iota(channels.begin(), channels.end(), 0);
  std::vector<std::int64_t> key(channels.size());
  for (const ChannelId c : network.channels()) {
    const std::int64_t from = rank[network.source(c).value];
    const std::int64_t to = rank[network.target(c).value];
    key[c.value] = to < from ? -from : from + 1;
  }
  std::stable_sort(channels.begin(), channels.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return key[a] < key[b]; });
  return channels;
}

bool fits(StartOrders start, const Network& network) {
  return start != StartOrders::dimension || network.coordinates() != nullptr;
}

void set_start_orders(const Network& network, StartOrders start, std::uint64_t variant, LaneOrders& orders) {
  const std::uint32_t lanes = orders.lanes();
  std::vector<std::uint32_t> roots;
  if (start == StartOrders::up_down) roots = far_apart_roots(network, lanes, variant);
  std::optional<RingCuts> cuts;
  if (start == StartOrders::dimension && RingCuts::are_searched(*network.coordinates(), lanes)) {
    cuts.emplace(*network.coordinates(), lanes, variant);
    cuts->search(kLooksForCuts);
  }
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    switch (start) {
      case StartOrders::up_down:
        orders.set_order(lane, up_then_down(network, breadth_first_ranks(network, roots[lane])));
        break;
      case StartOrders::linear: {
        const Ranks rank = linear_arrangement(network, variant + lane / 2);
        orders.set_order(lane, up_then_down(network, lane % 2 == 0 ? rank : reversed(rank)));
        break;
      }
      case StartOrders::dimension:
        orders.set_order(lane, dimension_order(network, lanes, lane, variant, cuts));
        break;
      case StartOrders::random: {
        std::vector<std::uint32_t> channels(network.channel_count());
        std::iota(channels.begin(), channels.end(), 0);
        Random(variant, 64 + lane).shuffle(channels);
        orders.set_order(lane, channels);
        break;
      }
    }
  }
}

}  // namespace unknot
