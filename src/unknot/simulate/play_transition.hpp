// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/simulate/deadlock_watch.hpp"
#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/simulate/settings/settings.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/transition_step.hpp"
#include "unknot/traffic/patterns/pattern.hpp"

/// Steps from old tables to new ones, made while every terminal sends as fast as the network lets it.
namespace unknot::simulate {

/// What happened from one moment of a transition to the next: before its first step, or in one of its steps.
struct TransitionPhase {
  std::uint64_t begins = 0;   ///< cycle
  std::uint64_t waited = 0;   ///< cycles of them, for packets of earlier tables (TransitionStep::wait)
  std::uint64_t arrived = 0;  ///< packets
  std::uint64_t lost = 0;     ///< packets: a router had no entry for them
};

struct TransitionReport {
  /// The first is before the steps, with the old tables; then one for each step that was begun.
  std::vector<TransitionPhase> phases;
  std::uint64_t cycles = 0;
  DeadlockCycle deadlock;  ///< in the last phase; empty: none
  /// Without a deadlock: packets that travel on and on, those that a step waits for or, after the last one,
  /// those that are left when nobody sends any more.
  std::uint32_t travelling = 0;
  /// Packets that were sent when all steps were in force, and lost.
  std::uint64_t lost_in_the_end = 0;
  [[nodiscard]] bool complete() const { return deadlock.empty() && travelling == 0; }
};

/// Lanes that the levels of `before` and of all steps take.
std::uint32_t lanes_of(const Routing& before, std::span<const TransitionStep> steps);

/// Plays the steps. `plan` is plan_changing() of what is in force before them, and is left with what is in
/// force at the end. Each terminal always has a packet to send, to a destination of the pattern that it has a
/// level for: buffers are full wherever they can be. After `step_cycles` cycles with the old tables each step
/// takes as many: each of its changes comes into force at a cycle of its own, drawn by the seed of the
/// settings. A step that waits begins once every packet has left that was sent before all of the step before
/// was in force, and others go on meanwhile. After the last step the traffic goes on for as long as a step
/// takes; then nobody sends any more, and what is in the network has to leave it.
///
/// A packet keeps the output that it has been given at the router where it waits; at the next router the
/// entry counts that is in force when it comes to the front. Where that is none the router takes the packet
/// out of the network, and it is lost. The circle of a deadlock ends the play, as do packets that have not
/// left after `drain` cycles of the settings (0: ten times those before and `measure` together). InputError
/// as make_engine().
TransitionReport play_transition(RoutePlan& plan, const Settings& settings, const TrafficPattern& pattern,
                                 std::span<const TransitionStep> steps, std::uint64_t step_cycles,
                                 Progress& progress);

}  // namespace unknot::simulate
