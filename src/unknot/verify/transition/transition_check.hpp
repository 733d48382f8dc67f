// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {

/// Whether tables may be replaced by others router by router, in any order, while packets travel.
struct TransitionVerdict {
  bool deadlock_free = false;
  std::uint64_t dependencies = 0;  ///< of all mixtures together
  /// Where not: a shortest cycle, each channel waiting for the next.
  std::vector<LaneChannel> cycle;
};

/// Checks one step of a transition: at every moment of it each router forwards by its old or its new entry,
/// and each source sends with its old or its new service level, in any combination. Takes all dependencies
/// that some combination can make: for each destination every path through the union of both tables, on the
/// lanes of both levels of its source. No cycle means that no packet can wait in a circle during the step,
/// and that none can travel in one (a forwarding loop would be such a cycle).
///
/// A level that is ServiceLevels::kMissing means that the source does not send; a step that withdraws a path
/// so still has its old packets, the next one not: whoever carries the steps out waits between them as long
/// as a packet can live. Lanes are the levels themselves (below 16); where only one of both declares a lane,
/// a port may have it already, or still. Packets on a lane that neither has hold nothing. Shares no code with
/// any engine. InputError when sizes are not those of the network, for lane maps and for levels above 15.
/// O(routers * terminals) for tables that hardly differ. The same verdict at any number of threads.
TransitionVerdict verify_transition(const Network& network, const Routing& before, const Routing& after,
                                    std::uint32_t threads, Progress& progress);

}  // namespace unknot
