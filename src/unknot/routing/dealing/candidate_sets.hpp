// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/live/live_network.hpp"
#include "unknot/routing/dealing/legal_reach.hpp"
#include "unknot/support/bulk_vector.hpp"

namespace unknot {

/// All candidates of all routers: for each router and destination router a set of ports, a bit for each
/// channel that leaves it. What LegalReach has by channels, turned. Memory: 8 bytes for each router and
/// destination router; for those of more than 64 channels, for each 64 of them.
class CandidateSets {
 public:
  using Word = LegalReach::Word;
  static constexpr std::uint32_t kWordBits = LegalReach::kWordBits;

  /// Words of a set of ports of the router.
  static std::uint32_t set_words(const LiveNetwork& network, RouterId router) {
    return std::max(1U, (network.network().out(router).size() + kWordBits - 1) / kWordBits);
  }

  /// Room for them, without values.
  CandidateSets(const LiveNetwork& network, const LegalReach& reach) {
    first_.reserve(network.router_count());
    std::size_t next = 0;
    for (const RouterId r : network.routers()) {
      first_.push_back(next);
      next += std::size_t{set_words(network, r)} * reach.words() * kWordBits;
    }
    sets_.resize(next);
  }

  /// By destination, set_words() each; there are as many as fill up the words of a set of destinations.
  [[nodiscard]] Word* row(RouterId router) { return sets_.data() + first_[router.value]; }

 private:
  std::vector<std::size_t> first_;  // by router
  BulkVector<Word> sets_;
};

}  // namespace unknot
