// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/network/network_change.hpp"

namespace unknot::watch {

/// What is not the same in two discoveries of one fabric. Routers are the same by GUID, terminals by port
/// GUID, cables by the routers and ports at both ends. Ids named `before` are of the old network, `after` of
/// the new one; a cable is named by the one of its channels that has the smaller id.
struct FabricDifference {
  NetworkChange change;  ///< with MovedTerminals::as_new

  std::vector<RouterId> routers_gone;  ///< before
  std::vector<RouterId> routers_come;  ///< after
  std::vector<TerminalId> terminals_gone;
  std::vector<TerminalId> terminals_come;
  std::vector<NetworkChange::Move> terminals_moved;  ///< another router, port or LID

  struct Cable {
    ChannelId before, after;
  };
  /// Between routers that both networks have: the others went or came with their router.
  std::vector<ChannelId> cables_gone;
  std::vector<ChannelId> cables_come;
  std::vector<Cable> cables_moved;  ///< one end is where it was, the other is not
  /// Two directions before and one now, or one before and two now; named by the direction that both have.
  std::vector<Cable> cables_one_way, cables_both_ways;
  // Rates that both networks know, and that differ.
  std::vector<Cable> cables_slower, cables_faster;
  std::vector<NetworkChange::Move> terminals_slower, terminals_faster;
  // The same GUID under another name.
  std::vector<NetworkChange::Move> terminals_renamed;
  struct Router {
    RouterId before, after;
  };
  std::vector<Router> routers_renamed;

  [[nodiscard]] bool none() const;
};

/// O(networks log networks). InputError as compare_networks().
FabricDifference fabric_difference(const Network& before, const Network& after);

}  // namespace unknot::watch
