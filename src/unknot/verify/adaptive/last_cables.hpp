// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/adaptive/adaptive_routing.hpp"
#include "unknot/verify/adaptive/packet_ways.hpp"
#include "unknot/verify/adaptive/relation_view.hpp"

namespace unknot {

/// Where packets of one level and kind are dropped at the end of their way, because the cable from the last
/// router to their terminal has no lane for them.
class LastCables {
 public:
  /// O(channels * lanes * terminals of a router) where ports make a difference, else O(1).
  LastCables(const Network& network, const AdaptiveRouting& routing, const PacketWays& ways,
             const RelationView& view);

  /// Terminals of the router at the end of the buffer's channel to which packets from there do not get.
  [[nodiscard]] std::span<const TerminalId> dropped(std::uint32_t buffer) const {
    if (first_.empty()) return {};
    return {terminals_.data() + first_[buffer], terminals_.data() + first_[buffer + 1]};
  }
  /// Terminals that some other one of the same router does not reach so.
  [[nodiscard]] std::span<const TerminalId> dropped_at_home() const { return at_home_; }
  /// Nothing is dropped so on the way from another router.
  [[nodiscard]] bool none() const { return terminals_.empty(); }

 private:
  std::vector<std::uint32_t> first_;  // by buffer, and one more; empty where nothing can be dropped
  std::vector<TerminalId> terminals_;
  std::vector<TerminalId> at_home_;
};

}  // namespace unknot
