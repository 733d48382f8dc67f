// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "unknot/network/bfs.hpp"
#include "unknot/routing/engines.hpp"
#include "unknot/routing/nue/nue_lane.hpp"
#include "unknot/routing/nue/ordered_trees.hpp"
#include "unknot/routing/up_down/up_down_order.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

/// Once all lanes together have looked at this many dependencies they only finish what is needed: about a
/// second of work on one core.
constexpr std::uint64_t kMostSteps = 60'000'000;
constexpr std::size_t kSampledDestinations = 32;  // of a lane, to find a router in their midst

/// Routers with terminals, neighbours together: breadth first from a router at the rim.
std::vector<RouterId> destinations_by_place(const Network& network, const UpDownOrder& order) {
  std::vector<RouterId> list;
  std::vector<std::uint8_t> seen(network.router_count(), 0);
  std::vector<std::uint32_t> queue;
  for (std::size_t i = order.top_down.size(); i-- > 0;) {
    if (seen[order.top_down[i]] != 0) continue;
    seen[order.top_down[i]] = 1;
    queue.assign(1, order.top_down[i]);
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const RouterId r(queue[head]);
      if (!network.terminals_at(r).empty()) list.push_back(r);
      for (const ChannelId c : network.out(r)) {
        const std::uint32_t next = network.target(c).value;
        if (seen[next] != 0) continue;
        seen[next] = 1;
        queue.push_back(next);
      }
    }
  }
  return list;
}

/// The router nearest to a lane's destinations, by their mean distance: as in the paper each lane has a root
/// of its own, so that the detours of all lanes do not meet at one place.
RouterId central_to(const Network& network, const std::vector<RouterId>& destinations) {
  BreadthFirstSearch search(network);
  std::vector<std::uint64_t> sum(network.router_count(), 0);
  const std::size_t samples = std::min(kSampledDestinations, destinations.size());
  for (std::size_t i = 0; i < samples; ++i) {
    const std::span<const std::uint32_t> distance =
        search.to(destinations[i * destinations.size() / samples]);
    for (std::size_t r = 0; r < sum.size(); ++r) sum[r] += distance[r];
  }
  return RouterId(static_cast<std::uint32_t>(std::min_element(sum.begin(), sum.end()) - sum.begin()));
}

/// Everything that the attempts at one lane share.
struct Task {
  const Network& network;
  const ArcSpace& dependencies;
  const UpDownOrder& order;
  bool own_roots;  // each lane begins from a root of its own, not from the order
  std::uint64_t seed;
  std::uint32_t starts;
  std::uint64_t most_steps;  // of one lane
};

/// The best of several attempts at a lane: the first from the central router with neighbours in turn, the
/// others from a router, and every second in an order of destinations, drawn by lot. Few hops count.
void route_lane(const Task& task, std::uint32_t lane, std::vector<RouterId> destinations,
                OrderedLanes& result) {
  std::uint64_t best = ~0ULL;
  std::uint64_t steps_left = task.most_steps;
  for (std::uint32_t start = 0; start < task.starts; ++start) {
    UpDownOrder order = task.order;
    if (start == 0 && task.own_roots)
      order = order_below(task.network, {central_to(task.network, destinations)});
    if (start > 0) {
      Random random(task.seed, std::uint64_t{lane} << 32 | start);
      order = order_below(task.network, {RouterId(random.below(task.network.router_count()))});
      if (start % 2 == 0) random.shuffle(destinations);
    }
    NueLane attempt(task.network, task.dependencies, order);
    std::vector<NueTree> trees = attempt.route(destinations, steps_left);
    const bool last = attempt.steps() >= steps_left;
    steps_left -= std::min(steps_left, attempt.steps());
    if (attempt.cost() < best) {
      best = attempt.cost();
      for (NueTree& tree : trees) result.tree[tree.root] = std::move(tree);
      result.positions[lane] = attempt.positions();
    }
    if (last || attempt.shortest()) break;
  }
}

Routing run_nue(const Network& network, const EngineRequest& request, Progress& progress) {
  const std::vector<std::vector<RouterId>> tops = tree_roots(network);
  const UpDownOrder order =
      order_below(network, tops.empty() ? std::vector<RouterId>{central_router(network)} : tops.front());
  const std::vector<RouterId> destinations = destinations_by_place(network, order);
  const auto count = static_cast<std::uint32_t>(destinations.size());
  const std::uint32_t lanes = std::max(1U, std::min(request.virtual_lanes, count));
  const ArcSpace dependencies = ArcSpace::of_dependencies(network);
  const Task task{network,
                  dependencies,
                  order,
                  tops.empty() && lanes > 1,
                  request.seed,
                  request.parameters.number32("starts"),
                  kMostSteps / lanes};

  OrderedLanes ordered;
  ordered.positions.resize(lanes);
  ordered.lane.assign(network.router_count(), 0);
  ordered.tree.resize(network.router_count());
  std::vector<std::vector<RouterId>> share(lanes);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto lane = static_cast<std::uint32_t>(std::uint64_t{i} * lanes / count);
    share[lane].push_back(destinations[i]);
    ordered.lane[destinations[i].value] = static_cast<std::uint8_t>(lane);
  }
  progress.begin("lanes", 0);
  parallel_blocks(lanes, 1, request.threads, [&](std::uint32_t, std::uint32_t lane, std::uint32_t) {
    if (progress.interrupted()) throw Interrupted();
    route_lane(task, lane, share[lane], ordered);
  });

  Routing routing;
  routing.engine = "nue";
  routing.paths = balanced_ordered_trees(network, ordered, request.parameters.number32("passes"), progress);
  routing.virtual_lanes = lanes;
  routing.lanes_needed = lanes;
  if (lanes > 1) {
    routing.service_levels = ServiceLevels(network, ServiceLevels::Rows::by_router);
    for (std::uint32_t row = 0; row < routing.service_levels.row_count(); ++row) {
      const auto levels = routing.service_levels.row(row);
      for (const TerminalId t : network.terminals())
        levels[t.value] = ordered.lane[network.router_of(t).value];
    }
  }
  return routing;
}

std::string unsuitable(const Network& network) {
  for (const ChannelId c : network.channels()) {
    if (!network.reverse(c).valid()) {
      return fmt::format("{} is one-way, escape paths need both directions", network.channel_name(c));
    }
  }
  return "";
}

}  // namespace

Engine nue_engine() {
  return {
      .name = "nue",
      .summary =
          "any number of lanes, from one: trees grown inside acyclic dependencies, detours where needed",
      .parameters = {{.name = "starts",
                      .help = "attempts at a lane, the shortest wins; fewer on large networks",
                      .fallback = "10",
                      .min = 1,
                      .max = 1000000},
                     {.name = "passes",
                      .help = "rounds in which each tree is rebuilt against the loads of all others",
                      .fallback = "2",
                      .max = 1000}},
      .promise = {.deadlock_free = true, .minimal = false},
      .unsuitable = unsuitable,
      .run = run_nue,
  };
}

}  // namespace unknot
