// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// Routes to the switches themselves, which management software reads counters from: a subnet manager's
/// tables have a row for every switch's LID, and routings between terminals say nothing of them.
///
/// A switch with terminals is reached by the tree of one of them: a path to that terminal goes through the
/// switch, so no new turn appears. A switch without terminals gets a tree of its own, grown from the switch
/// backwards: first along turns that paths between terminals make already, then, for routers that no such
/// turn leads from, along shortest ways.
///
/// These routes are no part of the proof of deadlock freedom. Those of the first kind add no dependency
/// between channels that is not there on some lane, but may travel on another lane (level 0); the shortest
/// ways may add dependencies. Management packets on lane 15 do not compete for buffers with data; counters
/// are read on data lanes, seldom and in small packets.
///
/// Time O(routers * terminals + switches without terminals * channels); memory a table of routers * switches
/// without terminals.
class ManagementRoutes {
 public:
  ManagementRoutes(const Network& network, const ForwardingTable& table);

  /// How a packet for switch `to` leaves `at`: a position among out(at), or ForwardingTable::kHere, kNone or
  /// kStray.
  [[nodiscard]] std::uint32_t next(RouterId at, RouterId to) const {
    if (at == to) return ForwardingTable::kHere;
    const Target& target = target_[to.value];
    if (target.terminal.valid()) return table_.get(at, target.terminal);
    return position_[static_cast<std::size_t>(target.tree) * router_count_ + at.value];
  }

 private:
  struct Target {
    TerminalId terminal;     // whose tree leads to the switch; invalid: a tree of its own
    std::uint32_t tree = 0;  // index of that
  };
  const ForwardingTable& table_;
  std::uint32_t router_count_;
  std::vector<Target> target_;           // by router
  std::vector<std::uint32_t> position_;  // tree * routers + router
};

}  // namespace unknot
