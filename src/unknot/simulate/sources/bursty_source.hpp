// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/simulate/core/source.hpp"
#include "unknot/simulate/plan/group_plan.hpp"
#include "unknot/simulate/sources/destinations.hpp"
#include "unknot/simulate/sources/injection.hpp"

namespace unknot::simulate {

/// Bursty traffic: bursts and gaps in turn, each of a random length, in each of which a packet begins in
/// each cycle with the same probability. Gaps are as long, in the mean, as makes the load; one of no length
/// joins two bursts. Terminals begin in the stationary state, independent of each other.
class BurstySource final : public Source {
 public:
  /// As make_traffic(); the load at most the injection's peak, its process not bernoulli.
  BurstySource(const Injection& injection, const Destinations& destinations, std::uint32_t terminals,
               double load, std::uint32_t packet_flits, std::uint64_t seed, const GroupTraffic* multicast);

  bool next(std::uint32_t terminal, std::uint64_t cycle, NewPacket& packet) override;
  [[nodiscard]] std::uint32_t longest_packet() const override { return packet_flits_; }
  [[nodiscard]] bool terminals_apart() const override { return true; }

 private:
  struct Terminal {
    std::uint64_t free = 0;  ///< first cycle in which its next packet may be created
    std::uint64_t ends = 0;  ///< first cycle after the burst or gap
    double low = 0;          ///< packets a cycle in a gap
    double gap = 0;          ///< mean cycles of one
    bool bursts = false;     ///< in a burst
    TerminalRandom random;
  };
  [[nodiscard]] std::uint64_t length(Terminal& self) const;
  [[nodiscard]] std::uint64_t rest(Terminal& self) const;

  const Injection injection_;
  const Destinations& destinations_;
  const GroupTraffic* multicast_;  // null: none
  const std::uint32_t packet_flits_;
  const double high_;  // packets a cycle in a burst
  std::vector<Terminal> terminals_;
};

}  // namespace unknot::simulate
