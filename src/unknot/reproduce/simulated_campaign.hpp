// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "unknot/reproduce/experiment.hpp"
#include "unknot/reproduce/simulated_point.hpp"

namespace unknot {

/// Results of the points, in their order, as kept_points().
std::vector<PointResult> simulate_points(const std::vector<SimulatedPoint>& points,
                                         const ExperimentRequest& request, Progress& progress);

/// One curve of a figure: one routing under one pattern, at several loads.
struct LoadCurve {
  std::string name = {};
  SimulatedPoint point = {};  ///< all but its load
  std::vector<double> loads = {};
  std::vector<PointResult> results = {};  ///< by load
};
/// Runs all points of all curves.
void simulate_curves(std::vector<LoadCurve>& curves, const ExperimentRequest& request, Progress& progress);

/// Of the loads given, in ascending order, every `every`th, counted from the largest.
std::vector<double> thinned(const std::vector<double>& loads, std::uint32_t every);

/// Largest load of the curve up to which, in its order, every run was steady; 0 for none.
double last_steady_load(const LoadCurve& curve);
/// Accepted load at the largest load of the curve.
double plateau(const LoadCurve& curve);
/// Result at that load of the curve; null where it has none.
const PointResult* result_at(const LoadCurve& curve, double load);

/// Accepted load and mean latency over offered load, the latter where packets created while measuring
/// arrived.
Plot throughput_plot(const std::string& name, const std::string& title, const std::vector<LoadCurve>& curves);
Plot latency_plot(const std::string& name, const std::string& title, const std::vector<LoadCurve>& curves);
/// A line for each point; "none" where no packet created while measuring arrived before the run ended.
ReproducedTable curve_table(const std::string& title, const std::vector<LoadCurve>& curves);
/// Whether any run ended in a deadlock.
ReproducedRow deadlock_row(const std::vector<LoadCurve>& curves);

}  // namespace unknot
