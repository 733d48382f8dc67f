// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "unknot/routing/balanced_trees.hpp"
#include "unknot/routing/cycle_breaking.hpp"
#include "unknot/routing/engines.hpp"
#include "unknot/routing/lane_emptying.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostLayers = 250;  // levels are bytes while the number needed is being found

BreakRule rule_of(const std::string& name) {
  if (name == "heaviest") return BreakRule::heaviest;
  if (name == "first") return BreakRule::first;
  if (name == "closing") return BreakRule::closing;
  return BreakRule::weakest;
}

Routing run(const Network& network, const EngineRequest& request, Progress& progress) {
  const Parameters& options = request.parameters;
  PathDags dags(network);
  BalancedTrees trees = balanced_trees(network, dags, options.real("passes"), progress);
  Routing routing;
  routing.engine = "dfsssp";
  routing.table = std::move(trees.table);
  // Where all paths go up, then down, no cycle can be: nothing to assign.
  if (trees.up_down) return routing;
  LaneAssignment lanes =
      break_cycles(network, dags, routing.table, rule_of(options.text("rule")), kMostLayers, progress);
  if (options.flag("empty")) empty_last_lanes(network, routing.table, lanes);
  if (lanes.lanes > request.virtual_lanes) {
    throw RoutingFailure(
        fmt::format("dfsssp needs {} virtual lanes here, {} are allowed", lanes.lanes, request.virtual_lanes),
        lanes.lanes);
  }
  routing.lanes_needed = lanes.lanes;
  routing.virtual_lanes = lanes.lanes;
  if (options.flag("spread") && lanes.lanes > 1) {
    routing.virtual_lanes = spread_over_spare_lanes(network, lanes, request.virtual_lanes);
  }
  routing.service_levels = std::move(lanes.levels);
  return routing;
}

}  // namespace

Engine dfsssp_engine() {
  return {
      .name = "dfsssp",
      .summary = "globally balanced shortest paths, cycles broken by moving paths to further virtual lanes",
      .parameters =
          {{.name = "rule",
            .kind = ParameterKind::text,
            .help = "dependency of a cycle that moves",
            .fallback = "weakest",
            .choices = {"weakest", "heaviest", "first", "closing"}},
           {.name = "spread",
            .kind = ParameterKind::flag,
            .help = "use lanes that are left over to balance the others",
            .fallback = "1"},
           {.name = "empty",
            .kind = ParameterKind::flag,
            .help = "move the last lanes' paths one by one to lower lanes where they fit",
            .fallback = "1"},
           {.name = "passes",
            .kind = ParameterKind::real,
            .help = "share of the trees that are rebuilt against all others, earliest first; 0 as published",
            .fallback = "0.5",
            .max = 1000}},
      .promise = {.deadlock_free = true, .minimal = true},
      .unsuitable = [](const Network&) { return std::string(); },
      .run = run,
  };
}

}  // namespace unknot
