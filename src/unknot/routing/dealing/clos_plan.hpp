// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/live/live_network.hpp"
#include "unknot/routing/dealing/leaf_groups.hpp"
#include "unknot/routing/dealing/path_weights.hpp"
#include "unknot/routing/up_down/up_down_order.hpp"

namespace unknot {

/// What engine clos deals by: an order, and how much each channel should get of what leads there.
struct ClosPlan {
  /// `even`: every cable joins neighbouring heights. Traffic is looked at as finely as some milliseconds
  /// allow.
  ClosPlan(const LiveNetwork& network, std::vector<std::uint32_t> height, UpDownOrder order, bool even);
  ClosPlan(const ClosPlan&) = delete;
  ClosPlan& operator=(const ClosPlan&) = delete;

  std::vector<std::uint32_t> height;  ///< by router
  UpDownOrder order;
  LeafGroups groups;
  PathWeights weights;
};

}  // namespace unknot
