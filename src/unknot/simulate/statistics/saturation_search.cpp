// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/statistics/saturation_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "unknot/support/error.hpp"

namespace unknot::simulate {
namespace {

/// Simulated points by multiple of the tolerance.
class Points {
 public:
  Points(const std::function<PointSummary(double)>& run, const SaturationOptions& options, Progress& progress)
      : run_(run),
        last_(static_cast<std::uint32_t>(std::floor(1 / options.tolerance + 1e-9))),
        options_(options),
        progress_(progress) {
    progress_.begin("saturation", 0);
  }
  const PointSummary& at(std::uint32_t index) {
    const auto found = points_.find(index);
    if (found != points_.end()) return found->second;
    if (progress_.interrupted()) throw Interrupted();
    const PointSummary summary = run_(load(index));
    progress_.update(points_.size() + 1);
    return points_.emplace(index, summary).first->second;
  }
  /// Load of a multiple; the last one is 1 even where the tolerance does not divide it.
  [[nodiscard]] double load(std::uint32_t index) const {
    return index == last_ ? 1 : options_.multiple(index);
  }
  [[nodiscard]] std::uint32_t last() const { return last_; }
  [[nodiscard]] std::uint32_t index(double load) const {
    return std::clamp(static_cast<std::uint32_t>(std::lround(load / options_.tolerance)), 1U, last_);
  }
  [[nodiscard]] const std::map<std::uint32_t, PointSummary>& all() const { return points_; }

 private:
  const std::function<PointSummary(double)>& run_;
  std::uint32_t last_;
  const SaturationOptions& options_;
  Progress& progress_;
  std::map<std::uint32_t, PointSummary> points_;
};

using Holds = std::function<bool(double load, const PointSummary&)>;

/// The largest multiple up to which `holds` was seen to hold; 0: it does not hold at `first`.
std::uint32_t climb(Points& points, std::uint32_t first, std::uint32_t step, const Holds& holds) {
  const auto good = [&](std::uint32_t index) { return holds(points.load(index), points.at(index)); };
  if (!good(first)) return 0;
  std::uint32_t low = first;
  std::uint32_t high = first;
  while (low != points.last()) {
    // Steps are multiples of themselves, so that definitions share points whatever the first one is.
    high = std::min(points.last(), (low / step + 1) * step);
    if (!good(high)) break;
    low = high;
  }
  if (low == points.last()) return low;
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    (good(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

void check(const SaturationOptions& o) {
  const auto refuse = [](const char* what, double value, const char* expected) {
    throw InputError(
        fmt::format("the {} of the saturation search is {}, expected {}", what, value, expected));
  };
  if (!(o.latency_factor > 1 && o.latency_factor <= 1e6))
    refuse("latency factor", o.latency_factor, "more than 1");
  if (!(o.shortfall > 0 && o.shortfall < 1)) refuse("shortfall", o.shortfall, "a number between 0 and 1");
  if (!(o.tolerance >= 1e-4 && o.tolerance <= 0.1))
    refuse("tolerance", o.tolerance, "a number from 0.0001 to 0.1");
  if (!(o.zero_load > 0 && o.zero_load <= 0.5))
    refuse("zero load", o.zero_load, "a load above 0 and at most 0.5");
  if (!(o.step > 0 && o.step <= 1)) refuse("step", o.step, "a load above 0 and at most 1");
}

SaturationReport find_saturation(const std::function<PointSummary(double load)>& run,
                                 const SaturationOptions& options, Progress& progress) {
  check(options);
  Points points(run, options, progress);
  const std::uint32_t first = points.index(options.zero_load);
  const std::uint32_t step = points.index(options.step);
  SaturationReport report;
  report.zero_load_latency = points.at(first).latency_mean;
  const double most_latency = options.latency_factor * report.zero_load_latency;
  const Holds latency = [&](double, const PointSummary& p) {
    return p.stable && p.latency_mean <= most_latency;
  };
  const Holds throughput = [&](double load, const PointSummary& p) {
    return p.stable && p.accepted >= (1 - options.shortfall) * load;
  };
  const std::uint32_t at_latency = climb(points, first, step, latency);
  const std::uint32_t at_throughput = climb(points, first, step, throughput);
  const PointSummary& full = points.at(points.last());

  const auto answer = [&](const char* name, std::string definition, std::uint32_t index, const Holds& holds) {
    Saturation saturation{name, std::move(definition), index == 0 ? 0 : points.load(index),
                          index != points.last(), false};
    for (auto p = points.all().upper_bound(index); p != points.all().end(); ++p)
      saturation.holds_again = saturation.holds_again || holds(points.load(p->first), p->second);
    return saturation;
  };
  report.latency =
      answer("latency",
             fmt::format("largest load up to which the mean latency is at most {:g} times the zero-load "
                         "latency (measured at load {:g}), to {:g}",
                         options.latency_factor, points.load(first), options.tolerance),
             at_latency, latency);
  report.throughput =
      answer("throughput",
             fmt::format(
                 "largest load up to which the accepted load is at least {:g} % of the offered load, to {:g}",
                 100 * (1 - options.shortfall), options.tolerance),
             at_throughput, throughput);
  report.plateau = {"plateau", "accepted load at offered load 1", full.accepted, !throughput(1, full), false};
  for (const auto& [index, summary] : points.all()) report.points.push_back({points.load(index), summary});
  return report;
}

}  // namespace unknot::simulate
