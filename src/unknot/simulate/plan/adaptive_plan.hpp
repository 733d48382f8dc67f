// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/simulate/plan/ports.hpp"
#include "unknot/support/random.hpp"
#include "unknot/tables/adaptive/adaptive_routing.hpp"

namespace unknot::simulate {

/// An adaptive routing as the model's routers look it up: outputs in place of channels. Immutable.
///
/// A packet whose level may be adaptive is so, else it is fixed. Hashed choices are one channel for each pair
/// of terminals and router. Of ports that a router may choose among it takes one that can be had now, and of
/// those the one with the least in the buffers behind it, any of several; a packet that waits looks again
/// whenever a buffer of its router gets room, unless `committed`.
class AdaptivePlan {
 public:
  AdaptivePlan(const AdaptivePlan&) = delete;
  AdaptivePlan& operator=(const AdaptivePlan&) = delete;
  ~AdaptivePlan() = default;
  /// InputError as require_fit() of the routing. O(entries), and routers * ports^2 with SL-to-VL tables.
  AdaptivePlan(const Network& network, const Ports& ports, AdaptiveRouting routing, bool committed);

  /// Where a packet may go.
  struct Options {
    std::span<const std::uint16_t> places;  ///< outputs among the router's; none: it is lost
    bool again = false;                     ///< while it waits it may take another
  };
  /// At a router other than the destination's. `in_port` and `lane`: those it came by. O(1).
  [[nodiscard]] Options options(RouterId at, std::uint16_t in_port, std::uint8_t lane, std::uint8_t level,
                                TerminalId source, TerminalId destination) const;
  /// The level of a packet: its pair's, or where nobody tells those any of the routing's. InputError for a
  /// pair that never sends.
  [[nodiscard]] std::uint8_t level(TerminalId source, TerminalId destination, std::uint32_t drawn) const;
  [[nodiscard]] const AdaptiveLanes& lanes() const { return lanes_; }
  [[nodiscard]] const AdaptiveRouting& routing() const { return routing_; }
  /// Highest lane that packets may travel on, and one.
  [[nodiscard]] std::uint32_t lanes_needed() const { return lanes_needed_; }

 private:
  [[nodiscard]] std::span<const std::uint16_t> group(std::size_t index) const {
    return std::span(group_places_)
        .subspan(group_begin_[index], group_begin_[index + 1] - group_begin_[index]);
  }
  [[nodiscard]] std::uint32_t highest_lane(const Ports& ports) const;

  Network network_;
  AdaptiveRouting routing_;
  AdaptiveLanes lanes_;  // of routing_
  bool committed_;
  std::uint32_t lanes_needed_ = 1;
  std::vector<std::uint32_t> first_channel_;     // by router: number of its first channel
  std::vector<std::uint16_t> place_of_channel_;  // output among its router's
  std::vector<std::size_t> first_group_;         // by plane and router
  std::vector<std::size_t> group_begin_;         // by group, and one more
  std::vector<std::uint16_t> group_places_;
};

}  // namespace unknot::simulate
