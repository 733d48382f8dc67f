// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/support/progress.hpp"

/// Single runs of the simulator, described by values that can be written down: a campaign is a list of them.
namespace unknot {

/// What is simulated.
struct SimulatedPoint {
  std::string network = {};  ///< spec of the topology catalogue
  /// Spec of the engine catalogue, whose tables or source routes are taken; "": `choice` says the routing.
  std::string engine = {};
  simulate::AdaptiveChoice choice = {};
  /// A traffic pattern at a load, or, where `load` is 0, a workload.
  std::string traffic = {};
  double load = 0;
  std::uint32_t order = 0;            ///< workloads: 0 as given, else that random order of the terminals
  std::string preset = "paper-sc15";  ///< settings, and what is changed of them ("key=value")
  std::vector<std::string> assignments = {};
  std::uint64_t seed = 1;
};

/// What a run gave. Times are in nanoseconds.
struct PointResult {
  double offered = 0, accepted = 0;  ///< flits a cycle and terminal; of steady traffic
  double latency = 0;                ///< mean, from the creation of a packet to the arrival of its tail
  double half_width = 0;             ///< of its 95 % confidence interval; negative: not known
  double p99 = 0;                    ///< of the latency
  double hops = 0;                   ///< routers passed, mean
  double indirect = 0;               ///< share of the packets that took an intermediate router
  double completion = 0;             ///< of workloads
  double effective = 0;              ///< effective throughput of workloads
  bool steady = false;               ///< see simulate::SteadyReport
  bool deadlocked = false;
  bool complete = true;  ///< workloads: everything has arrived
  double flit_hops = 0;  ///< movements of flits through routers: the work done
  bool operator==(const PointResult&) const = default;

  /// Calls visit(name, value) for every part as it stands in a file of finished points.
  template <class Result, class Visit>
  static void each_part(Result& result, Visit visit) {
    visit("offered", result.offered);
    visit("accepted", result.accepted);
    visit("latency_ns", result.latency);
    visit("half_width_ns", result.half_width);
    visit("p99_ns", result.p99);
    visit("hops", result.hops);
    visit("indirect", result.indirect);
    visit("completion_ns", result.completion);
    visit("effective", result.effective);
    visit("steady", result.steady);
    visit("deadlocked", result.deadlocked);
    visit("complete", result.complete);
    visit("flit_hops", result.flit_hops);
  }
};

/// All that the result follows from, in one line: points with equal keys have equal results. Settings stand
/// in it as a hash. InputError as simulate_point().
std::string point_key(const SimulatedPoint& point);

/// Runs it, on one thread. InputError for specs and settings that are wrong, Interrupted when the user wants
/// to stop.
PointResult simulate_point(const SimulatedPoint& point, const Progress& progress);

}  // namespace unknot
