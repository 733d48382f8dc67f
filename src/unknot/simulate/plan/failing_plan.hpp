// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/faults.hpp"
#include "unknot/network/network.hpp"
#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot::simulate {

/// Forwarding tables on a network of which parts fail and come back while packets travel. Routers keep the
/// entries they have been given, and lose packets whose entry leads into a dead channel. A dead router has no
/// entries: what its terminals send is lost there.
class FailingPlan {
 public:
  /// `routing` is in force at first, everything works. Packets keep to `lanes` lanes by service level.
  /// InputError as plan_changing().
  FailingPlan(const Network& network, const Routing& routing, std::uint32_t lanes);

  /// What the core is given. A packet for the terminal after the last one is one that is lost: no router has
  /// an entry.
  [[nodiscard]] const RoutePlan& plan() const { return plan_; }

  /// The parts fail. InputError for terminals, and for a part that does not work. O(routers affected *
  /// terminals).
  void fail(const Faults& parts);
  /// They work again. InputError for terminals, and for a part that works.
  void repair(const Faults& parts);
  /// Other tables are in force, of the whole network, and levels for packets that are sent from now on. A
  /// pair without a level keeps the one it has. O(routers * terminals).
  void take(const Routing& routing);

  /// Channels that do not work, those of dead routers among them, ascending.
  [[nodiscard]] std::vector<ChannelId> dead_channels() const;
  [[nodiscard]] bool works(ChannelId channel) const;
  /// What has failed.
  [[nodiscard]] Faults faults() const;

 private:
  void set(const Faults& parts, bool failed);
  void refresh(RouterId router);

  RoutePlan plan_;
  ForwardingTable in_force_;
  std::vector<bool> failed_channels_, failed_routers_;
};

}  // namespace unknot::simulate
