// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/statistics/steady_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "unknot/simulate/statistics/batch_statistics.hpp"

namespace unknot::simulate {
namespace {

constexpr std::size_t kFewestIntervals = 10;

}  // namespace

Trend trend_of(std::span<const double> sums, std::span<const double> counts, double confidence) {
  Trend trend;
  if (sums.size() < kFewestIntervals) return trend;
  const MeanEstimate estimate = batch_means(sums, counts);
  const Batches batches = batches_of(sums, counts, estimate.batch_length);
  // Batches without values say nothing.
  std::vector<double> x;
  std::vector<double> y;
  for (std::size_t b = 0; b < batches.sums.size(); ++b) {
    if (batches.counts[b] <= 0) continue;
    x.push_back(static_cast<double>(b));
    y.push_back(batches.sums[b] / batches.counts[b]);
  }
  const auto n = static_cast<double>(x.size());
  if (x.size() < 3 || estimate.mean == 0) return trend;
  double x_mean = 0;
  double y_mean = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x_mean += x[i] / n;
    y_mean += y[i] / n;
  }
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - x_mean) * (x[i] - x_mean);
    xy += (x[i] - x_mean) * (y[i] - y_mean);
    yy += (y[i] - y_mean) * (y[i] - y_mean);
  }
  const double slope = xy / xx;
  // Rounding noise around a constant is no change.
  if (yy <= 1e-24 * n * y_mean * y_mean) return trend;
  const double rest = std::max(yy - slope * xy, 1e-12 * yy);
  trend.change = slope * static_cast<double>(batches.sums.size()) / std::abs(estimate.mean);
  trend.t = slope / std::sqrt(rest / (n - 2) / xx);
  trend.significant =
      std::abs(trend.t) > student_t(0.5 + confidence / 2, static_cast<std::uint32_t>(x.size() - 2));
  return trend;
}

double shortfall_of(const Observations& seen) {
  return seen.created_flits > 0 ? 1 - seen.delivered_flits / seen.created_flits : 0;
}

bool falls_behind(const Observations& seen, double shortfall) {
  if (seen.in_flight.size() < kFewestIntervals || shortfall_of(seen) <= shortfall) return false;
  double in_flight = 0;
  for (const double packets : seen.in_flight) in_flight += packets;
  in_flight /= static_cast<double>(seen.in_flight.size());
  const double missing = (seen.created_flits - seen.delivered_flits) / seen.packet_flits;
  return missing > 3 + 2 * std::sqrt(2 * in_flight);
}

SteadyState steady_state(const Observations& seen, const SteadyStateLimits& limits) {
  SteadyState state;
  const std::vector<double> ones(seen.in_flight.size(), 1);
  state.latency = trend_of(seen.latency_sums, seen.latency_counts, limits.confidence);
  state.in_flight = trend_of(seen.in_flight, ones, limits.confidence);
  state.shortfall = shortfall_of(seen);
  const auto moves = [&](const Trend& trend) {
    return trend.significant && std::abs(trend.change) > limits.trend;
  };
  const auto verb = [](const Trend& trend) { return trend.change > 0 ? "grows" : "falls"; };
  const auto too_short = [](std::size_t intervals) {
    return fmt::format("too short to tell: {} interval{}, expected at least {}", intervals,
                       intervals == 1 ? "" : "s", kFewestIntervals);
  };
  if (seen.in_flight.size() < kFewestIntervals) {
    state.reason = too_short(seen.in_flight.size());
  } else if (seen.created_flits <= 0) {
    state.reason = "too few packets to tell: none was created while measuring";
  } else if (falls_behind(seen, limits.shortfall)) {
    state.reason = fmt::format(
        "the sources fall behind: {:.1f} % of the created flits are not delivered in the same time",
        100 * state.shortfall);
  } else if (state.shortfall > limits.shortfall) {
    state.reason = fmt::format(
        "too few packets to tell: {:.0f} were created while measuring, and that {:.1f} % of their flits are "
        "not delivered in the same time may be chance",
        seen.created_flits / seen.packet_flits, 100 * state.shortfall);
  } else if (std::abs(seen.created_flits - seen.offered_flits) > limits.chance * seen.offered_flits &&
             seen.offered_flits > 0) {
    state.reason = fmt::format(
        "too few packets or bursts to tell: by chance the sources created {:.0f} % {} than they were to "
        "create while measuring",
        100 * std::abs(seen.created_flits / seen.offered_flits - 1),
        seen.created_flits < seen.offered_flits ? "less" : "more");
  } else if (seen.latency_sums.size() < kFewestIntervals) {
    state.reason = too_short(seen.latency_sums.size());
  } else if (moves(state.in_flight)) {
    state.reason = fmt::format("the number of packets in flight {} by {:.0f} % while measuring",
                               verb(state.in_flight), 100 * std::abs(state.in_flight.change));
  } else if (moves(state.latency)) {
    state.reason = fmt::format("latency {} by {:.0f} % while measuring", verb(state.latency),
                               100 * std::abs(state.latency.change));
  } else {
    state.steady = true;
    state.reason = "no trend in latency nor in packets in flight, and the sources keep up";
  }
  return state;
}

std::string steady_state_definition(const SteadyStateLimits& limits) {
  return fmt::format(
      "Steady: over the time of measuring neither the mean latency nor the number of packets in flight "
      "changes by more than {:g} % beyond chance ({:g} % confidence), at most {:g} % of the created flits "
      "are "
      "not delivered in the same time, and what is created differs by at most {:g} % from the load.",
      100 * limits.trend, 100 * limits.confidence, 100 * limits.shortfall, 100 * limits.chance);
}

}  // namespace unknot::simulate
