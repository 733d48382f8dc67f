// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/live/live_network.hpp"
#include "unknot/routing/dealing/leaf_groups.hpp"
#include "unknot/routing/dealing/legal_reach.hpp"
#include "unknot/support/bulk_vector.hpp"

namespace unknot {

/// All candidates of all routers: for each router and destination router a set of ports, a bit for each
/// channel that leaves it. What LegalReach has by channels, turned. Those of a group of destinations lie one
/// behind the other: they are looked at together. Memory: 8 bytes for each router and destination router; for
/// those of more than 64 channels, for each 64 of them.
class CandidateSets {
 public:
  using Word = LegalReach::Word;
  static constexpr std::uint32_t kWordBits = LegalReach::kWordBits;

  /// Words of a set of ports of the router.
  static std::uint32_t set_words(const LiveNetwork& network, RouterId router) {
    return std::max(1U, (network.network().out(router).size() + kWordBits - 1) / kWordBits);
  }

  /// Room for them, without values.
  CandidateSets(const LiveNetwork& network, const LegalReach& reach, const LeafGroups& groups)
      : first_place_(groups.count + std::size_t{2}, 0) {
    const auto group_of = [&](RouterId r) {
      return network.alive(r) ? std::min(groups.of_router[r.value], groups.count) : groups.count;
    };
    for (const RouterId r : reach.destinations()) ++first_place_[group_of(r) + std::size_t{1}];
    for (std::uint32_t g = 0; g <= groups.count; ++g) first_place_[g + std::size_t{1}] += first_place_[g];
    std::vector<std::uint32_t> next_place = first_place_;
    place_.reserve(reach.destinations().size());
    for (const RouterId r : reach.destinations()) place_.push_back(next_place[group_of(r)]++);
    first_.reserve(network.router_count());
    std::size_t next = 0;
    for (const RouterId r : network.routers()) {
      first_.push_back(next);
      next += std::size_t{set_words(network, r)} * reach.destinations().size();
    }
    sets_.resize(next);
  }

  /// By place, set_words() each.
  [[nodiscard]] Word* row(RouterId router) { return sets_.data() + first_[router.value]; }
  /// By destination of the reach.
  [[nodiscard]] std::span<const std::uint32_t> places() const { return place_; }
  /// Places of the group's destinations, those that were alive, are from here to that of the next group.
  [[nodiscard]] std::uint32_t first_place(std::uint32_t group) const { return first_place_[group]; }

 private:
  std::vector<std::uint32_t> place_;        // by destination
  std::vector<std::uint32_t> first_place_;  // by group, those of none, and one more
  std::vector<std::size_t> first_;          // by router
  BulkVector<Word> sets_;
};

}  // namespace unknot
