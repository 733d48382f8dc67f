// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/trees/guided_trees.hpp"

#include <cstdint>
#include <vector>

namespace unknot {

PathDags guided_dags(const Network& network, const Guidance& guidance) {
  return PathDags(network, weights_by_channel(network, guidance.hop_weights));
}

BalancedTrees guided_trees(const Network& network, PathDags& dags, const Guidance& guidance, double passes,
                           Progress& progress) {
  const std::vector<TerminalId> order = terminals_in_order(network, guidance);
  const std::vector<std::uint32_t> costs =
      guidance.by_rate ? costs_by_rate(network) : std::vector<std::uint32_t>();
  return balanced_trees(network, dags, passes, progress, {}, {.destinations = order, .cost = costs});
}

}  // namespace unknot
