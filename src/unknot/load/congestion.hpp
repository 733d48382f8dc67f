// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// Result of sampling a pattern obliviously.
struct Congestion {
  double effective_bisection_bandwidth =
      0;  ///< mean over samples of the mean over flows of 1 / (flows on its worst channel)
  double standard_error = 0;  ///< of that mean, over samples
  double throughput =
      0;  ///< mean over samples of 1 / (flows on the busiest channel): all flows at equal rate
  double max_congestion = 0;  ///< mean over samples of the flows on the busiest channel
  std::uint32_t samples = 0;
};

}  // namespace unknot
