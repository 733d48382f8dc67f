// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/management/leftover_trees.hpp"

#include <algorithm>

#include "unknot/network/bfs.hpp"
#include "unknot/routing/layers/lane_dependencies.hpp"
#include "unknot/routing/reroute/tree_repair.hpp"

namespace unknot {
namespace {

class LeftoverGrowth {
 public:
  LeftoverGrowth(const Network& network, Routing& routing)
      : network_(network),
        routing_(routing),
        dependencies_(network, routing),
        repair_(network, routing, dependencies_) {}

  /// The routers that have found no way.
  std::vector<RouterId> grow(TerminalId destination, const std::vector<RouterId>& routers,
                             std::uint32_t lanes) {
    CutTree tree;
    tree.destination = destination;
    for (const RouterId r : routers) tree.routers.push_back({r.value, ForwardingTable::kNone, 0, true});
    set_levels(destination, routers, 0);
    const RepairedTree repaired = repair_.repair(tree, {lanes, true});
    if (!repaired.fits) {
      set_levels(destination, routers, ServiceLevels::kMissing);
      return routers;
    }
    repair_.commit(repaired, destination);
    for (const NewEntry& entry : repaired.entries)
      routing_.table().set(entry.router, destination, entry.entry);
    for (const NewLevel& level : repaired.levels)
      routing_.service_levels.row(level.row)[destination.value] = level.level;
    // All its neighbours are without a way themselves.
    set_levels(destination, repaired.unreachable, ServiceLevels::kMissing);
    return repaired.unreachable;
  }

 private:
  void set_levels(TerminalId destination, const std::vector<RouterId>& routers, std::uint8_t level) {
    ServiceLevels& levels = routing_.service_levels;
    for (const RouterId r : routers) {
      for (const TerminalId t : network_.terminals_at(r))
        levels.row(levels.row_of(t))[destination.value] = level;
    }
  }

  const Network& network_;
  Routing& routing_;
  LaneDependencies dependencies_;
  TreeRepair repair_;
};

void drop_unreachable(const Network& network, std::vector<LeftoverTree>& trees) {
  BreadthFirstSearch search(network);
  for (LeftoverTree& tree : trees) {
    const auto hops = search.to(network.router_of(tree.destination));
    std::erase_if(tree.routers, [&](RouterId r) { return hops[r.value] == BreadthFirstSearch::kUnreached; });
  }
  std::erase_if(trees, [](const LeftoverTree& tree) { return tree.routers.empty(); });
}

}  // namespace

void grow_leftover_trees(const Network& network, Routing& routing, std::uint32_t lanes,
                         std::vector<LeftoverTree>& trees) {
  drop_unreachable(network, trees);
  if (trees.empty()) return;
  LeftoverGrowth growth(network, routing);
  for (LeftoverTree& tree : trees) tree.routers = growth.grow(tree.destination, tree.routers, lanes);
  for (LeftoverTree& tree : trees) {
    if (tree.routers.size() < 2) continue;  // has been tried alone
    std::erase_if(tree.routers,
                  [&](RouterId r) { return growth.grow(tree.destination, {r}, lanes).empty(); });
  }
  std::erase_if(trees, [](const LeftoverTree& tree) { return tree.routers.empty(); });
}

}  // namespace unknot
