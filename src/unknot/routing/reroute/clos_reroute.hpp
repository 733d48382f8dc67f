// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/live/live_clos.hpp"
#include "unknot/routing/reroute/reroute.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// reroute() by LiveClos, for tables on one lane as engine clos makes them: one change of a fabric after the
/// other. Paths go up, then down, so that no change ever needs a lane or a detour.
///
/// Exact: the tables that the engine makes of the new network (in one part), whatever was in force. Sticky:
/// what is in force stays where it leads to its destination by a path that goes up, then down, the shortest
/// such way from each router; tables of any engine can be followed so.
///
/// Where the network after is that of the change before less some routers and channels, or has some back,
/// only what follows from it is looked at, in milliseconds; LiveClos has its numbers. Other hosts, or cables
/// plugged in elsewhere, take O(clos).
class ClosReroute {
 public:
  /// `options` without roots.
  explicit ClosReroute(LiveOptions options) : options_(std::move(options)) {}

  /// From `old`, tables in force on `before`, to the network `after`; hosts may have moved. `roots` as
  /// Guidance::roots. As reroute()
  /// gives it: `entries` is all that differs from what is in force; of these, `entries_minimum` have led
  /// nowhere. Throws RoutingFailure where the tables have several lanes or LIDs of a host, and as the engine
  /// does.
  Rerouted reroute(const Network& before, const Routing& old, const Network& after,
                   const std::vector<std::uint64_t>& roots, Progress& progress);

  /// What the last reroute() gave is not in force, or no longer: the next one starts from its arguments.
  void forget();

 private:
  void find_roots(const Network& before, const Network& after, const std::vector<std::uint64_t>& roots);
  bool follow(const Network& after, Progress& progress);
  void start(const Network& before, const Routing& old, const Network& after, const ForwardingTable& carried,
             Progress& progress);

  LiveOptions options_;
  std::unique_ptr<const Network> whole_;  // all that was ever there
  std::unique_ptr<LiveClos> live_;        // of it; null: nothing to go on from
};

}  // namespace unknot
