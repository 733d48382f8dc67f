// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "unknot/simulate/core/source.hpp"
#include "unknot/simulate/plan/group_plan.hpp"
#include "unknot/simulate/sources/destinations.hpp"

namespace unknot::simulate {

/// Steady traffic: each terminal begins a packet in each cycle with the same probability, whatever it did
/// before (a Bernoulli process). The gaps are drawn at once, from their geometric distribution.
class SteadySource final : public Source {
 public:
  /// `load`: flits that the busiest terminals offer in a cycle, in [0, 1]. Of the packets,
  /// GroupTraffic::share go to groups that the terminal can send to, each with equal chance. Both must
  /// outlive it.
  SteadySource(const Destinations& destinations, std::uint32_t terminals, double load,
               std::uint32_t packet_flits, std::uint64_t seed, const GroupTraffic* multicast = nullptr);

  bool next(std::uint32_t terminal, std::uint64_t cycle, NewPacket& packet) override;
  [[nodiscard]] std::uint32_t longest_packet() const override { return packet_flits_; }
  [[nodiscard]] bool terminals_apart() const override { return true; }

 private:
  static constexpr std::uint32_t kSteps = 16;
  struct Terminal {
    std::uint64_t free = 0;  ///< first cycle in which its next packet may be created
    TerminalRandom random;
  };
  /// Cycles between one packet and the next, beyond the one that it takes at least.
  [[nodiscard]] std::uint64_t gap(std::uint32_t terminal, TerminalRandom& random) const;

  const Destinations& destinations_;
  const GroupTraffic* multicast_;  // null: none
  std::vector<Terminal> terminals_;
  double probability_;
  std::uint32_t packet_flits_;
  double log_rest_ = 0;                          // log(1 - probability)
  std::array<std::uint8_t, 256> guide_{};        // by the first byte of a draw: the least gap it can give
  std::array<std::uint64_t, kSteps> at_most_{};  // gap <= i where a 64-bit draw lies below
};

}  // namespace unknot::simulate
