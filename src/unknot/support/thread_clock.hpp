// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>

namespace unknot {

/// Processor seconds of the calling thread so far: what others do on the machine counts little.
inline double thread_seconds() {
  constexpr double kNano = 1e-9;
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + kNano * static_cast<double>(now.tv_nsec);
}

}  // namespace unknot
