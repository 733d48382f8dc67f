// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/multipath/layer_trees.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/lane_map.hpp"
#include "unknot/tables/service_levels.hpp"

namespace unknot {

/// Service levels and SL-to-VL tables with which the lane rises at each hop of each path, from 0: no packet
/// ever waits for one on a lower lane or its own, so that no cycle of channels can close.
///
/// A turn (a channel and the next) has for each of the sixteen levels one lane or none yet. A path takes the
/// first level where its turns have rising lanes or can get them; longest paths choose first, since they have
/// the least choice: with as many lanes as hops theirs are the numbers of their hops.
struct RisingLanes {
  ServiceLevels levels;
  std::shared_ptr<const LaneMap> map;
  std::uint32_t lanes = 1;  ///< in use
  std::uint32_t level_count = 1;
  std::uint32_t moved = 0;     ///< last branches of trees that got another way, since no level had room
  std::uint32_t replaced = 0;  ///< trees to further addresses that became those to the first
};

/// Of all trees. Where no level has room for a path to a further address, its last branch moves, or the tree
/// becomes that to the first address. RoutingFailure where not even the trees to first addresses fit.
/// `trees`: no path is longer than `lanes` channels. O(paths * hops * levels).
RisingLanes rising_lanes(const Network& network, std::uint32_t lanes, LayerTrees& trees, Progress& progress);

}  // namespace unknot
