// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// How many links have a latency that the network itself states (Labels).
struct StatedLatencies {
  std::size_t channels = 0, terminals = 0;
  [[nodiscard]] bool any() const { return channels + terminals > 0; }
};

/// O(channels + terminals).
inline StatedLatencies stated_latencies(const Network& network) {
  const auto stated = [](const std::vector<std::uint32_t>& latencies) {
    return latencies.size() - static_cast<std::size_t>(std::count(latencies.begin(), latencies.end(), 0U));
  };
  return {stated(network.labels().channel_latency), stated(network.labels().terminal_latency)};
}

}  // namespace unknot
