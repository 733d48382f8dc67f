// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unknot/routing/engines.hpp"
#include "unknot/routing/orders/cover_dag.hpp"
#include "unknot/routing/orders/order_search.hpp"
#include "unknot/routing/orders/start_orders.hpp"
#include "unknot/routing/source_routed/order_annealing.hpp"
#include "unknot/routing/source_routed/order_repair.hpp"
#include "unknot/routing/source_routed/rising_routes.hpp"
#include "unknot/routing/trees/path_dag.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kMostPairs = 16'000'000;  // of terminals and routers: some 500 MiB
constexpr std::uint32_t kMostTerminals = 8192;    // the routes of all pairs: some 1.5 GiB
constexpr double kLooksAPair = 200;               // of routers, to find orders; half as many to widen them
constexpr std::uint64_t kFewOf = 40;              // pairs: one left over is few
constexpr double kUnionsAPair = 35'000;           // where more are left: some 15 microseconds a pair,
constexpr double kFewestMoves = 15;               // but with so many moves a channel at least
constexpr double kMostMoves = 120;                // and at most
constexpr std::uint64_t kRepairs = 20'000;        // moves; where they help, some hundred are enough
constexpr double kFirstPower = 2;                 // of the loads, as prices
constexpr double kLastPower = 24;
constexpr std::uint16_t kUnjoined = 0xFFFF;

/// Pairs (terminal, router with terminals) that no path joins. `level`: as cover_dags() gives it.
std::uint64_t unjoined_pairs(const Network& network, const std::vector<std::uint16_t>& level) {
  std::uint64_t pairs = 0;
  for (std::size_t i = 0; i < level.size(); ++i) {
    const RouterId r(static_cast<std::uint32_t>(i % network.router_count()));
    if (level[i] == kUnjoined) pairs += network.terminals_at(r).size();
  }
  return pairs;
}

/// Each is unions of words for every channel.
double annealing_moves(const Network& network, std::size_t pairs) {
  const double channels = std::max(1U, network.channel_count());
  const double words = std::ceil(static_cast<double>(pairs) / network.router_count() / 64);
  const double a_channel = kUnionsAPair * static_cast<double>(pairs) / (channels * channels * words);
  return channels * std::clamp(a_channel, kFewestMoves, kMostMoves);
}

/// First the search of `unknot`, for trees of all destinations: where it comes to nearly all pairs, such
/// orders leave routes the most choice. Where it is far from that, each pair is looked after for itself, as
/// routes are not bound to trees.
void search_orders(const Network& network, const std::vector<CoverDag>& dags,
                   const std::vector<std::uint16_t>& level, const EngineRequest& request, Progress& progress,
                   LaneOrders& orders) {
  const double effort = request.parameters.real("effort");
  const auto looks = static_cast<std::uint64_t>(effort * kLooksAPair * static_cast<double>(level.size()));
  progress.begin("orders of channels", 0);
  const auto search_trees = [&](std::uint64_t most) {
    OrderSearch search(network, dags, level, orders, OrderSearch::Tie::first, request.seed);
    const std::uint64_t before = search.looks();
    search.run(std::min(most, looks / 4), progress);
    if (search.uncovered() > level.size() / kFewOf) return false;
    search.run(most - std::min(most, search.looks() - before), progress);
    search.widen(looks / 2, progress);
    return true;
  };
  if (!search_trees(looks)) {
    OrderAnnealing annealing(network, level, orders, request.seed);
    const double moves = effort * annealing_moves(network, level.size());
    if (annealing.run(static_cast<std::uint64_t>(moves), progress) == 0) (void)search_trees(looks / 4);
  }
  OrderRepair(network, orders, request.seed).run(kRepairs, progress);
}

Routing run_source_routed(const Network& network, const EngineRequest& request, Progress& progress) {
  const std::uint32_t rounds = request.parameters.number32("rounds");
  PathDags paths(network);
  std::vector<std::uint16_t> level;
  const std::vector<CoverDag> dags = cover_dags(network, paths, &level);
  LaneOrders orders(network, request.virtual_lanes);
  set_start_orders(network, StartOrders::up_down, 0, orders);
  const std::uint64_t unjoined = unjoined_pairs(network, level);
  search_orders(network, dags, level, request, progress, orders);
  progress.begin("routes", rounds);
  std::optional<RisingRoutes> routes(std::in_place, network, orders);
  std::uint64_t missing = routes->route_all(progress) - unjoined;
  if (missing > 0) {
    // One lane on which every pair has a route.
    orders.set_order(orders.lanes() - 1, up_then_down(network, breadth_first_ranks(network, 0)));
    routes.emplace(network, orders);
    missing = routes->route_all(progress) - unjoined;
  }
  if (missing > 0) {
    throw RoutingFailure(
        fmt::format("source-routed: {} pairs of a terminal and a router have no route of at most {} channels "
                    "on {} lanes: where cables go one way Up*/Down* may have none",
                    missing, RisingRoutes::kLongest, request.virtual_lanes));
  }
  Random random(request.seed);
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const double share = rounds == 1 ? 1 : static_cast<double>(round) / (rounds - 1);
    routes->balance(kFirstPower + (kLastPower - kFirstPower) * share, random, progress);
    progress.update(round + 1);
  }
  routes->spread_lanes(progress);
  Routing routing = routes->routing();
  routing.engine = "source-routed";
  return routing;
}

std::string too_many_pairs(const Network& network) {
  const std::uint64_t pairs = std::uint64_t{network.terminal_count()} * network.router_count();
  if (network.terminal_count() <= kMostTerminals && pairs <= kMostPairs) return "";
  return fmt::format(
      "it has {} terminals and {} routers, and a route for each pair is for at most {} terminals and {} "
      "pairs of "
      "terminals and routers",
      network.terminal_count(), network.router_count(), kMostTerminals, kMostPairs);
}

}  // namespace

Engine source_routed_engine() {
  return {
      .name = "source-routed",
      .summary =
          "a route for each pair of terminals, balanced, which its source writes into packets; for any "
          "network",
      .parameters = {{.name = "effort",
                      .kind = ParameterKind::real,
                      .help = "work of the search for lanes, in units of the usual",
                      .fallback = "1",
                      .max = 1e6},
                     {.name = "rounds",
                      .help = "times each route is balanced against all others",
                      .fallback = "30",
                      .max = 10000}},
      .promise = {.deadlock_free = true, .minimal = false},
      .unsuitable = too_many_pairs,
      .run = run_source_routed,
      .gives_routes = true,
      .routes_parts = true,
  };
}

}  // namespace unknot
