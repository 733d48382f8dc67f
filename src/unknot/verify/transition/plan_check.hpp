// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/tables/transition_step.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {

/// One step of a plan, with what earlier ones have left behind.
struct StepVerdict {
  /// Where packets can deadlock: a shortest cycle, each channel waiting for the next. Empty: they cannot.
  std::vector<LaneChannel> cycle;
  [[nodiscard]] bool deadlock_free() const { return cycle.empty(); }
};

/// What the checker finds of each step of a plan.
struct PlanVerdict {
  std::vector<StepVerdict> steps;
  [[nodiscard]] bool deadlock_free() const { return first_unsafe() == steps.size(); }
  /// Index of the first step that can deadlock; their number where none can.
  [[nodiscard]] std::size_t first_unsafe() const;
};

/// Checks the steps of a transition, one after the other from `before` on. During a step each router forwards
/// by its old or its new entry and each source sends with its old or its new level, in any combination, as in
/// verify_transition(). Packets that an earlier step has sent may still be on the way: they go on from where
/// that step can have left them, the cable of their host included, by the entries that are in force now, and
/// still hold what they hold. So the dependencies of all steps since the last that waits
/// (TransitionStep::wait) count together, and those of packets that change over from one step's entries to a
/// later one's.
///
/// The plan begins a packet's lifetime after the fabric itself has changed. What the changes say they replace
/// is not looked at. Lanes that carry no data (Routing::data_lanes) hold no packets. InputError as
/// verify_transition(). O(routers * terminals), and O(routers) for each step and destination that the plan
/// changes; O(dependencies) for each step. The same verdict at any number of threads. Shares no code with any
/// engine, nor with the planner.
PlanVerdict verify_plan(const Network& network, const Routing& before, std::span<const TransitionStep> steps,
                        std::uint32_t threads, Progress& progress);

}  // namespace unknot
