// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace unknot::drawing {

/// One offered load and what was measured there.
struct CurvePoint {
  double load = 0;                             ///< offered, a part of what a terminal can send: 0 to 1
  double accepted = 0;                         ///< in the same unit
  double accepted_low = 0, accepted_high = 0;  ///< least and greatest of several runs; equal for one
  bool has_latencies = false;                  ///< false: what follows has no meaning
  double latency = 0;                          ///< mean, cycles
  double half_width = 0;                       ///< of its interval; 0, infinite or NaN: none is drawn
  double p99 = 0;
  std::string state;  ///< in words: "steady", "saturated", ...
};

/// A load that has a name.
struct CurveMark {
  std::string name;  ///< "latency", "throughput", "plateau"
  double load = 0;
  bool of_accepted = false;  ///< a level of the accepted load: drawn across, else upright at an offered load
};

struct LoadCurve {
  std::string title;
  std::vector<std::string> lines;  ///< what was simulated, one fact a line
  std::vector<CurvePoint> points;  ///< by load, at least one
  std::vector<CurveMark> marks;
};

/// Two panels over one axis of offered load, as SVG for light and dark: the latency, mean with its interval
/// and 99th percentile, on a logarithmic axis; below it the accepted load beside the offered one. Where a
/// load has no latencies a triangle stands at the upper border. A point tells its numbers where the pointer
/// rests on it. Same bytes for the same curve. O(points).
std::string draw_load_curve(const LoadCurve& curve);

}  // namespace unknot::drawing
