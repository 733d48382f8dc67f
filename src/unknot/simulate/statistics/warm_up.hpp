// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace unknot::simulate {

/// Where the warm-up of a series ends.
struct WarmUp {
  std::size_t discard = 0;  ///< intervals of the series to leave out
  bool found = false;    ///< false: the end is not in the first half of the series, so the run is too short
  double statistic = 0;  ///< estimated squared standard error of the mean of the rest
};

/// MSER-5: leaves out as many values at the beginning as makes the estimated standard error of the mean of
/// the rest smallest, in batches of five, and never more than half of the series. Series are interval means,
/// such as IntervalSeries::means(), of packets in flight or of latency by time of creation; where both are at
/// hand the later end counts. Values that do not fill a batch at the end are not looked at. O(n).
///
/// [White, An effective truncation heuristic for bias reduction in simulation output, Simulation 69(6), 1997;
/// White, Cobb and Spratt, A comparison of five steady-state truncation heuristics for simulation, WSC 2000]
WarmUp mser5(std::span<const double> series);

/// What to print beside a warm-up that was found so.
std::string warm_up_definition();

}  // namespace unknot::simulate
