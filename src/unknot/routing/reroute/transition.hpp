// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/reroute/reroute.hpp"
#include "unknot/tables/transition_step.hpp"

namespace unknot {

struct Transition {
  std::vector<TransitionStep> steps;
  std::uint64_t drained = 0;  ///< (row, destination) paths that are withdrawn for a time
  /// Those of them that still deliver before. After failures there are hardly any: what changes was cut.
  std::uint64_t drained_alive = 0;
  /// What is in force (before_reroute()), with service levels where the steps change some.
  Routing before;
};

/// Checks the steps one after the other (verify_plan()): the index of the first that may not be made, because
/// packets could deadlock; the number of steps where all may.
using PlanCheck = std::function<std::size_t(const Routing& before, std::span<const TransitionStep> steps)>;

/// The way from what is in force to the new routing in as few steps as it finds:
///   * all at once;
///   * else what packets take, then the entries that none takes;
///   * else entry after entry along the new paths, those next to the destination first, then the levels;
///   * else the second or the third way with waits: before a step that packets of earlier ones would make
///     unsafe, the lifetime of a packet is waited for (TransitionStep::wait);
///   * else, as a last resort, the changing paths are withdrawn and drained, the entries made, and the paths
///     sent on again: with routings that are deadlock-free by themselves that is always safe.
/// Every plan is put to `check`, and only one of which it approves is returned. Throws RoutingFailure where
/// there is none, as where the old tables can deadlock on the network as it is now.
Transition plan_transition(const Network& network, const Rerouted& rerouted, const PlanCheck& check);

}  // namespace unknot
