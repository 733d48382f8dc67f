// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <optional>

#include "unknot/support/error.hpp"
#include "unknot/traffic/patterns/fixed_pattern.hpp"
#include "unknot/traffic/patterns/patterns.hpp"
#include "unknot/traffic/patterns/router_quads.hpp"

namespace unknot {
namespace {

/// Paths of two channels from one router, by their last. O(routers + degree^2) for each router.
class TwoHops {
 public:
  explicit TwoHops(const Network& network) : network_(network), paths_(network.router_count(), 0) {}

  void run(RouterId r) {
    std::fill(paths_.begin(), paths_.end(), 0);
    for (const ChannelId first : network_.out(r)) {
      for (const ChannelId second : network_.out(network_.target(first)))
        ++paths_[network_.target(second).value];
    }
    for (const ChannelId first : network_.out(r)) paths_[network_.target(first).value] = kNear;
    paths_[r.value] = kNear;
  }
  /// 0 where the router is nearer or farther than two channels.
  [[nodiscard]] std::uint32_t paths(RouterId to) const {
    return paths_[to.value] == kNear ? 0 : paths_[to.value];
  }
  [[nodiscard]] bool reached(RouterId to) const { return paths_[to.value] != 0; }

 private:
  static constexpr std::uint32_t kNear = 0xFFFFFFFFU;
  const Network& network_;
  std::vector<std::uint32_t> paths_;
};

bool links_both_ways(const Network& network) {
  return std::all_of(network.channels().begin(), network.channels().end(),
                     [&](ChannelId c) { return network.reverse(c).valid(); });
}

/// Every one of `routers` is at most two channels from every other.
bool diameter_two(const Network& network, const std::vector<RouterId>& routers) {
  TwoHops hops(network);
  for (const RouterId from : routers) {
    hops.run(from);
    if (!std::all_of(routers.begin(), routers.end(), [&](RouterId to) { return hops.reached(to); }))
      return false;
  }
  return true;
}

/// Smallest distance in the list at which all pairs of routers have one path of two channels and no shorter
/// one.
std::optional<std::uint32_t> single_path_shift(const Network& network, const std::vector<RouterId>& routers) {
  const auto count = static_cast<std::uint32_t>(routers.size());
  std::vector<bool> fits(count, true);
  TwoHops hops(network);
  for (std::uint32_t i = 0; i < count; ++i) {
    hops.run(routers[i]);
    for (std::uint32_t distance = 1; distance < count; ++distance) {
      if (fits[distance] && hops.paths(routers[(i + distance) % count]) != 1) fits[distance] = false;
    }
  }
  for (std::uint32_t distance = 1; distance < count; ++distance) {
    if (fits[distance]) return distance;
  }
  return std::nullopt;
}

TrafficPattern pattern_of_quads(const Network& network, const RouterQuads& quads) {
  std::vector<std::uint32_t> target(network.terminal_count());
  std::iota(target.begin(), target.end(), 0U);
  const auto exchange = [&](RouterId a, RouterId b) {
    const IdRange<TerminalId> left = network.terminals_at(a);
    const IdRange<TerminalId> right = network.terminals_at(b);
    for (std::uint32_t k = 0; k < std::min(left.size(), right.size()); ++k) {
      target[left[k].value] = right[k].value;
      target[right[k].value] = left[k].value;
    }
  };
  for (const auto& [a, b, c, d] : quads.quads) {
    exchange(a, c);
    exchange(b, d);
  }
  for (const auto& [a, b] : quads.pairs) exchange(a, b);
  return pattern_of_targets(std::move(target));
}

}  // namespace

TrafficPattern worst_case(const Network& network) {
  const std::vector<RouterId> routers = network.endpoint_routers();
  if (routers.size() > 1 && links_both_ways(network) && diameter_two(network, routers)) {
    if (routers.size() == network.router_count()) {
      const RouterQuads quads = router_quads(network);
      if (!quads.quads.empty()) return pattern_of_quads(network, quads);
    } else if (const auto distance = single_path_shift(network, routers)) {
      return router_shift(network, *distance);
    }
  }
  throw InputError(
      "pattern worst-case: this network has none of the structures whose worst case is known (diameter two, "
      "single "
      "shortest paths between routers); 'unknot adversary' searches one for any network");
}

}  // namespace unknot
