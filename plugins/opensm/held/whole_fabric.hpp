// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "fabric.hpp"
#include "unknot/network/live/live_network.hpp"
#include "unknot/network/network.hpp"

namespace unknot::opensm {

/// The fabric of one sweep as a network, for whoever holds it, and its parts by GUID, by which a later sweep
/// is compared: OpenSM's order, and so its indices, change with every switch.
///
/// A host is a port of an adapter. One that is away is no change, as its entries stay: what has no LID gets
/// no row. Cables count where both ends see each other; a switch that is cabled to itself has none there.
/// Aggregation nodes are no hosts.
struct WholeFabric {
  Network network;  ///< to be moved from
  std::unordered_map<std::uint64_t, RouterId> router_of_guid;
  std::unordered_map<std::uint64_t, TerminalId> host_of_guid;  ///< by port GUID

  /// Throws Misfit where it is no network. O(ports log ports).
  static WholeFabric of(const unknot_fabric& fabric);
};

/// A later sweep, by the numbers of the whole.
struct LaterSweep {
  std::vector<RouterId> router_of_switch;        ///< by switch of the sweep
  LiveChange change;                             ///< since the network was as `live`
  std::size_t dead_cables = 0, back_cables = 0;  ///< of the change
  /// Why it is not the whole less some parts, one sentence; empty where it is.
  std::string other;
};

/// `live` is of the whole's network. O(ports).
LaterSweep compare(const WholeFabric& whole, const LiveNetwork& live, const unknot_fabric& fabric);

/// Whether both ends see the cable at that port of a switch, and it leads to another one.
bool is_cable(const unknot_fabric& fabric, std::uint32_t s, std::size_t port);

}  // namespace unknot::opensm
