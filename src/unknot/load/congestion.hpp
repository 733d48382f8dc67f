// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/traffic/patterns/pattern.hpp"

namespace unknot {

/// Result of sampling a pattern obliviously: every flow takes its one path, or evenly those to all addresses
/// of its destination (Routing::further), and a channel is shared equally
/// by the flows on it. Rates are in units of a channel's; the cables of the terminals count as channels,
/// which matters only where a terminal sends or receives more than one flow. Flows of other weights than 1
/// share in proportion to them, and count as this many.
struct Congestion {
  double effective_bisection_bandwidth =
      0;  ///< mean over samples of the mean over flows of 1 / (flows on its worst channel)
  double standard_error = 0;  ///< of that mean, over samples; 0 with fewer than two
  /// Mean over samples of 1 / (flows on the busiest channel), all flows at equal rate; 0 for a sample in
  /// which a flow has no route.
  double throughput = 0;
  double max_congestion = 0;  ///< mean over samples of the flows on the busiest channel
  std::uint32_t samples = 0;  ///< taken: 1 for patterns without chance
  /// Flows without a route, over all samples. They have rate 0 in the bandwidth and load no channel.
  std::uint64_t unroutable_flows = 0;
};

/// Samples a pattern as ORCS does (Schneider, Hoefler, Lumsdaine 2009). Sample i of a pattern depends on
/// (seed, i) alone: routings compared with the same seed see the same flows. All pairs at once are treated
/// exactly, in O(routers * terminals), the cables of terminals with the load of a complete routing. Otherwise
/// O(samples * flows * hops), parallel over samples; the same result at any number of threads. Samples
/// without flows do not count.
Congestion congestion(const Network& network, const Routing& routing, const TrafficPattern& pattern,
                      std::uint32_t samples, std::uint64_t seed, std::uint32_t threads, Progress& progress);

}  // namespace unknot
