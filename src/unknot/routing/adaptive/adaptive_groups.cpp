// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/adaptive/adaptive_groups.hpp"

#include <algorithm>
#include <utility>

#include "unknot/network/distances_to.hpp"
#include "unknot/routing/adaptive/group_rows.hpp"
#include "unknot/routing/dealing/turned_tree.hpp"
#include "unknot/routing/up_down/level_order.hpp"
#include "unknot/routing/up_down/up_down_table.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

AdaptiveRouting one_plane(AdaptivePlane plane, const char* source) {
  AdaptiveRouting routing;
  routing.source = source;
  routing.planes.push_back(std::move(plane));
  return routing;
}

}  // namespace

AdaptiveRouting shortest_groups(const Network& network, const ForwardingTable* fixed, std::uint32_t threads,
                                Progress& progress) {
  GroupDistances distances(network);
  const InNeighbours neighbours(network);
  const std::size_t columns = distances.destinations.size();
  constexpr std::uint32_t kDestinations = 16;
  parallel_blocks(static_cast<std::uint32_t>(columns), kDestinations, threads,
                  [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
                    DistancesTo search(neighbours);
                    for (std::uint32_t d = begin; d < end; ++d) {
                      search.run(distances.destinations[d]);
                      const auto found = search.distance();
                      for (const std::uint32_t r : search.order()) {
                        distances.distance[r * columns + d] = static_cast<std::uint16_t>(
                            std::min<std::uint32_t>(2 * found[r], GroupDistances::kFar));
                      }
                    }
                  });
  return one_plane(group_plane(network, distances, {}, fixed, threads, progress), "shortest paths");
}

AdaptiveRouting up_down_groups(const Network& network, const UpDownOrder& order, const ForwardingTable* fixed,
                               std::uint32_t threads, Progress& progress) {
  GroupDistances distances(network);
  const std::vector<std::uint8_t> up = order.channels_up(network);
  for (std::size_t d = 0; d < distances.destinations.size(); ++d)
    distances.row(distances.destinations[d])[d] = 0;
  const auto improve = [](std::span<std::uint16_t> row, std::span<const std::uint16_t> there, auto way) {
    std::uint16_t* mine = row.data();
    const std::uint16_t* its = there.data();
    for (std::size_t d = 0; d < row.size(); ++d) mine[d] = std::min(mine[d], way(mine[d], its[d]));
  };
  // Downwards, the lowest routers first: whoever is below is done.
  // NOLINTNEXTLINE(modernize-loop-convert): backwards
  for (auto at = order.top_down.rbegin(); at != order.top_down.rend(); ++at) {
    const RouterId r(*at);
    for (const ChannelId c : network.out(r)) {
      if (up[c.value] != 0) continue;
      improve(distances.row(r), distances.row(network.target(c)),
              [](std::uint16_t, std::uint16_t there) { return static_cast<std::uint16_t>(there + 2U); });
    }
    for (std::uint16_t& distance : distances.row(r)) distance = std::min(distance, GroupDistances::kFar);
  }
  // Upwards, the highest first. A way down, even, is kept though one upwards might be shorter.
  std::vector<std::uint16_t> upwards(distances.destinations.size());
  for (const std::uint32_t id : order.top_down) {
    const RouterId r(id);
    std::fill(upwards.begin(), upwards.end(), GroupDistances::kFar);
    for (const ChannelId c : network.out(r)) {
      if (up[c.value] == 0) continue;
      improve(upwards, distances.row(network.target(c)), [](std::uint16_t, std::uint16_t there) {
        return static_cast<std::uint16_t>((there | 1U) + 2U);
      });
    }
    std::uint16_t* mine = distances.row(r).data();
    for (std::size_t d = 0; d < upwards.size(); ++d) {
      if (mine[d] >= GroupDistances::kFar) mine[d] = std::min(upwards[d], GroupDistances::kFar);
    }
  }
  return one_plane(group_plane(network, distances, up, fixed, threads, progress), "up/down");
}

GroupRule group_rule(std::string_view engine, bool promises_deadlock_freedom) {
  const std::string_view name = engine.substr(0, engine.find(':'));
  if (name == "updn" || name == "ftree" || name == "clos") return GroupRule::up_down;
  return promises_deadlock_freedom ? GroupRule::escape : GroupRule::shortest;
}

UpDownOrder group_order(const Network& network) {
  if (!tree_roots(network).empty()) {
    LevelOrder levels = level_order(network);
    if (levels.missing == 0 || levels.missing <= unconnected_pairs(network)) return std::move(levels.order);
    return order_for_all_pairs(network, 0);
  }
  return order_below(network, {central_router(network)});
}

}  // namespace unknot
