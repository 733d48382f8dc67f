// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/model/guidance.hpp"
#include "unknot/routing/trees/sibling_uses.hpp"

namespace unknot {

/// Each router by itself: of the channels on shortest paths the one that serves the fewest destinations so
/// far, of those that the fewest other addresses of the destination's port use. Of equals the first; with
/// port shifting the first from a place on that moves with what they serve, so that neighbours' tables do not
/// line up; scattered, any, by a seed.
class LeastServed {
 public:
  LeastServed(const Network& network, const Guidance& guidance);

  /// Destinations come one after the other.
  void begin(TerminalId destination) { siblings_.begin(destination); }
  /// Takes one of the channels, by number, and counts the destination; there is one at least, and they go by
  /// port. O(channels), and no allocation once it has seen as many.
  std::uint32_t take(std::span<const std::uint32_t> channels, RouterId router, TerminalId destination) {
    const std::uint32_t best = plain_ ? first_of_the_least(channels) : chosen(channels, router, destination);
    ++served_[best];
    return best;
  }

 private:
  [[nodiscard]] std::uint32_t first_of_the_least(std::span<const std::uint32_t> channels) const {
    std::uint32_t best = channels.front();
    for (const std::uint32_t c : channels.subspan(1)) {
      if (served_[c] < served_[best]) best = c;
    }
    return best;
  }
  std::uint32_t chosen(std::span<const std::uint32_t> channels, RouterId router, TerminalId destination);
  [[nodiscard]] std::uint32_t shifted(std::span<const std::uint32_t> channels) const;
  std::uint32_t scattered(std::span<const std::uint32_t> channels, RouterId router, TerminalId destination);

  std::vector<std::uint32_t> served_;  // by channel
  SiblingUses siblings_;
  bool shifting_;
  std::uint32_t scatter_;                         // the seed, 0: not
  bool plain_;                                    // neither, and one address a port
  std::vector<std::uint32_t> the_least_, apart_;  // scratch
};

}  // namespace unknot
