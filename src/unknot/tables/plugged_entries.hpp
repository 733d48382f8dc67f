// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/network/network_change.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

struct PluggedEntry {
  RouterId router;
  TerminalId destination;
  std::uint32_t entry;       ///< as ForwardingTable::get()
  std::uint16_t stray_port;  ///< as ForwardingTable::stray_port()
};
struct PluggedLevel {
  std::uint32_t row;
  TerminalId destination;
  std::uint8_t level;
};

/// Where what the switches do differs from kept_entries(): the entries in force, of the new network.
struct PluggedDifferences {
  std::vector<PluggedEntry> entries;  ///< by destination, then by router
  std::vector<PluggedLevel> levels;   ///< by destination; rows as in kept.service_levels
};

/// By terminal of the new network, the terminal of the old one that had its LID; NetworkChange::kGone where
/// none had it. Where LIDs are not stated on both sides it is the same terminal. O(terminals log terminals).
std::vector<std::uint32_t> holders_before(const Network& before, const Network& after,
                                          const NetworkChange& change);

/// `kept` is kept_entries() of `old`. See carry_over() for what an entry does. O(channels + terminals), and
/// the rows of routers where something else is plugged in or that have stray entries, and the columns of
/// terminals with another LID.
PluggedDifferences plugged_differences(const Network& before, const Routing& old, const Network& after,
                                       const NetworkChange& change, const Routing& kept);

}  // namespace unknot
