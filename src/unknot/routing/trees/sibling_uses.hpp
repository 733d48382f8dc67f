// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// How many trees towards other addresses of a port (addressed_network()) take each channel, so that the next
/// one can lead elsewhere. Addresses of a port are expected one after the other. Costs nothing in networks
/// without further addresses: no channel is used there.
class SiblingUses {
 public:
  explicit SiblingUses(const Network& network) : network_(network) {
    for (const TerminalId t : network.terminals()) {
      if (!network.further_address(t)) continue;
      uses_.assign(network.channel_count(), 0);
      break;
    }
  }

  /// The tree towards this destination comes next.
  void begin(TerminalId destination) {
    if (uses_.empty() || network_.further_address(destination)) return;
    if (++port_ == kPorts) {
      uses_.assign(uses_.size(), 0);
      port_ = 1;
    }
  }
  void take(std::uint32_t channel) {
    if (uses_.empty()) return;
    uses_[channel] = (uses_[channel] >> kBits == port_ ? uses_[channel] : port_ << kBits) + 1;
  }
  [[nodiscard]] std::uint32_t of(std::uint32_t channel) const {
    return !uses_.empty() && uses_[channel] >> kBits == port_ ? uses_[channel] & ((1U << kBits) - 1) : 0;
  }
  [[nodiscard]] bool any() const { return !uses_.empty(); }

 private:
  static constexpr std::uint32_t kBits = 8;  // 128 addresses at most
  static constexpr std::uint32_t kPorts = 1U << (32 - kBits);
  const Network& network_;
  std::vector<std::uint32_t> uses_;  // by channel: number of the port, and of its trees
  std::uint32_t port_ = 0;
};

}  // namespace unknot
