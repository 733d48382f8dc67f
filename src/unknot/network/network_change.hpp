// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// Which parts of two networks are the same things: what a failure took away, what a repair brought back, and
/// the numbers that what stayed has in both.
///
/// Routers are the same by GUID, terminals by port GUID, channels by their routers and the port at each end.
/// Numbers of what stayed must be in the same order in both (with_faults() sees to that, and so does reading
/// two discoveries of one fabric of which one lacks some parts), else tables could not be carried over in
/// stretches.
struct NetworkChange {
  static constexpr std::uint32_t kGone = 0xFFFFFFFFU;
  // Numbers in the other network; kGone for what it does not have.
  std::vector<std::uint32_t> router_to_old, terminal_to_old, channel_to_old;  ///< by number in the new one
  std::vector<std::uint32_t> router_to_new, terminal_to_new, channel_to_new;  ///< by number in the old one
  /// Channels that the old network has not.
  std::vector<ChannelId> added_channels;
  std::uint32_t removed_channels = 0;
  std::uint32_t added_routers = 0, removed_routers = 0;
  std::uint32_t added_terminals = 0, removed_terminals = 0;
  /// The same terminal at another place or address: MovedTerminals::as_new only. They count as removed and as
  /// added besides, and have no number in the other network.
  struct Move {
    TerminalId before, after;
  };
  std::vector<Move> moved_terminals;

  [[nodiscard]] bool none() const {
    return added_channels.empty() && removed_channels == 0 && added_routers == 0 && removed_routers == 0 &&
           added_terminals == 0 && removed_terminals == 0;
  }
};

/// What a terminal is that hangs on another router than before.
enum class MovedTerminals : std::uint8_t {
  refuse,  ///< InputError: neither a failure nor a repair
  as_new,  ///< gone and come; so is one at another port of its router, or (where both are known) with another
           ///< LID
};

/// O(networks), or O(networks log networks) where numbers differ. Throws InputError where a GUID is there
/// twice.
NetworkChange compare_networks(const Network& before, const Network& after,
                               MovedTerminals moved = MovedTerminals::refuse);

}  // namespace unknot
