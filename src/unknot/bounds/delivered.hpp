// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "unknot/network/network.hpp"
#include "unknot/oblivious/oblivious_load.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/traffic/patterns/pattern.hpp"

/// What of a pattern arrives at all, where a routing leaves pairs of terminals without a path.
namespace unknot {

/// Gets each destination once, with an entry for each terminal: whether what it sends there arrives. The
/// entry of the destination itself says nothing.
using ArrivalVisitor = std::function<void(TerminalId destination, std::span<const std::uint8_t> arrives)>;
/// Calls `visit` for each destination, in order.
using Arrivals = std::function<void(const ArrivalVisitor& visit)>;

/// Of tables or source routes, and their lanes (lanes_carry()); with several addresses (Routing::further) of
/// all of them. Both must outlive the result. O(terminals *
/// (routers + terminals)) a call, O(terminals^2 * hops) for source routes and where lanes_may_drop().
Arrivals arrivals(const Network& network, const Routing& routing);
/// Of shortest paths or Valiant's routing, where terminals of one router always reach each other. The network
/// must outlive the result. O(terminals * (channels + terminals)) a call.
Arrivals arrivals(const Network& network, ObliviousPaths paths);

/// Ordered pairs of different terminals that have no path.
std::uint64_t lost_pairs(const Network& network, const Arrivals& arrivals);

/// The flows of a sample that have a path, in the units of Exchange.
struct DeliveredPart {
  std::uint64_t lost_flows = 0;
  double total = 0;          ///< all weights that arrive
  double peak_ejection = 0;  ///< of the terminal that receives most of them
};
/// Patterns whose mean is uniform are that mean, as exchange_of() has them.
DeliveredPart delivered_part(const Network& network, const TrafficPattern& pattern, std::uint64_t seed,
                             std::uint32_t sample, const Arrivals& arrivals);

}  // namespace unknot
