// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/deadlock/dependency_slots.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// The channel dependencies of existing tables, lane by lane, to which single paths can be added as long as
/// no lane gets a cycle (incremental cycle detection by search).
///
/// Tables with service levels are walked once, O(routers * terminals). Without (all paths on lane 0) nothing
/// is walked: whether a dependency is in use is looked up when asked, by comparing the two rows of the table,
/// and remembered, so that a small change of large tables costs little. Both tell the same.
///
/// The routing must not change while this lives. Levels must be below kLanes or ServiceLevels::kMissing, and
/// the tables free of loops.
class LaneDependencies {
 public:
  static constexpr std::uint32_t kLanes = 16;

  LaneDependencies(const Network& network, const Routing& routing);

  /// Whether packets on `lane` hold `from` and wait for `to`, a channel out of the router `from` enters.
  [[nodiscard]] bool uses(std::uint32_t lane, ChannelId from, ChannelId to) {
    const std::uint64_t slot = slot_of(from, to);
    if ((used_[slot] >> lane & 1U) != 0) return true;
    return lane == 0 && lazy_ && known_[slot] == 0 && look_up(from, to, slot);
  }
  /// The same on some lane.
  [[nodiscard]] bool uses_on_any_lane(ChannelId from, ChannelId to) {
    return used_[slot_of(from, to)] != 0 || uses(0, from, to);
  }
  /// Adds the dependencies of a path, first channel first. False, and nothing added, where that would close a
  /// cycle on the lane.
  bool add_path(std::uint32_t lane, std::span<const ChannelId> path);

  /// A point to which undo() returns, by the number of additions so far.
  [[nodiscard]] std::size_t mark() const { return added_.size(); }
  void undo(std::size_t mark);

 private:
  struct Addition {
    std::uint64_t slot;
    std::uint32_t lane;
  };
  [[nodiscard]] std::uint64_t slot_of(ChannelId from, ChannelId to) const {
    return slots_.slot(from.value, to.value - network_->out(network_->target(from)).first());
  }
  void walk();
  bool look_up(ChannelId from, ChannelId to, std::uint64_t slot);
  template <class Entry>
  [[nodiscard]] bool rows_match(ChannelId from, ChannelId to);
  [[nodiscard]] bool packets_reach(RouterId router, TerminalId destination, std::uint32_t steps) const;
  bool reaches(std::uint32_t lane, ChannelId from, ChannelId to);

  const Network* network_;
  const Routing* routing_;
  DependencySlots slots_;
  bool lazy_;
  std::vector<std::uint16_t> used_;  // by slot: lanes
  std::vector<std::uint8_t> known_;  // by slot: looked up; only where lazy
  std::vector<Addition> added_;
  std::vector<std::uint32_t> matches_;
  std::vector<std::uint32_t> seen_;  // by channel: number of the last search that came there
  std::uint32_t search_ = 0;
  std::vector<ChannelId> stack_;
};

}  // namespace unknot
