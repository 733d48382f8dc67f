// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace unknot::simulate {

/// What held terminals back, where marks of long queues do (Settings::ecn_threshold). Of the time of
/// measuring.
struct ThrottleCounts {
  std::uint64_t arrived = 0;  ///< packets
  std::uint64_t marked = 0;   ///< of them
  std::uint64_t waited = 0;   ///< cycles between packets, of all terminals together
  ThrottleCounts& operator+=(const ThrottleCounts& other) {
    arrived += other.arrived;
    marked += other.marked;
    waited += other.waited;
    return *this;
  }
};

}  // namespace unknot::simulate
