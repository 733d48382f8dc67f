// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "unknot/lanes/arc_levels.hpp"
#include "unknot/lanes/forced_cycle.hpp"
#include "unknot/lanes/minimum_lanes.hpp"
#include "unknot/routing/engines.hpp"
#include "unknot/routing/orders/masked_trees.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostRouters = 150;

/// Orders of the channels under which the routing's paths rise on their lanes.
LaneOrders orders_of(const Network& network, const Routing& routing) {
  LaneOrders orders(network, routing.virtual_lanes);
  for (std::uint32_t lane = 0; lane < routing.virtual_lanes; ++lane) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> dependencies;
    for (const TerminalId destination : network.terminals()) {
      for (const RouterId source : network.routers()) {
        const IdRange<TerminalId> here = network.terminals_at(source);
        if (here.empty() || routing.service_levels.get(here[0], destination) != lane) continue;
        ChannelId held = routing.table().next(network, source, destination);
        while (held.valid()) {
          const ChannelId wanted = routing.table().next(network, network.target(held), destination);
          if (wanted.valid()) dependencies.emplace_back(held.value, wanted.value);
          held = wanted;
        }
      }
    }
    const std::vector<std::uint32_t> number =
        arc_levels(ArcSpace(network.channel_count(), std::move(dependencies)));
    std::vector<std::uint32_t> channels(network.channel_count());
    std::iota(channels.begin(), channels.end(), 0U);
    std::stable_sort(channels.begin(), channels.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return number[a] < number[b]; });
    orders.set_order(lane, channels);
  }
  return orders;
}

/// Terminals' trees inside the orders of the routing, balanced.
Routing balanced(const Network& network, const Routing& routing, const EngineRequest& request,
                 const Progress& progress) {
  PathDags dags(network);
  const std::vector<CoverDag> covers = cover_dags(network, dags, nullptr);
  const LaneOrders orders = orders_of(network, routing);
  MaskedTrees trees(network, covers, orders, routing.table());
  std::vector<std::uint32_t> order(network.terminal_count());
  std::iota(order.begin(), order.end(), 0U);
  Random random(request.seed);
  for (std::uint32_t pass = 0; pass < request.parameters.number32("passes"); ++pass) {
    if (pass > 0) random.shuffle(order);
    trees.rebalance(order, progress);
  }
  for (std::uint32_t pass = 0; pass < request.parameters.number32("polish"); ++pass) {
    trees.polish(order, progress);
  }
  return trees.routing();
}

Routing run_exact(const Network& network, const EngineRequest& request, Progress& progress) {
  SatLimits limits;
  limits.conflicts = request.parameters.number("conflicts");
  const std::uint32_t least = forced_cycle(network).empty() ? 1 : 2;
  for (std::uint32_t lanes = least; lanes <= request.virtual_lanes; ++lanes) {
    progress.begin("exact", 0);
    Routing found;
    const SatAnswer answer = shortest_paths_fit(network, lanes, limits, progress, &found);
    if (progress.interrupted()) throw Interrupted();
    if (answer != SatAnswer::satisfiable) continue;
    Routing routing = balanced(network, found, request, progress);
    routing.engine = "exact";
    return routing;
  }
  throw RoutingFailure(fmt::format("exact: no routing on shortest paths was found within {} virtual lanes",
                                   request.virtual_lanes));
}

std::string unsuitable(const Network& network) {
  if (network.router_count() <= kMostRouters) return "";
  return fmt::format("it has {} routers, an exact search is for at most {}", network.router_count(),
                     kMostRouters);
}

}  // namespace

Engine exact_engine() {
  return {
      .name = "exact",
      .summary = "the fewest virtual lanes for shortest paths, by satisfiability; for up to 150 routers",
      .parameters = {{.name = "conflicts",
                      .help = "work for each number of lanes, in conflicts of the solver; then one lane more",
                      .fallback = "30000",
                      .min = 1,
                      .max = 2000000000},
                     {.name = "passes",
                      .help = "times each tree is rebuilt against all others",
                      .fallback = "4",
                      .max = 1000},
                     {.name = "polish",
                      .help = "times each tree is polished against collisions of flows",
                      .fallback = "2",
                      .max = 1000}},
      .promise = {.deadlock_free = true, .minimal = true},
      .unsuitable = unsuitable,
      .run = run_exact,
  };
}

}  // namespace unknot
