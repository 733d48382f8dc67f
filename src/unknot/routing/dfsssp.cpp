// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unknot/routing/covers/changed_parameter.hpp"
#include "unknot/routing/covers/covered_routing.hpp"
#include "unknot/routing/covers/dealt_by_size.hpp"
#include "unknot/routing/engines.hpp"
#include "unknot/routing/layers/cycle_breaking.hpp"
#include "unknot/routing/layers/lane_budget.hpp"
#include "unknot/routing/layers/lane_emptying.hpp"
#include "unknot/routing/layers/lane_spreading.hpp"
#include "unknot/routing/trees/guided_trees.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostLayers = 250;  // levels are bytes while the number needed is being found

BreakRule rule_of(const std::string& name) {
  if (name == "heaviest") return BreakRule::heaviest;
  if (name == "first") return BreakRule::first;
  if (name == "closing") return BreakRule::closing;
  return BreakRule::weakest;
}

/// Lanes for one table, by the engine's options.
class LanePlanner {
 public:
  struct Plan {
    LaneAssignment lanes;       // spread where that was asked for
    std::uint32_t needed = 0;   // before spreading
    std::uint32_t in_use = 0;   // after it
    std::uint64_t busiest = 0;  // largest load of a channel on a lane; only of plans that are compared
  };

  LanePlanner(const Network& network, PathDags& dags, const ForwardingTable& table,
              const EngineRequest& request, Progress& progress)
      : network_(network), dags_(dags), table_(table), request_(request), progress_(progress) {}

  Plan plan(BreakRule rule) {
    Plan plan;
    plan.lanes = break_cycles(network_, dags_, table_, rule, kMostLayers, progress_);
    if (request_.parameters.flag("empty")) empty_last_lanes(network_, table_, plan.lanes);
    plan.needed = plan.in_use = plan.lanes.lanes;
    if (request_.parameters.flag("spread") && plan.needed > 1) {
      plan.in_use = request_.parameters.text("by") == "load"
                        ? spread_by_load(network_, table_, plan.lanes, request_.virtual_lanes)
                        : spread_over_spare_lanes(network_, plan.lanes, request_.virtual_lanes);
    }
    return plan;
  }

  /// By the rule that needs the fewest lanes here; of several the one whose busiest channel of a lane is
  /// least busy.
  Plan best() {
    std::optional<Plan> best;
    std::string failure;
    for (const BreakRule rule : kBreakRules) {
      try {
        Plan candidate = plan(rule);
        if (best && candidate.needed > best->needed) continue;
        const auto load = lane_loads(network_, table_, candidate.lanes.levels, candidate.in_use);
        candidate.busiest = load.empty() ? 0 : *std::max_element(load.begin(), load.end());
        if (best && candidate.needed == best->needed && candidate.busiest >= best->busiest) continue;
        best = std::move(candidate);
      } catch (const RoutingFailure& too_many) {
        failure = too_many.what();  // another rule may need fewer
      }
    }
    if (!best) throw RoutingFailure(failure);
    return std::move(*best);
  }

 private:
  const Network& network_;
  PathDags& dags_;
  const ForwardingTable& table_;
  const EngineRequest& request_;
  Progress& progress_;
};

/// Whether tables are dealt out, all at once: where asked for, and where they are large and nothing else is.
bool to_be_dealt(const Network& network, const EngineRequest& request) {
  const std::string& paths = request.parameters.text("paths");
  std::string lost = unheeded(request.guidance, {});
  if (lost.empty()) lost = changed_parameter(dfsssp_engine().parameters, request.parameters, "paths");
  if (!deals(network, "dfsssp", paths, lost)) return false;
  const std::string trouble = cover_trouble(network);
  if (paths == "auto") return trouble.empty();
  if (!trouble.empty()) throw RoutingFailure("dfsssp:paths=dealt does not fit this network: " + trouble);
  return true;
}

Routing run_dfsssp(const Network& network, const EngineRequest& request, Progress& progress) {
  if (to_be_dealt(network, request)) {
    return covered_routing(network, "dfsssp", request.virtual_lanes, request.seed, request.threads, progress);
  }
  PathDags dags = guided_dags(network, request.guidance);
  BalancedTrees trees =
      guided_trees(network, dags, request.guidance, request.parameters.real("passes"), progress);
  Routing routing;
  routing.engine = "dfsssp";
  routing.paths = std::move(trees.table);
  // Where all paths go up, then down, no cycle can be: nothing to assign.
  if (trees.up_down) return routing;
  LanePlanner planner(network, dags, routing.table(), request, progress);
  const std::string& rule = request.parameters.text("rule");
  LanePlanner::Plan plan = rule == "best" ? planner.best() : planner.plan(rule_of(rule));
  require_lanes(routing.engine, plan.needed, request.virtual_lanes);
  routing.lanes_needed = plan.needed;
  routing.virtual_lanes = plan.in_use;
  routing.service_levels = std::move(plan.lanes.levels);
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
            .help = "dependency of a cycle that moves; best: the rule that needs the fewest lanes",
            .fallback = "weakest",
            .choices = {"weakest", "heaviest", "first", "closing", "best"}},
           spread_parameter(),
           {.name = "by",
            .kind = ParameterKind::text,
            .help =
                "balance of spread lanes: paths in turn, which is fast, or the load of channels on a lane",
            .fallback = "turn",
            .choices = {"turn", "load"}},
           {.name = "empty",
            .kind = ParameterKind::flag,
            .help = "move the last lanes' paths one by one to lower lanes where they fit",
            .fallback = "1"},
           passes_parameter("0.5"),
           {.name = "paths",
            .kind = ParameterKind::text,
            .help = "balanced tree by tree, then given lanes; or dealt out on lanes that are orders of the "
                    "channels, "
                    "all at once: 65,536 hosts in seconds, and no other parameter is taken; auto: dealt in "
                    "tables of more than 100 million entries, but of trees, and where no other parameter is "
                    "given",
            .fallback = "auto",
            .choices = {"auto", "balanced", "dealt"}}},
      .promise = {.deadlock_free = true, .minimal = true},
      .run = run_dfsssp,
      .heeds = kGuidedTrees,
  };
}

}  // namespace unknot
