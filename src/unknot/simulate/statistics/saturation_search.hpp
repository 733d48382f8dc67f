// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "unknot/support/progress.hpp"

namespace unknot::simulate {

/// What one simulation at one offered load says.
struct PointSummary {
  double latency_mean = 0;  ///< cycles
  double accepted = 0;      ///< delivered flits a cycle and terminal, as a part of what a terminal can send
  bool stable = true;       ///< false: deadlock, or packets that never arrive; then no definition holds here
};

struct SaturationOptions {
  double latency_factor = 3;  ///< of the zero-load latency; more than 1
  double shortfall = 0.05;    ///< of accepted load against offered; 0 to 1
  double tolerance = 0.01;    ///< loads are multiples of it; 1e-4 to 0.1
  double zero_load = 0.01;    ///< load at which the zero-load latency is measured, rounded to such a multiple
  double step = 0.1;          ///< of the first climb, rounded to such a multiple

  /// That multiple of the tolerance, tenths such that they print as tenths: the loads of --load.
  [[nodiscard]] double multiple(std::uint64_t index) const {
    return std::round(static_cast<double>(index) * tolerance * 1e12) / 1e12;
  }
};

/// The saturation load by one definition.
struct Saturation {
  std::string name;        ///< "latency", "throughput" or "plateau"
  std::string definition;  ///< one sentence with its numbers, to print beside the load
  double load = 0;
  bool saturates = true;  ///< false: the definition holds up to load 1, which `load` then is
  /// The definition holds again at some simulated load above `load`: the curve is not monotone.
  bool holds_again = false;
};

struct SaturationPoint {
  double load = 0;
  PointSummary summary;
};

struct SaturationReport {
  double zero_load_latency = 0;
  Saturation latency;
  Saturation throughput;
  Saturation plateau;
  std::vector<SaturationPoint> points;  ///< all that were simulated, by load
};

/// Finds the saturation load by three definitions:
///
/// * latency: the largest load up to which the mean latency is at most latency_factor times the zero-load
/// latency;
/// * throughput: the largest load up to which the accepted load is at least (1 - shortfall) times the offered
/// one;
/// * plateau: the accepted load at offered load 1.
///
/// The first two climb from zero_load in steps until the definition fails, then halve the gap down to the
/// tolerance: the answer is a load at which it was seen to hold, with a failure one tolerance above. "Up to
/// which" counts: where a curve fails and holds again further up, the answer is below the first failure that
/// the climb meets. Loads are whole multiples of the tolerance, none is simulated twice, and the three share
/// their points: about 1 / step + 2 log2(step / tolerance) + 1 simulations, the same ones whenever `run` says
/// the same.
///
/// `run` is called with loads from zero_load to 1. Throws InputError for options out of range, Interrupted
/// between points when the user wants to stop.
SaturationReport find_saturation(const std::function<PointSummary(double load)>& run,
                                 const SaturationOptions& options, Progress& progress);

/// Throws InputError for options out of range.
void check(const SaturationOptions& options);

}  // namespace unknot::simulate
