// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace unknot::simulate {

/// What a run says of the messages of one class. Times in cycles.
struct ClassReport {
  std::string name;
  std::uint32_t network = 0;
  std::uint64_t messages = 0;  ///< created while measuring, and arrived
  double accepted = 0;         ///< flits a cycle that arrived while measuring, mean of all terminals
  // From a message's creation until it has come to the receive queue whole.
  double latency_mean = 0, latency_p99 = 0, latency_max = 0;
  /// Of a class that others cause: messages whose first cause was created while measuring, and the time from
  /// that cause's creation to their arrival.
  std::uint64_t trips = 0;
  double trip_mean = 0, trip_p99 = 0, trip_max = 0;
};

}  // namespace unknot::simulate
