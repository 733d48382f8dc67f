// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/live/live_network.hpp"
#include "unknot/routing/dealing/path_weights.hpp"

namespace unknot {

/// PathWeights as one router deals by them: a whole number for each group and port.
class PortWeights {
 public:
  /// Of these groups; what was found for others before is good for nothing. `ports`: room for a router's, a
  /// multiple of 64. O(groups * (channels out + ports)).
  void find(const LiveNetwork& network, const PathWeights& weights, RouterId router, std::uint32_t ports,
            std::span<const std::uint32_t> groups);

  /// By group and port, so that the ports of one direction sum up to about Deal::kMostWeight; at least 1 for
  /// channels that live.
  [[nodiscard]] const std::uint32_t* all() const { return weights_.data(); }

 private:
  struct Port {
    std::uint32_t to = 0;          // router
    const float* paths = nullptr;  // of it
    float factor = 0;              // 0 where the channel is dead
    bool up = true;
  };

  std::vector<Port> ports_;             // of the router
  std::vector<float> shares_, scales_;  // by port
  std::vector<std::uint32_t> weights_;  // by group and port
};

}  // namespace unknot
