// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/covers/path_sets.hpp"
#include "unknot/routing/covers/safe_trees.hpp"

namespace unknot {

/// How much of the traffic between routers each of the allowed shortest paths should carry, so that the
/// busiest channels carry little: a path weighs the product of the factors of its channels, and traffic
/// divides by weight. In a few rounds the factors follow the loads that they lead to (iterative proportional
/// fitting, as PathWeights does it for groups of leaves; here for each destination router).
class PathPrices {
 public:
  /// O(destinations * routers * candidates) a round. The same at any number of threads.
  PathPrices(const Network& network, const PathSets& sets, const SafeTrees& safe, std::uint32_t threads);

  /// By channel.
  [[nodiscard]] float factor(std::uint32_t channel) const { return factor_[channel]; }

 private:
  std::vector<float> factor_;
};

}  // namespace unknot
