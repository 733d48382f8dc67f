// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/reroute.hpp"

namespace unknot {

/// Changes that may be made at the same time, router by router and source by source in any order; the next
/// step begins when all of them are in force.
struct TransitionStep {
  std::string what;  ///< for people: "new entries and levels"
  std::vector<EntryChange> entries;
  std::vector<LevelChange> levels;  ///< to ServiceLevels::kMissing: the path is withdrawn, nothing is sent
};

struct Transition {
  std::vector<TransitionStep> steps;
  std::uint64_t drained = 0;  ///< (row, destination) paths that are withdrawn for a time
  /// Those of them that still deliver before. After failures there are hardly any: what changes was cut.
  std::uint64_t drained_alive = 0;
  /// The old routing, with service levels where the steps change some.
  Routing before;
};

/// Whether a step may be made: no mixture of both routings may deadlock (verify_transition()).
using StepCheck = std::function<bool(const Routing& before, const Routing& after)>;

/// The way from the old routing, carried over, to the new one in as few steps as it finds:
///   * all at once;
///   * else what packets take, then the entries that none takes;
///   * else entry after entry along the new paths, those next to the destination first, then the levels;
///   * else, as a last resort, the changing paths are withdrawn and drained, the entries made, and the paths
///     sent on again: with routings that are free of deadlock by themselves that is always safe.
/// Every step is put to `safe`, and only a way of which it approves of every step is returned. Throws
/// RoutingFailure where there is none, as with old tables that can deadlock themselves.
Transition plan_transition(const Network& network, const Rerouted& rerouted, const StepCheck& safe);

/// The routing after a step.
void apply_step(const TransitionStep& step, Routing& routing);

}  // namespace unknot
