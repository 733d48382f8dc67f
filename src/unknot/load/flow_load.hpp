// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/traffic/patterns/pattern.hpp"

namespace unknot {

/// Weight of the flows whose path takes each channel.
struct FlowLoad {
  std::vector<double> load;      ///< by channel
  std::uint64_t unroutable = 0;  ///< flows that are not delivered; they load no channel
};
/// Walks every flow. O(flows * hops).
FlowLoad flow_load(const Network& network, const Routing& routing, std::span<const Flow> flows);

/// Appends the channels that the flow takes; false, with `path` as it was, where it has no path. Lanes are
/// not looked at. O(hops).
bool append_path(const Network& network, const Routing& routing, TerminalId source, TerminalId destination,
                 std::vector<ChannelId>& path);

/// The same, and false where its lanes do not carry it, either. `may_drop`: lanes_may_drop() of the routing,
/// asked once for many flows.
bool append_delivered(const Network& network, const Routing& routing, bool may_drop, TerminalId source,
                      TerminalId destination, std::vector<ChannelId>& path);

}  // namespace unknot
