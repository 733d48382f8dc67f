// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/network/network.hpp"
#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/adaptive/adaptive_routing.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot::simulate {

/// What the independent checkers say of the lanes that a plan keeps packets to. The core allows a packet no
/// lane but those, and stops with an error where a routing asks for another.
struct LaneProof {
  bool deadlock_free = false;
  std::uint64_t unroutable_pairs = 0;  ///< pairs of terminals without a path or lane: their packets cannot go
  std::string statement;               ///< what is proven, or not, one sentence without a full stop
  std::string witness;                 ///< lines about a cycle of dependencies; empty: there is none
};

/// Tables and source routes: verify() on their lanes. A packet that may take any lane is proven with all
/// lanes as one: where the channels alone have no cycle of dependencies, no choice of lanes has one, and
/// where they have, nothing is proven. Time as verify().
LaneProof prove_lanes(const Network& network, const Routing& routing, bool any_lane, std::uint32_t threads,
                      Progress& progress);

/// An adaptive routing: verify_adaptive(). `committed`: as plan_adaptive().
LaneProof prove_lanes(const Network& network, const AdaptiveRouting& routing, bool committed,
                      std::uint32_t threads, Progress& progress);

/// Paths on a lane scheme: verify_oblivious(). UGAL takes minimal paths and those of Valiant's routing; a
/// minimal path is the first phase of one of Valiant's, on the same lanes, so the proof for Valiant's is one
/// for both. With Ugal::progressive the hops before are on lanes of their own, each on a later one than that
/// before it and all before those of Valiant's: nothing waits for a lane before its own.
LaneProof prove_lanes(const Network& network, const AdaptiveChoice& choice, std::uint32_t threads,
                      Progress& progress);

}  // namespace unknot::simulate
