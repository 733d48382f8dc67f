// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/load_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "unknot/simulate/parallel_points.hpp"
#include "unknot/simulate/statistics/batch_statistics.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot::simulate {
namespace {

constexpr double kConfidence = 0.95;
/// Cycles in which there are as many intervals as a verdict needs (falls_behind()).
constexpr std::uint64_t kLeastMeasured = 100;

void widen(Spread& spread, double value, bool first) {
  spread.low = first ? value : std::min(spread.low, value);
  spread.high = first ? value : std::max(spread.high, value);
}

/// Half-width of the interval of a mean over independent runs.
double half_width(const std::vector<double>& values, double mean) {
  if (values.size() < 2) return std::numeric_limits<double>::infinity();
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const auto count = static_cast<double>(values.size());
  return student_t(0.5 + kConfidence / 2, static_cast<std::uint32_t>(values.size()) - 1) *
         std::sqrt(squares / (count - 1) / count);
}

/// Keeps the runs of find_saturation() and those made ahead of it. Loads are multiples of a tolerance of at
/// least 1e-4, so that a name in units of 1e-9 tells them apart.
class Cache {
 public:
  Cache(const LoadJob& job, Progress& progress) : job_(job), progress_(progress) {}

  const LoadPoint& at(double load) {
    const auto found = points_.find(name(load));
    if (found != points_.end()) return found->second;
    Quiet quiet(progress_);
    std::vector<LoadPoint> made = run_loads(job_, {load}, quiet);
    return points_.emplace(name(load), std::move(made.front())).first->second;
  }
  void fill(const std::vector<double>& loads) {
    std::vector<LoadPoint> made = run_loads(job_, loads, progress_);
    for (LoadPoint& point : made) points_.emplace(name(point.load), std::move(point));
  }

 private:
  /// The search shows how far it is; the runs within it only ask whether to go on.
  class Quiet final : public Progress {
   public:
    explicit Quiet(const Progress& outer) : outer_(outer) {}
    [[nodiscard]] bool interrupted() const override { return outer_.interrupted(); }

   private:
    const Progress& outer_;
  };
  static std::int64_t name(double load) { return std::llround(load * 1e9); }

  const LoadJob& job_;
  Progress& progress_;
  std::map<std::int64_t, LoadPoint> points_;
};

/// Loads that the climb of a search may come to.
std::vector<double> coarse_loads(const SaturationOptions& options) {
  const auto multiple = [&](double load) {
    return std::max<std::int64_t>(1, std::llround(load / options.tolerance));
  };
  const auto at = [&](std::int64_t index) { return options.multiple(static_cast<std::uint64_t>(index)); };
  std::vector<double> loads{at(multiple(options.zero_load))};
  for (std::int64_t i = multiple(options.step); at(i) < 1 - 1e-9; i += multiple(options.step)) {
    if (at(i) > loads.front() + 1e-9) loads.push_back(at(i));
  }
  loads.push_back(1);
  return loads;
}

/// What a search compares, of all runs of a point.
PointSummary summary_of(const LoadJob& job, const SaturationOptions& options, const LoadPoint& point) {
  const PointMeans seen = means(point);
  const double load = point.load;
  // Nothing to compare with, and 0 would be less than every latency.
  if (seen.packets == 0 && seen.all_arrived && load <= options.zero_load + options.tolerance) {
    throw InputError(fmt::format(
        "no packet is created in {} cycles of measuring at load {:g}, where the zero-load latency "
        "is measured; measure for longer",
        job.settings.measure, load));
  }
  PointSummary summary;
  summary.latency_mean = seen.all_arrived ? seen.latency_mean : std::numeric_limits<double>::infinity();
  summary.accepted = seen.created > 0 ? seen.accepted * load / seen.created : load;
  // Saturated runs are not waited for; without a zero-load latency there is nothing to compare with.
  const bool compared = seen.all_arrived || load > options.zero_load + options.tolerance;
  summary.stable = !seen.deadlock && !seen.lost && compared;
  return summary;
}

std::vector<SaturationSpread> spreads_over_seeds(const LoadJob& job, const SaturationOptions& options,
                                                 Cache& cache, Progress& progress) {
  std::array<std::vector<double>, 3> loads;  // of the three definitions
  for (std::uint32_t seed = 0; seed < job.seeds; ++seed) {
    const SaturationReport own = find_saturation(
        [&](double load) {
          return summary_of(job, options, {load, {cache.at(load).runs[seed]}});
        },
        options, progress);
    loads[0].push_back(own.latency.load);
    loads[1].push_back(own.throughput.load);
    loads[2].push_back(own.plateau.load);
  }
  std::vector<SaturationSpread> spreads;
  spreads.reserve(loads.size());
  for (const std::vector<double>& own : loads) {
    SaturationSpread spread;
    spread.mean = std::accumulate(own.begin(), own.end(), 0.0) / static_cast<double>(own.size());
    spread.half_width = half_width(own, spread.mean);
    spread.loads = {*std::min_element(own.begin(), own.end()), *std::max_element(own.begin(), own.end())};
    spreads.push_back(spread);
  }
  return spreads;
}

std::uint32_t threads_of(const LoadJob& job) {
  return job.threads > 0 ? job.threads : hardware_threads();
}

}  // namespace

const char* name_of(PointState state) {
  switch (state) {
    case PointState::deadlock:
      return "deadlock";
    case PointState::undelivered:
      return "undelivered";
    case PointState::idle:
      return "idle";
    case PointState::saturated:
      return "saturated";
    case PointState::steady:
      return "steady";
    case PointState::not_steady:
      break;
  }
  return "not steady";
}

PointState PointMeans::state() const {
  if (deadlock) return PointState::deadlock;
  if (lost) return PointState::undelivered;
  if (offered == 0) return PointState::idle;
  if (saturated) return PointState::saturated;
  return steady ? PointState::steady : PointState::not_steady;
}

PointMeans means(const LoadPoint& point) {
  PointMeans all;
  all.load = point.load;
  std::vector<double> latencies;
  std::size_t saturated = 0;
  const auto share = 1.0 / static_cast<double>(point.runs.size());
  for (const SteadyReport& run : point.runs) {
    widen(all.accepted_spread, run.accepted, &run == &point.runs.front());
    all.offered += run.offered * share;
    all.created += run.created * share;
    all.accepted += run.accepted * share;
    all.utilisation_mean += run.utilisation_mean * share;
    all.utilisation_max += run.utilisation_max * share;
    all.warm_up = std::max(all.warm_up, run.warm_up);
    all.packets += run.packets;
    all.cycles += run.cycles;
    all.flit_hops += run.flit_hops;
    if (run.throttle) (all.throttle ? *all.throttle : all.throttle.emplace()) += *run.throttle;
    if (run.energy) (all.energy ? *all.energy : all.energy.emplace()) += *run.energy;
    all.warm_up_found = all.warm_up_found && run.warm_up_found;
    all.steady = all.steady && run.steady;
    saturated += run.saturated ? 1 : 0;
    all.lost = all.lost || (run.undelivered && !run.saturated);
    all.deadlock = all.deadlock || run.locked();
    all.all_arrived = all.all_arrived && !run.undelivered;
    if (run.packets == 0) continue;
    widen(all.latency_spread, run.latency_mean, latencies.empty());
    latencies.push_back(run.latency_mean);
  }
  all.saturated = 2 * saturated >= point.runs.size();
  if (latencies.empty()) return all;
  all.has_latencies = all.all_arrived;
  const auto weight = 1.0 / static_cast<double>(latencies.size());
  for (const SteadyReport& run : point.runs) {
    if (run.packets == 0) continue;
    all.latency_mean += run.latency_mean * weight;
    all.latency_p50 += run.latency_p50 * weight;
    all.latency_p95 += run.latency_p95 * weight;
    all.latency_p99 += run.latency_p99 * weight;
    all.latency_max = std::max(all.latency_max, run.latency_max);
    all.queueing_mean += run.queueing_mean * weight;
    all.network_mean += run.network_mean * weight;
    all.hops_mean += run.hops_mean * weight;
    all.indirect_share += run.indirect_share * weight;
  }
  if (point.runs.size() == 1) {
    all.latency_half_width = point.runs.front().latency_half_width;
    all.interval_believable = point.runs.front().interval_believable;
  } else {
    all.latency_half_width = half_width(latencies, all.latency_mean);
    all.interval_believable = latencies.size() >= 2;
  }
  return all;
}

std::vector<float> mean_utilisation(const LoadPoint& point) {
  std::vector<float> mean;
  for (const SteadyReport& run : point.runs) {
    mean.resize(std::max(mean.size(), run.utilisation.size()), 0);
    for (std::size_t c = 0; c < run.utilisation.size(); ++c)
      mean[c] += run.utilisation[c] / static_cast<float>(point.runs.size());
  }
  return mean;
}

std::vector<LoadPoint> run_loads(const LoadJob& job, const std::vector<double>& loads, Progress& progress) {
  const auto count = static_cast<std::uint32_t>(loads.size());
  // The highest loads take longest: they begin first.
  std::vector<std::uint32_t> order(count);
  for (std::uint32_t i = 0; i < count; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return loads[a] > loads[b]; });
  RunOptions of_run = job.options;
  of_run.threads = threads_of_each(count * job.seeds, job.threads);
  std::vector<SteadyReport> runs = parallel_points(
      count * job.seeds, job.threads, "simulating", progress, [&](std::uint32_t index, Progress& inner) {
        Settings settings = job.settings;
        settings.seed += index % job.seeds;
        return run_steady(job.plan, settings, job.pattern, loads[order[index / job.seeds]], inner, of_run);
      });
  std::vector<LoadPoint> points(count);
  for (std::uint32_t index = 0; index < runs.size(); ++index) {
    LoadPoint& point = points[order[index / job.seeds]];
    point.load = loads[order[index / job.seeds]];
    point.runs.push_back(std::move(runs[index]));
  }
  return points;
}

void check_measured(const Settings& settings) {
  if (settings.measure < kLeastMeasured) {
    throw InputError(fmt::format("measure is {}: in less than {} cycles no load can be told from saturation",
                                 settings.measure, kLeastMeasured));
  }
}

SaturationRun run_saturation(const LoadJob& job, const SaturationOptions& options, Progress& progress) {
  check(options);
  check_measured(job.settings);
  Cache cache(job, progress);
  if (threads_of(job) > job.seeds) cache.fill(coarse_loads(options));
  SaturationRun result;
  result.report = find_saturation([&](double load) { return summary_of(job, options, cache.at(load)); },
                                  options, progress);
  for (const SaturationPoint& point : result.report.points) result.points.push_back(cache.at(point.load));
  if (job.seeds > 1) result.spreads = spreads_over_seeds(job, options, cache, progress);
  return result;
}

}  // namespace unknot::simulate
