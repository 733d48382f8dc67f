// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "unknot/network/faults.hpp"
#include "unknot/simulate/core/recorder.hpp"
#include "unknot/simulate/deadlock_watch.hpp"
#include "unknot/simulate/plan/failing_plan.hpp"
#include "unknot/simulate/settings/settings.hpp"
#include "unknot/simulate/sources/injection.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/traffic/patterns/pattern.hpp"

/// Steady traffic while parts of the network fail, come back, and tables follow.
namespace unknot::simulate {

/// What happens at the beginning of a cycle.
struct FailureEvent {
  enum class Kind : std::uint8_t { fail, repair, tables };
  std::uint64_t at = 0;  ///< cycle
  Kind kind = Kind::fail;
  Faults parts;                           ///< fail, repair
  std::shared_ptr<const Routing> tables;  ///< of the whole network
  std::string what;                       ///< for people
  std::string place = {};                 ///< file and line that it is of, for refusals
};

/// Packets that were created in some cycles: each is delivered, lost or, where the run did not complete,
/// neither.
struct FailureInterval {
  std::uint64_t begins = 0;  ///< cycle
  std::uint64_t created = 0, delivered = 0, lost = 0;
  std::uint64_t late = 0;  ///< delivered, and slower than all that were created before the first event
  // Of those delivered, cycles from creation to the tail's arrival.
  double latency_mean = 0, latency_p99 = 0, latency_max = 0;
};

struct FailureReport {
  /// From the end of the warm-up to the first event, then from event to event, those of one cycle as one.
  std::vector<FailureInterval> phases;
  std::vector<FailureInterval> intervals;  ///< the same time in pieces of equal length, at most 100
  std::uint64_t warm_up = 0;               ///< cycles left out at the beginning
  std::uint64_t ends = 0;                  ///< cycle in which the last packets were created
  std::uint64_t cycles = 0;                ///< simulated
  DeadlockCycle deadlock;                  ///< empty: none
  std::uint64_t undelivered = 0;  ///< packets that were neither delivered nor lost when the run was given up
  [[nodiscard]] bool complete() const { return deadlock.empty() && undelivered == 0; }
};

/// Steady traffic at a load for `warmup` and `measure` cycles of the settings (warmup 0: half of the time to
/// the first event), then on until what is in the network has left it, or after `drain` cycles (0: ten times
/// those before). Events are in order of time, and come before the end.
///
/// A packet that has been given a channel, and whose tail has not come to its other end, is lost when that
/// fails; so are those at a router that fails, and those whose entry leads into what is dead. They leave the
/// network by the next router, in the buffers and with the credits that they have. Other packets go on, by
/// the tables that are in force where they come to the front: old ones, until an event says otherwise.
/// `plan` is left as it is in the end. `deliveries` (optional) gets those of all packets. InputError as
/// make_engine(), for output-queued routers, and as FailingPlan says.
FailureReport play_failures(FailingPlan& plan, const Settings& settings, const TrafficPattern& pattern,
                            double load, const Injection& injection, std::span<const FailureEvent> events,
                            Progress& progress, std::vector<Recorder::Delivery>* deliveries = nullptr,
                            PacketWatch* watch = nullptr);

}  // namespace unknot::simulate
