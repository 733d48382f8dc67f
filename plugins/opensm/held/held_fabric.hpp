// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fabric.hpp"
#include "held/held_rows.hpp"
#include "held/switch_ways.hpp"
#include "held/whole_fabric.hpp"
#include "plan.hpp"
#include "unknot/live/live_fabric.hpp"
#include "unknot/support/progress.hpp"

namespace unknot::opensm {

/// Option live: the fabric, its tables and their proof, held from sweep to sweep. The first sweep makes
/// tables (engine clos, which is for trees); each later one is compared with what is held, what has died or
/// come back is one event, and only what follows from it is routed, proven and written (LiveFabric). A fabric
/// that is more than the first one, or cabled otherwise, is made anew.
///
/// Packets of hosts are proven by LiveProof. Those to switches take the entries to a host of theirs, or ways
/// of their own (SwitchWays); multicast takes one tree (common_tree()); both in the order of that proof.
class HeldFabric {
 public:
  /// One sweep. Returns a plan without rows, which row() has. Throws Misfit, with one sentence, where a host
  /// has several LIDs, and where there are no tables that are proven: the next sweep tries again.
  unknot_plan follow(const unknot_fabric& fabric);
  /// By LID, of a switch of the last sweep that went well.
  [[nodiscard]] std::span<const std::uint8_t> row(std::uint32_t s) const {
    return rows_.row(router_of_switch_[s]);
  }
  /// What is held; null before the first sweep and after one that failed for good.
  [[nodiscard]] const LiveFabric* live() const { return live_.get(); }

 private:
  void make(const unknot_fabric& fabric, const std::string& how);
  void follow_change(LaterSweep later);
  void take_order(std::span<const ChannelId> back);
  void write_rows(const unknot_fabric& fabric);
  [[nodiscard]] std::vector<LidOwner> owners(const unknot_fabric& fabric) const;
  [[nodiscard]] unknot_plan plan() const;

  Progress quiet_;
  WholeFabric whole_;  // its network has gone into the live fabric
  std::unique_ptr<LiveFabric> live_;
  std::optional<SwitchWays> ways_;
  HeldRows rows_;
  std::vector<RouterId> router_of_switch_;  // by switch of the sweep
  std::vector<EntryChange> entries_;        // that the rows do not have yet
  std::vector<RouterId> moved_;             // switches the ways to which the rows do not have yet
  MulticastTrees tree_;
  RouterId root_;        // of it
  bool behind_ = false;  // there were no tables for the last event
  std::string said_;     // of the sweep, for the log
};

}  // namespace unknot::opensm
