// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// For how many links the network itself states a number (Labels).
struct StatedLinks {
  std::size_t channels = 0, terminals = 0;
  [[nodiscard]] bool any() const { return channels + terminals > 0; }
};

/// O(channels + terminals).
inline StatedLinks stated_links(const std::vector<std::uint32_t>& channels,
                                const std::vector<std::uint32_t>& terminals) {
  const auto stated = [](const std::vector<std::uint32_t>& numbers) {
    return numbers.size() - static_cast<std::size_t>(std::count(numbers.begin(), numbers.end(), 0U));
  };
  return {stated(channels), stated(terminals)};
}
inline StatedLinks stated_latencies(const Network& network) {
  return stated_links(network.labels().channel_latency, network.labels().terminal_latency);
}
inline StatedLinks stated_capacities(const Network& network) {
  return stated_links(network.labels().channel_capacity, network.labels().terminal_capacity);
}

}  // namespace unknot
