// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/simulate/core/recorder.hpp"

namespace unknot::simulate {

/// What a run has seen of the packets from one terminal to another. Times in cycles; latencies and hops are
/// of `packets`, those that are measured and have arrived, and 0 where there are none.
struct FlowResult {
  std::uint32_t source = 0, destination = 0;
  std::uint64_t accepted_flits = 0;  ///< that arrived while measuring, whenever created
  std::uint64_t packets = 0, flits = 0;
  double latency_mean = 0, latency_p99 = 0, latency_max = 0;  ///< exact: p99 by nearest rank
  double hops_mean = 0;
};

/// By source and destination; flows of which nothing was seen are left out. `speedup`: steps of a cycle.
/// O(n log n).
std::vector<FlowResult> flow_results(std::vector<Recorder::Seen> seen, std::uint32_t speedup);

}  // namespace unknot::simulate
