// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// The part of one destination's forwarding tree that a change of the network touches: routers whose entry
/// must change, and all behind them.
struct CutTree {
  static constexpr std::uint32_t kNoHops = 0xFFFFFFFFU;
  struct Router {
    std::uint32_t router;
    std::uint32_t entry;       ///< as ForwardingTable::get()
    std::uint32_t hops = 0;    ///< longest the new path may be where shortest paths allow it; 0: the shortest
    bool must_change = false;  ///< the entry cannot stay
  };
  TerminalId destination;
  std::vector<Router> routers;  ///< those that must change first, each other after the one it sends to
};

/// Finds the routers behind some roots. Scratch space that is used again.
class CutTreeFinder {
 public:
  CutTreeFinder(const Network& network, const ForwardingTable& table)
      : network_(&network), table_(&table), seen_(network.router_count(), 0) {}

  /// `roots`: routers whose entry for the destination must change, each once. O(sum of in-degrees).
  CutTree find(TerminalId destination, std::span<const RouterId> roots);

 private:
  const Network* network_;
  const ForwardingTable* table_;
  std::vector<std::uint32_t> seen_;  // by router: number of the last search that came there
  std::uint32_t search_ = 0;
};

}  // namespace unknot
