// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/simulate/record/throttle_counts.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/simulate/settings/settings.hpp"
#include "unknot/simulate/statistics/energy.hpp"
#include "unknot/simulate/statistics/saturation_search.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/traffic/patterns/pattern.hpp"

/// Steady traffic at several loads with several seeds, on all threads.
namespace unknot::simulate {

/// What is simulated at every load. All but the numbers must outlive the runs.
struct LoadJob {
  const RoutePlan& plan;
  const Settings& settings;  ///< their seed is that of the first run, the others take those after it
  const TrafficPattern& pattern;
  std::uint32_t seeds = 1;    ///< independent runs of each load, at least 1
  std::uint32_t threads = 0;  ///< 0: all
  RunOptions options = {};
};

/// One load, a run for each seed.
struct LoadPoint {
  double load = 0;
  std::vector<SteadyReport> runs;
};

/// What a point is called, the worst first that holds.
enum class PointState : std::uint8_t { deadlock, undelivered, idle, saturated, steady, not_steady };
/// "deadlock", "undelivered", "idle", "saturated", "steady" or "not steady".
const char* name_of(PointState state);

/// Smallest and largest value over the seeds.
struct Spread {
  double low = 0, high = 0;
};

/// A point as one: means over its seeds, the maximum of maxima. Of one seed, what its run says.
struct PointMeans {
  double load = 0, offered = 0, created = 0, accepted = 0;
  /// There are measured packets, and all of them arrived. False: nothing below is of any meaning up to
  /// indirect_share, since the packets that arrive first are those that wait least.
  bool has_latencies = false;
  double latency_mean = 0;
  /// Of the 95 % interval: by batch means of one run, by Student's t over independent runs of several seeds.
  double latency_half_width = 0;
  bool interval_believable = false;
  double latency_p50 = 0, latency_p95 = 0, latency_p99 = 0, latency_max = 0;
  double queueing_mean = 0, network_mean = 0, hops_mean = 0, indirect_share = 0;
  double utilisation_mean = 0, utilisation_max = 0;
  Spread accepted_spread, latency_spread;
  std::uint64_t warm_up = 0;                 ///< the longest, cycles
  std::uint64_t packets = 0;                 ///< measured, all seeds together
  std::uint64_t cycles = 0, flit_hops = 0;   ///< simulated, all seeds together
  std::optional<ThrottleCounts> throttle;    ///< all seeds together; nothing: none is held back
  std::optional<EnergyUse> energy;           ///< all seeds together; nothing: it is not counted
  bool warm_up_found = true, steady = true;  ///< in every run
  bool saturated = false;                    ///< in at least half of the runs
  bool deadlock = false;                     ///< in at least one run
  bool lost = false;                         ///< unsaturated runs, too, left measured packets behind
  bool all_arrived = true;                   ///< the measured packets of every run

  [[nodiscard]] PointState state() const;
  /// Packets never arrived in a network that keeps up, or wait for each other: the answer of a run is no.
  [[nodiscard]] bool failed() const { return deadlock || lost; }
};
PointMeans means(const LoadPoint& point);
/// By channel: mean of the point's runs.
std::vector<float> mean_utilisation(const LoadPoint& point);

/// Simulates each load with each seed, in parallel; results in the order of `loads`, the same bytes at any
/// number of threads. Throws as run_steady().
std::vector<LoadPoint> run_loads(const LoadJob& job, const std::vector<double>& loads, Progress& progress);

/// What the seeds say by themselves: the search done for each of them alone.
struct SaturationSpread {
  double mean = 0;
  double half_width = 0;  ///< of the 95 % interval of the mean, by Student's t
  Spread loads;           ///< the least and the greatest
};

struct SaturationRun {
  SaturationReport report;
  std::vector<LoadPoint> points;  ///< those of the report, by load
  /// Of report.latency, report.throughput and report.plateau; empty with one seed.
  std::vector<SaturationSpread> spreads;
};
/// InputError where so few cycles are measured that no load can be told from saturation, less than 100.
void check_measured(const Settings& settings);
/// find_saturation() on runs. Loads are those of the terminal that offers most; an accepted load is the load
/// times what part of the created flits is accepted, so that neither idle terminals nor the chance of a short
/// run make a network look saturated. A run that leaves measured packets behind has no mean latency, and
/// fails the definitions. Several threads simulate loads of the climb ahead of time; the answer does not
/// depend on it. With several seeds the search of each comes after, on the same points and those that it
/// needs more. InputError as check_measured(), and where no packet is at the zero load.
SaturationRun run_saturation(const LoadJob& job, const SaturationOptions& options, Progress& progress);

}  // namespace unknot::simulate
