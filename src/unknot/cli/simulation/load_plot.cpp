// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/simulation/load_plot.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "unknot/drawing/load_curve.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {

void check_plot(const std::string& path) {
  constexpr std::string_view kEnding = ".svg";
  if (path.empty() || path == "-" || (path.size() > kEnding.size() && path.ends_with(kEnding))) return;
  throw InputError(
      fmt::format("simulate: --plot {}: pictures are SVG, expected a name that ends in .svg", path));
}

std::string load_plot(const std::string& title, const std::vector<std::pair<std::string, std::string>>& facts,
                      const simulate::SaturationRun& run, bool searched) {
  drawing::LoadCurve curve;
  curve.title = title;
  for (const auto& [name, value] : facts) curve.lines.push_back(fmt::format("{}: {}", name, value));
  for (const simulate::LoadPoint& point : run.points) {
    const simulate::PointMeans all = simulate::means(point);
    curve.points.push_back({all.load, all.accepted, all.accepted_spread.low, all.accepted_spread.high,
                            all.has_latencies, all.latency_mean,
                            all.interval_believable ? all.latency_half_width : 0, all.latency_p99,
                            simulate::name_of(all.state())});
  }
  std::stable_sort(
      curve.points.begin(), curve.points.end(),
      [](const drawing::CurvePoint& a, const drawing::CurvePoint& b) { return a.load < b.load; });
  if (searched) {
    const simulate::SaturationReport& report = run.report;
    for (const simulate::Saturation* one : {&report.latency, &report.throughput, &report.plateau})
      curve.marks.push_back({one->name, one->load, one == &report.plateau});
  }
  return drawing::draw_load_curve(curve);
}

}  // namespace unknot::cli
