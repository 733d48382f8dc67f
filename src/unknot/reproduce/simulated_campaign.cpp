// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/simulated_campaign.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/kept_points.hpp"

namespace unknot {
std::vector<PointResult> simulate_points(const std::vector<SimulatedPoint>& points,
                                         const ExperimentRequest& request, Progress& progress) {
  std::vector<std::string> keys;
  keys.reserve(points.size());
  for (const SimulatedPoint& point : points) keys.push_back(point_key(point));
  return kept_points<PointResult>(
      keys, request, "simulations", progress,
      [&](std::uint32_t i, Progress& inner) { return simulate_point(points[i], inner); });
}

void simulate_curves(std::vector<LoadCurve>& curves, const ExperimentRequest& request, Progress& progress) {
  std::vector<SimulatedPoint> points;
  for (const LoadCurve& curve : curves) {
    for (const double load : curve.loads) {
      points.push_back(curve.point);
      points.back().load = load;
    }
  }
  const std::vector<PointResult> results = simulate_points(points, request, progress);
  auto next = results.begin();
  for (LoadCurve& curve : curves) {
    const auto end = next + static_cast<std::ptrdiff_t>(curve.loads.size());
    curve.results.assign(next, end);
    next = end;
  }
}

std::vector<double> thinned(const std::vector<double>& loads, std::uint32_t every) {
  std::vector<double> kept;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    if ((loads.size() - 1 - i) % every == 0) kept.push_back(loads[i]);
  }
  return kept;
}

double last_steady_load(const LoadCurve& curve) {
  double last = 0;
  for (std::size_t i = 0; i < curve.loads.size(); ++i) {
    if (!curve.results[i].steady) break;
    last = curve.loads[i];
  }
  return last;
}

double plateau(const LoadCurve& curve) {
  return curve.results.empty() ? 0 : curve.results.back().accepted;
}

const PointResult* result_at(const LoadCurve& curve, double load) {
  const auto found = std::find(curve.loads.begin(), curve.loads.end(), load);
  return found == curve.loads.end() ? nullptr
                                    : &curve.results[static_cast<std::size_t>(found - curve.loads.begin())];
}

namespace {

Plot curve_plot(const std::string& name, const std::string& title, const std::vector<LoadCurve>& curves) {
  Plot plot{.name = name, .title = title, .x_label = "offered load", .y_label = {}};
  for (const LoadCurve& curve : curves) plot.series.push_back({curve.name, {}});
  return plot;
}

}  // namespace

Plot throughput_plot(const std::string& name, const std::string& title,
                     const std::vector<LoadCurve>& curves) {
  Plot plot = curve_plot(name, title, curves);
  plot.y_label = "accepted load";
  for (std::size_t c = 0; c < curves.size(); ++c) {
    for (std::size_t i = 0; i < curves[c].loads.size(); ++i) {
      plot.series[c].points.push_back({curves[c].loads[i], curves[c].results[i].accepted, {}, {}});
    }
  }
  return plot;
}

Plot latency_plot(const std::string& name, const std::string& title, const std::vector<LoadCurve>& curves) {
  Plot plot = curve_plot(name, title, curves);
  plot.y_label = "mean latency, ns";
  plot.log_y = true;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    for (std::size_t i = 0; i < curves[c].loads.size(); ++i) {
      const PointResult& result = curves[c].results[i];
      if (result.latency <= 0) continue;  // far beyond saturation none of the measured packets arrives
      Series::Point point{curves[c].loads[i], result.latency, {}, {}};
      // On a logarithmic axis an interval must not reach down to 0.
      if (result.half_width >= 0 && result.half_width < result.latency) {
        point.low = result.latency - result.half_width;
        point.high = result.latency + result.half_width;
      }
      plot.series[c].points.push_back(point);
    }
  }
  plot.series.erase(std::remove_if(plot.series.begin(), plot.series.end(),
                                   [](const Series& series) { return series.points.empty(); }),
                    plot.series.end());
  return plot;
}

ReproducedTable curve_table(const std::string& title, const std::vector<LoadCurve>& curves) {
  ReproducedTable table{.title = title,
                        .headings = {"curve", "load", "accepted", "latency ns", "95 % interval", "99 % ns",
                                     "routers passed", "indirect", "steady"},
                        .lines = {}};
  for (const LoadCurve& curve : curves) {
    for (std::size_t i = 0; i < curve.loads.size(); ++i) {
      const PointResult& result = curve.results[i];
      const auto of_packets = [&](const std::string& text) {
        return result.latency > 0 ? text : std::string("none");
      };
      table.lines.push_back(
          {curve.name, fmt::format("{:.3f}", curve.loads[i]), fmt::format("{:.4f}", result.accepted),
           of_packets(fmt::format("{:.0f}", result.latency)),
           result.half_width < 0 || result.latency <= 0 ? "" : fmt::format("+-{:.0f}", result.half_width),
           of_packets(fmt::format("{:.0f}", result.p99)), of_packets(fmt::format("{:.2f}", result.hops)),
           of_packets(fmt::format("{:.3f}", result.indirect)), result.steady ? "yes" : "no"});
    }
  }
  return table;
}

ReproducedRow deadlock_row(const std::vector<LoadCurve>& curves) {
  std::size_t runs = 0, stuck = 0;
  for (const LoadCurve& curve : curves) {
    runs += curve.results.size();
    for (const PointResult& result : curve.results) stuck += result.deadlocked ? 1 : 0;
  }
  return expected("runs that end in a deadlock", fmt::format("{} of {}, proven free of it", stuck, runs),
                  stuck == 0, "none");
}

}  // namespace unknot
