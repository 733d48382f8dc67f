// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "unknot/simulate/core/recorder.hpp"
#include "unknot/simulate/deadlock_watch.hpp"
#include "unknot/simulate/messages/message_report.hpp"
#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/simulate/settings/link_times.hpp"
#include "unknot/simulate/settings/settings.hpp"
#include "unknot/simulate/sources/injection.hpp"
#include "unknot/simulate/sources/packet_list.hpp"
#include "unknot/simulate/sources/task_times.hpp"
#include "unknot/simulate/statistics/energy.hpp"
#include "unknot/simulate/statistics/flow_results.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/traffic/patterns/pattern.hpp"
#include "unknot/traffic/workloads/workload.hpp"
#include "unknot/verify/messages/message_verdict.hpp"

/// Whole runs of the simulator, from the first packet to the verdict. Each is a function of its arguments
/// alone: the same seed gives the same bytes, and runs share nothing but what they only read.
namespace unknot::simulate {

/// Latencies from the first to the last of a bin, in steps.
struct LatencyBin {
  std::uint64_t from = 0, to = 0, packets = 0;
};

/// What every run says. Latencies are in cycles, from the creation of a packet to the arrival of its tail.
struct RunReport {
  std::uint64_t cycles = 0;     ///< simulated
  std::uint64_t flit_hops = 0;  ///< movements of flits through routers
  std::uint64_t packets = 0;    ///< that latency is of
  double latency_mean = 0;
  double latency_half_width = std::numeric_limits<double>::infinity();  ///< of the 95 % confidence interval
  bool interval_believable = false;                                     ///< batches pass as independent
  double latency_p50 = 0, latency_p95 = 0, latency_p99 = 0, latency_max = 0;
  double queueing_mean = 0;   ///< part of the latency before the head leaves its terminal
  double network_mean = 0;    ///< the rest
  double hops_mean = 0;       ///< routers passed
  double indirect_share = 0;  ///< packets that took an intermediate router
  double utilisation_mean = 0, utilisation_max = 0;  ///< of the channels between routers, while measuring
  std::vector<float> utilisation;                    ///< by channel: part of the time that it sent
  DeadlockCycle deadlock;                            ///< empty: none
  std::vector<MessageWait> message_deadlock;         ///< of plans with messages; empty: none
  [[nodiscard]] bool locked() const { return !deadlock.empty() || !message_deadlock.empty(); }
  std::optional<ThrottleCounts> throttle;  ///< where terminals are held back; of the time of measuring
  std::optional<EnergyUse> energy;         ///< where asked for, and something was simulated
  std::vector<FlowResult> flows = {};      ///< where asked for
  std::vector<LatencyBin> histogram = {};  ///< where asked for, of the measured packets
  /// Packets were left when the run was given up, or nothing moved any more.
  bool undelivered = false;
};

/// What runs may be asked for beside that.
struct RunOptions {
  Injection injection = {};  ///< steady traffic
  bool flows = false;        ///< RunReport::flows, for which each packet is kept: 24 bytes
  bool histogram = false;    ///< RunReport::histogram
  std::optional<EnergyTable> energy = {};
  bool tasks = false;            ///< WorkloadReport::tasks
  PacketWatch* watch = nullptr;  ///< of one run
  std::uint32_t threads = 1;     ///< of one run, at most; 0 is 1. What comes out does not depend on it
};

struct SteadyReport : RunReport {
  double load = 0;      ///< flits a cycle that the busiest terminal was to offer
  double offered = 0;   ///< the same, mean of all terminals
  double created = 0;   ///< what terminals did offer while measuring, mean of all
  double accepted = 0;  ///< flits a cycle that arrived, mean of all terminals
  // Packets for multicast groups are no part of any other number but flit_hops and utilisations.
  std::uint64_t to_groups = 0;  ///< packets sent to multicast groups since the beginning
  std::uint64_t copies = 0;     ///< of these, that arrived
  /// By class, of plans with messages. There `offered`, `created` and `accepted` are of the classes that
  /// begin; latencies above are of the packets of all.
  std::vector<ClassReport> classes = {};
  std::uint64_t warm_up = 0;   ///< cycles left out
  bool warm_up_found = false;  ///< the end of the warm-up lies well before; true where it was given
  /// By steady_state(), and every measured packet has arrived, without a deadlock.
  bool steady = false;
  std::string verdict;  ///< on the steady state, one sentence
  /// The network accepts less than 95 % of what is created while measuring, by more than chance
  /// (falls_behind()), or it is deadlocked.
  bool saturated = false;
};

struct WorkloadReport : RunReport {
  std::uint64_t messages = 0, bytes = 0;
  double completion_cycles = 0;  ///< until the last flit arrived
  double completion_ns = 0;
  /// bytes / (completion time * terminals * bandwidth of a terminal)
  double effective_throughput = 0;
  bool complete = false;
  std::vector<TaskTimes> tasks = {};  ///< of a task graph, where asked for
};

/// Steady traffic at one load, in [0, 1]: warm-up, measuring, then until the measured packets have arrived.
/// Of a plan with messages the traffic is what hosts begin, and they answer (MessageHosts). InputError for a
/// load out of range, as make_traffic() and as make_engine().
SteadyReport run_steady(const RoutePlan& plan, const Settings& settings, const TrafficPattern& pattern,
                        double load, const Progress& progress, const RunOptions& options = {});

/// A finite exchange, until everything has arrived.
WorkloadReport run_workload(const RoutePlan& plan, const Settings& settings, const Workload& workload,
                            const Progress& progress, const RunOptions& options = {});

/// Packets given one by one, until all have arrived; `deliveries` gets one entry a packet where it is not
/// null.
RunReport run_packets(const RoutePlan& plan, const Settings& settings, std::vector<ListedPacket> packets,
                      std::vector<Recorder::Delivery>* deliveries, const Progress& progress,
                      const RunOptions& options = {});

/// Flits and credits: none is lost, none doubled. Looked at in builds for development, as runs go on; a
/// std::logic_error otherwise.
void check_laws(const Engine& engine);

/// What `saturated` means, to print beside it.
std::string saturation_definition();

}  // namespace unknot::simulate
