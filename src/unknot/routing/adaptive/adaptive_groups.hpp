// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "unknot/network/network.hpp"
#include "unknot/routing/up_down/up_down_order.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/adaptive/adaptive_routing.hpp"
#include "unknot/tables/routing.hpp"

// Groups of ports for adaptive switches. The fixed channel of an entry is that of `fixed`, where there is
// such a table and the group has it; else the members of the group take turns over the terminals of a router.
namespace unknot {

/// All first channels of shortest paths. Delivers; on a network with cycles of shortest paths it can
/// deadlock. O(routers with terminals * channels + routers * terminals).
AdaptiveRouting shortest_groups(const Network& network, const ForwardingTable* fixed, std::uint32_t threads,
                                Progress& progress);

/// Up*/Down* groups: a router that reaches the destination by going down alone takes all channels of shortest
/// such ways; the others take all channels up from which the way is shortest. No packet goes down and then
/// up, so that one lane is enough. Routers that reach a destination neither way have no entry for it. On a
/// fat tree these are all shortest paths. Complexity as above.
AdaptiveRouting up_down_groups(const Network& network, const UpDownOrder& order, const ForwardingTable* fixed,
                               std::uint32_t threads, Progress& progress);

/// Groups around tables that are free of deadlock, which stay the escape: a packet may always take the
/// channel of the tables, and besides any that brings it nearer to its destination (in hops of the tables),
/// as long as all dependencies of packets that go on by the tables stay without a cycle on each lane [Duato
/// 1996]. `number` is a certificate of the tables (by lane and channel, growing along each dependency): the
/// order to begin with. Channels are added destination by destination as they fit [Pearce, Kelly 2006]; with
/// more than 2^27 possible dependencies on all lanes the order stays as it is. Lanes stay those of the
/// tables. The tables must deliver every pair, their lanes be levels. InputError otherwise. O(routers *
/// terminals * degree * lanes) and the changes of the orders.
AdaptiveRouting escape_groups(const Network& network, const Routing& tables,
                              std::span<const std::uint32_t> number, Progress& progress);

/// Which of these an engine's tables get: up_down for updn, ftree and clos (by heights above the terminals,
/// or below the most central router), escape for others that promise freedom from deadlock, shortest for the
/// rest.
enum class GroupRule : std::uint8_t { shortest, up_down, escape };
GroupRule group_rule(std::string_view engine, bool promises_deadlock_freedom);

/// The order that up_down_groups() is given for tables of such an engine: one that leaves no pair out.
UpDownOrder group_order(const Network& network);

}  // namespace unknot
