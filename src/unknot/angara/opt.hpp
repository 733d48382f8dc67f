// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>

#include "unknot/angara/load_bound.hpp"
#include "unknot/angara/system.hpp"

namespace unknot::angara {

struct OptOptions {
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;
  double effort = 1;  ///< multiplies the annealing moves and the size of linear programs
  /// Asked often: at 0 or below bound and search end, the best so far stays.
  std::function<double()> seconds_left = [] { return std::numeric_limits<double>::infinity(); };
};

struct OptResult {
  RouteTable table;
  std::uint32_t max_load = 0;
  double sigma4 = 0;
  LoadBound bound;
  [[nodiscard]] bool proven_optimal() const { return max_load <= bound.value; }
};

/// Tables of small maximum load, and of small sigma(4) among those, from the shortest routes of each pair:
/// the SSSP table and one whose ways round even rings alternate from node to node, each improved by rip-up
/// and reroute; then annealing, until the maximum meets the lower bound or the effort is spent. Never worse
/// than SSSP. The same result at any number of threads, unless time ends it. Throws Interrupted.
OptResult optimise(const System& system, const RouteChoices& choices, const OptOptions& options,
                   Progress& progress);

}  // namespace unknot::angara
