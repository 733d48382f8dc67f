// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/traffic/patterns/pattern.hpp"

namespace unknot {

/// Weight of the flows whose paths take each channel. Where terminals have several addresses
/// (Routing::further), each flow is split evenly over them.
struct FlowLoad {
  std::vector<double> load;      ///< by channel
  std::uint64_t unroutable = 0;  ///< flows that an address does not deliver; they load no channel
};
/// Walks every flow. O(flows * addresses * hops).
FlowLoad flow_load(const Network& network, const Routing& routing, std::span<const Flow> flows);

/// Appends the channels that the flow to the lowest address takes; false, with `path` as it was, where it has
/// no path. Lanes are not looked at. O(hops).
bool append_path(const Network& network, const Routing& routing, TerminalId source, TerminalId destination,
                 std::vector<ChannelId>& path);

/// The same, and false where its lanes do not carry it, either. `may_drop`: lanes_may_drop() of the routing,
/// asked once for many flows.
bool append_delivered(const Network& network, const Routing& routing, bool may_drop, TerminalId source,
                      TerminalId destination, std::vector<ChannelId>& path);

/// The paths of pairs of terminals, to each address of the destination one.
class DeliveredPaths {
 public:
  /// Both must outlive this.
  DeliveredPaths(const Network& network, const Routing& routing);

  [[nodiscard]] std::uint32_t addresses() const { return static_cast<std::uint32_t>(ranks_.size()); }
  /// Any of the tables may drop what it leads on.
  [[nodiscard]] bool may_drop() const {
    return std::any_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return rank.may_drop; });
  }
  /// Appends the channels of all paths, address after address, and to `ends` (optional) where in `path` each
  /// one ends; false, with both as they were, where an address is not delivered to. O(addresses * hops).
  bool append(TerminalId source, TerminalId destination, std::vector<ChannelId>& path,
              std::vector<std::size_t>* ends = nullptr) const;

 private:
  struct Rank {
    const Routing* tables;
    bool may_drop;
  };
  const Network& network_;
  std::vector<Rank> ranks_;
};

}  // namespace unknot
