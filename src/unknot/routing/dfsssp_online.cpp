// SPDX-License-Identifier: Apache-2.0
// The online variant of the DFSSSP paper [Domke, Hoefler, Nagel 2011, section III]: the same trees as dfsssp,
// but no lane is ever emptied to break a cycle. Each path goes at once to the first lane that stays free of
// cycles, in the order of the destinations.
#include <utility>

#include "unknot/routing/engines.hpp"
#include "unknot/routing/layers/first_fit.hpp"
#include "unknot/routing/layers/lane_budget.hpp"
#include "unknot/routing/trees/guided_trees.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostLayers = 250;  // levels are bytes while the number needed is being found

Routing run_dfsssp_online(const Network& network, const EngineRequest& request, Progress& progress) {
  const Parameters& options = request.parameters;
  PathDags dags = guided_dags(network, request.guidance);
  BalancedTrees trees = guided_trees(network, dags, request.guidance, options.real("passes"), progress);
  Routing routing;
  routing.engine = "dfsssp-online";
  routing.paths = std::move(trees.table);
  // Where all paths go up, then down, no cycle can be: nothing to assign.
  if (trees.up_down) return routing;
  take_lanes(network, first_fit(network, routing.table(), FirstFitUnit::destination, kMostLayers, progress),
             request.virtual_lanes, options.flag("spread"), routing);
  return routing;
}

}  // namespace

Engine dfsssp_online_engine() {
  return {
      .name = "dfsssp-online",
      .summary = "dfsssp's paths, each put at once on the first virtual lane where it closes no cycle",
      .parameters = {spread_parameter(), passes_parameter("0.5")},
      .promise = {.deadlock_free = true, .minimal = true},
      .run = run_dfsssp_online,
      .heeds = kGuidedTrees,
  };
}

}  // namespace unknot
