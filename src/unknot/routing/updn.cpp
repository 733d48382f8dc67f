// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unknot/routing/covers/dealt_by_size.hpp"
#include "unknot/routing/dealing/dealt_table.hpp"
#include "unknot/routing/dealing/legal_reach.hpp"
#include "unknot/routing/dealing/turned_tree.hpp"
#include "unknot/routing/engines.hpp"
#include "unknot/routing/up_down/level_order.hpp"
#include "unknot/routing/up_down/up_down_order.hpp"
#include "unknot/routing/up_down/up_down_table.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

Routing run_updn(const Network& network, const EngineRequest& request, Progress& progress) {
  Routing routing;
  routing.engine = "updn";
  const bool dealt =
      deals(network, "updn", request.parameters.text("paths"), unheeded(request.guidance, {.roots = true}));
  const std::vector<TerminalId> destinations = terminals_in_order(network, request.guidance);
  UpDownOrder order;
  std::optional<LegalReach> reach;
  const auto legal_missing = [&] {
    if (!dealt) return fill_least_served(network, order, destinations, routing.table(), progress);
    reach.emplace(network, order, LegalReach::Rule::shorter, request.threads);
    return reach->missing_pairs();
  };
  // Pairs that the order leaves without a path although the network connects them.
  const auto missing_in = [&](UpDownOrder tried) {
    order = std::move(tried);
    const std::uint64_t missing = legal_missing();
    return missing == 0 ? 0 : missing - std::min(missing, unconnected_pairs(network));
  };
  const auto missing_below = [&](const std::vector<RouterId>& roots) {
    return missing_in(order_below(network, roots));
  };
  std::uint64_t missing = 1;
  std::vector<RouterId> told = routers_with(network, request.guidance.roots);
  if (request.parameters.has("roots")) {
    if (!request.guidance.roots.empty())
      throw InputError("updn: roots are given twice: as roots= of the engine, and by --root-guids");
    told = parse_roots(network, request.parameters.text("roots"));
  }
  if (!told.empty()) {
    missing = missing_below(told);
    if (missing > 0) missing = missing_in(levels_below(network, told).order);
  } else {
    for (const std::vector<RouterId>& roots : tree_roots(network)) {
      missing = missing_below(roots);
      if (missing == 0) break;
    }
    if (missing > 0) {
      std::optional<UpDownOrder> turned = turned_tree(network, request.threads);
      if (turned) missing = missing_in(std::move(*turned));
    }
    if (missing > 0) missing = missing_below({central_router(network)});
  }
  if (missing > 0) {
    throw RoutingFailure(fmt::format(
        "updn: with these roots {} pairs have no path that goes up, then down; choose others", missing));
  }
  if (reach) routing.paths = dealt_table(network, *reach, request.threads, progress);
  require_up_down(network, order, routing.table());
  return routing;
}

}  // namespace

Engine updn_engine() {
  return {
      .name = "updn",
      .summary = "Up*/Down*: one lane, no packet goes down and then up",
      .parameters =
          {{.name = "roots",
            .kind = ParameterKind::text,
            .help = "routers at the top: ids, names or GUIDs joined by +, or @FILE; chosen if not given",
            .fallback = ""},
           {.name = "paths",
            .kind = ParameterKind::text,
            .help = "balanced by what channels serve so far; or dealt out by number, all at once; auto: "
                    "dealt in tables of more than 100 million entries, but of trees, else balanced",
            .fallback = "auto",
            .choices = {"auto", "balanced", "dealt"}}},
      .promise = {.deadlock_free = true, .minimal = false},
      .unsuitable = one_way_trouble,
      .run = run_updn,
      .heeds = {.roots = true, .order = true},
  };
}

}  // namespace unknot
