// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/simulate/core/source.hpp"
#include "unknot/traffic/patterns/pattern.hpp"

namespace unknot::simulate {

/// Where each packet of a terminal goes under a traffic pattern. Uniform and hot-spot traffic draw anew for
/// each packet; other patterns with chance in them (a permutation, a matching) are fixed for the run by its
/// seed. A terminal with several flows draws among them by weight, and sends in proportion to the sum of its
/// weights.
class Destinations {
 public:
  Destinations(const Network& network, const TrafficPattern& pattern, std::uint64_t seed);

  /// What the terminal offers beside the one that offers most; 0: idle.
  [[nodiscard]] double share(std::uint32_t terminal) const { return share_[terminal]; }
  /// Mean of the shares of all terminals.
  [[nodiscard]] double mean_share() const { return mean_share_; }
  [[nodiscard]] std::uint32_t draw(std::uint32_t terminal, TerminalRandom& random) const;

 private:
  enum class Kind : std::uint8_t { uniform, uniform_self, hotspot, flows };
  Kind kind_ = Kind::uniform;
  std::uint32_t terminals_ = 0;
  double fraction_ = 0;  // hotspot
  std::vector<std::uint32_t> hotspots_;
  std::vector<std::uint32_t> first_;  // by terminal, and one more: its flows
  std::vector<std::uint32_t> target_;
  std::vector<double> below_;  // cumulative share of a terminal's flows
  std::vector<double> share_;
  double mean_share_ = 1;
};

}  // namespace unknot::simulate
