// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace unknot {

/// Measures time that passes, whatever the time of day is set to.
using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace unknot
