// SPDX-License-Identifier: Apache-2.0
// Clos networks and other trees, all tables at once: what a router reaches is a set of bits, its channels
// towards a destination router share that router's terminals by weight, and rows are written whole.
//
// Shares by weight are weighted cost multipath [Zhou et al., EuroSys 2014], with the terminals of a
// destination router in the place of flows: a channel gets as many of them as its part of the traffic. The
// weights are found from the network as it is, dead cables and all (PathWeights).
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "unknot/network/live/live_network.hpp"
#include "unknot/routing/dealing/clos_plan.hpp"
#include "unknot/routing/dealing/legal_reach.hpp"
#include "unknot/routing/dealing/row_filler.hpp"
#include "unknot/routing/dealing/turned_tree.hpp"
#include "unknot/routing/engines.hpp"
#include "unknot/routing/up_down/level_order.hpp"
#include "unknot/routing/up_down/up_down_table.hpp"

namespace unknot {
namespace {

struct Levels {
  UpDownOrder order;
  std::vector<std::uint32_t> height;
  bool even = false;  // every cable joins neighbouring heights
};

Levels levels_of(const Network& network, const std::vector<RouterId>& roots) {
  Levels levels;
  levels.height = roots.empty() ? heights_above_terminals(network) : heights_below(network, roots);
  levels.even = joins_neighbouring_heights(network, levels.height);
  levels.order = levels.even ? order_by_height(levels.height) : level_order(network, levels.height).order;
  return levels;
}

Routing run_clos(const Network& network, const EngineRequest& request, Progress& progress) {
  const LiveNetwork live(network);
  const std::vector<RouterId> roots = routers_with(network, request.guidance.roots);
  Levels levels = levels_of(network, roots);
  LegalReach reach(network, levels.order, LegalReach::Rule::down_first, request.threads);
  if (reach.missing_pairs() > 0) {
    const std::uint64_t missing =
        reach.missing_pairs() - std::min(reach.missing_pairs(), unconnected_pairs(network));
    if (missing > 0 && !roots.empty()) {
      throw RoutingFailure(fmt::format(
          "clos: below these roots {} pairs have no path that goes up, then down; choose others", missing));
    }
    if (missing > 0) {
      // Some terminals have no common ancestor: what the levels leave out, a leaf joins, or else the centre.
      std::optional<UpDownOrder> turned;
      if (levels.even) turned = turned_above_a_leaf(network, levels.height, levels.order, request.threads);
      levels.even = turned.has_value();
      levels.order = turned ? std::move(*turned) : order_below(network, {central_router(network)});
      reach = LegalReach(network, levels.order, LegalReach::Rule::down_first, request.threads);
    }
  }
  const ClosPlan plan(live, std::move(levels.height), std::move(levels.order), levels.even);
  Routing routing;
  routing.engine = "clos";
  routing.paths = ForwardingTable::unfilled(network);
  fill_rows({live, reach, plan.groups, plan.weights}, request.threads, routing.table(), progress);
  return routing;
}

}  // namespace

Engine clos_engine() {
  return {
      .name = "clos",
      .summary =
          "fat trees of any size in milliseconds: channels share each leaf's terminals by weight; one lane",
      .parameters = {},
      .promise = {.deadlock_free = true, .minimal = false},
      .unsuitable = tree_trouble,
      .run = run_clos,
      .heeds = {.roots = true},
  };
}

}  // namespace unknot
