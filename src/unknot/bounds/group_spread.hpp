// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "unknot/bounds/delivered.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/adaptive/adaptive_routing.hpp"
#include "unknot/traffic/patterns/pattern.hpp"

namespace unknot {

/// Packets of an adaptive routing that take at each router any of the channels they may, each with the same
/// chance, drawn anew: what switches do that see no queues, and a hash does in the mean. Packets of a pair
/// have each of the levels that they may with the same chance, and are adaptive where both kinds are. Scratch
/// space for any number of pairs; network and routing must outlive it.
class GroupSpread {
 public:
  /// InputError for routings with several private tables.
  GroupSpread(const Network& network, const AdaptiveRouting& routing);

  /// Packets to a terminal have the same chances whichever terminal of their router sent them.
  [[nodiscard]] bool by_router() const { return by_router_; }

  /// Calls visit(channel, chance) for each channel that packets between terminals of two routers may take,
  /// in ascending order. False where they may be lost. InputError where they may come to a router twice.
  /// O(routers, lanes and ports that they may come to, and their channels).
  template <class Visit>
  bool run(TerminalId source, TerminalId destination, const Visit& visit) {
    const bool arrive = spread(source, destination);
    std::sort(touched_.begin(), touched_.end());
    for (const ChannelId c : touched_) visit(c, std::exchange(chance_[c.value], 0));
    touched_.clear();
    return arrive;
  }

 private:
  struct State {
    std::uint64_t key;  // router, lane, port: merged where they are the same
    double chance;
  };
  bool spread(TerminalId source, TerminalId destination);
  /// `chance`: of the level. Returns the part of it that arrives.
  double spread_level(std::uint8_t level, double chance, TerminalId source, TerminalId destination);
  [[nodiscard]] State state(RouterId r, std::uint8_t lane, std::uint16_t in_port, double chance) const;

  const Network& network_;
  const AdaptiveRouting& routing_;
  const AdaptivePlane& plane_;
  AdaptiveLanes lanes_;
  bool by_router_;
  std::vector<double> chance_;      // by channel; 0 between calls
  std::vector<ChannelId> touched_;  // whose chance is not 0
  std::vector<State> here_, next_;
};

/// What flows put on each channel where their packets are spread so.
struct GroupLoad {
  std::vector<double> load;  ///< by channel
  DeliveredPart delivered;   ///< the flows that arrive whatever their packets choose; others load no channel
};
/// InputError as GroupSpread.
GroupLoad group_load(const Network& network, const AdaptiveRouting& routing, std::span<const Flow> flows,
                     Progress& progress);

}  // namespace unknot
