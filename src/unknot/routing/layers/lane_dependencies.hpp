// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/lanes/online_order.hpp"
#include "unknot/network/dependency_slots.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// The channel dependencies of existing tables, lane by lane, to which single paths can be added as long as
/// no lane gets a cycle (incremental cycle detection by search).
///
/// Tables with service levels are walked once, O(routers * terminals). Without (all paths on lane 0) nothing
/// is walked: which dependencies the entries of a channel make is looked up when asked, by comparing the rows
/// of two routers, and remembered, so that a small change of large tables costs little. What no packet takes
/// does not count in either way, but is only told apart where it matters.
///
/// The routing must not change while this lives. Levels must be below kLanes or ServiceLevels::kMissing, and
/// the tables free of loops. Throws RoutingFailure where the walk finds that they can deadlock already.
class LaneDependencies {
 public:
  static constexpr std::uint32_t kLanes = 16;

  LaneDependencies(const Network& network, const Routing& routing);

  /// Whether some destination's entries lead from one channel into the other, on some lane.
  [[nodiscard]] bool follows(ChannelId from, ChannelId to) {
    const std::uint64_t slot = slot_of(from, to);
    return used_[slot] != 0 || entries_lead(from, slot);
  }
  /// True where packets on `lane` surely hold `from` and wait for `to`, a channel out of the router `from`
  /// enters. False says nothing.
  [[nodiscard]] bool surely_uses(std::uint32_t lane, ChannelId from, ChannelId to) {
    const std::uint64_t slot = slot_of(from, to);
    if ((used_[slot] >> lane & 1U) != 0) return true;
    return lane == 0 && entries_lead(from, slot) && sends(network_->source(from));
  }
  /// Adds the dependencies of a path, first channel first. False, and nothing added, where that would close a
  /// cycle on the lane.
  bool add_path(std::uint32_t lane, std::span<const ChannelId> path);

  /// A point to which undo() returns, by the number of additions so far.
  [[nodiscard]] std::size_t mark() const { return added_.size(); }
  void undo(std::size_t mark);

 private:
  struct Addition {
    ChannelId from, to;
    std::uint32_t lane;
  };
  /// The dependencies of one lane again, as positions among the channels out of a channel's target and into
  /// its source: few of them are in use on each of many lanes. Empty where a router has more than 64 of
  /// either.
  struct LaneIndex {
    std::vector<std::uint64_t> next, before;  // by channel
  };
  /// A dependency that a lane refused, when this many had been added: refused until some of them are undone.
  struct Refusal {
    std::uint64_t slot;
    std::uint32_t lane;
    std::size_t mark;
  };
  [[nodiscard]] std::uint64_t slot_of(ChannelId from, ChannelId to) const {
    return slots_.slot(from.value, to.value - network_->out(network_->target(from)).first());
  }
  [[nodiscard]] bool entries_lead(ChannelId from, std::uint64_t slot) {
    if (!lazy_) return false;
    if (expanded_[from.value] == 0) expand(from);
    return leads_[slot] != 0;
  }
  [[nodiscard]] bool sends(RouterId r) const { return !network_->terminals_at(r).empty(); }
  void expand(ChannelId from);
  template <class Entry>
  void expand_rows(ChannelId from);
  void order_lanes();
  /// Calls visit(channel) for the channels that packets on `lane` wait for from `c` (or wait for `c` from),
  /// until it returns false.
  template <class Visit>
  void for_each_next(std::uint32_t lane, std::uint32_t c, const Visit& visit) const;
  template <class Visit>
  void for_each_before(std::uint32_t lane, std::uint32_t c, const Visit& visit) const;
  void index_lane(std::uint32_t lane);
  void set_use(ChannelId from, ChannelId to, std::uint32_t lane, bool used);
  bool allows(std::uint32_t lane, ChannelId from, ChannelId to);
  bool allows_in_order(std::uint32_t lane, ChannelId from, ChannelId to);
  bool uses(ChannelId from, ChannelId to);
  bool reaches(ChannelId from, ChannelId to, bool packets_only);
  [[nodiscard]] bool packets_take(ChannelId from, ChannelId to);
  [[nodiscard]] bool packets_reach(RouterId router, TerminalId destination, std::uint32_t steps) const;

  const Network* network_;
  const Routing* routing_;
  DependencySlots slots_;
  bool lazy_;
  std::vector<std::uint16_t> used_;     // by slot: lanes
  std::vector<OnlineOrder> order_;      // by lane; not for lane 0 where lazy
  std::vector<LaneIndex> index_;        // by lane
  std::vector<std::uint8_t> place_in_;  // by channel: position among those into its target
  bool narrow_ = true;                  // no router has more than 64 channels out or in
  // Only where lazy:
  std::vector<std::uint8_t> expanded_;  // by channel: leads_ is known
  std::vector<std::uint8_t> leads_;     // by slot: some entries lead there; 2: no packet takes them
  std::vector<std::uint16_t> refused_;  // by slot: lanes
  std::vector<Addition> added_;
  std::vector<Refusal> refusals_;
  std::vector<std::uint32_t> matches_;
  std::vector<std::uint32_t> seen_;  // by channel: number of the last search that came there
  std::uint32_t search_ = 0;
  std::vector<ChannelId> stack_;
};

}  // namespace unknot
