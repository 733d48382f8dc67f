// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/network/distances_to.hpp"
#include "unknot/routing/engines.hpp"
#include "unknot/routing/multipath/layer_annealing.hpp"
#include "unknot/routing/multipath/moving_tree.hpp"
#include "unknot/routing/multipath/rising_lanes.hpp"
#include "unknot/routing/multipath/tuned_layers.hpp"
#include "unknot/routing/trees/least_served.hpp"
#include "unknot/routing/trees/path_dag.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostDistance = 4;
constexpr double kBlindPart = 0.025;  // of the effort, before layers are tuned to traffic

/// Longest shortest path between routers with terminals.
std::uint32_t longest_distance(const Network& network) {
  const InNeighbours neighbours(network);
  DistancesTo distances(neighbours);
  std::uint32_t longest = 0;
  for (const RouterId root : network.routers()) {
    if (network.terminals_at(root).empty()) continue;
    distances.run(root);
    for (const RouterId r : network.routers()) {
      if (!network.terminals_at(r).empty() && distances.distance()[r.value] != DistancesTo::kUnreached)
        longest = std::max(longest, distances.distance()[r.value]);
    }
  }
  return longest;
}

/// The flows of a pattern on the network in which each host has one address, between first addresses.
std::vector<Flow> flows_between_hosts(const Network& network, const std::string& spec, std::uint64_t seed,
                                      Progress& progress) {
  std::vector<TerminalId> first;
  NetworkBuilder builder;
  for (std::uint32_t r = 0; r < network.router_count(); ++r) (void)builder.add_router();
  for (const ChannelId c : network.channels()) {
    const ChannelId back = network.reverse(c);
    if (!back.valid()) {
      builder.add_channel(network.source(c), network.target(c));
    } else if (c < back) {
      builder.add_cable(network.source(c), network.target(c));
    }
  }
  for (const TerminalId t : network.terminals()) {
    if (network.further_address(t)) continue;
    builder.add_terminal(network.router_of(t));
    first.push_back(t);
  }
  Network hosts = std::move(builder).build();
  if (network.coordinates() != nullptr)
    hosts = NetworkBuilder::with_coordinates(std::move(hosts), *network.coordinates());
  const TrafficPattern pattern = make_pattern(hosts, spec, progress);
  if (pattern.all_pairs || pattern.uniform_mean) {
    throw InputError(fmt::format(
        "layers:pattern={} has traffic between all hosts alike: layers without a pattern are for that",
        spec));
  }
  std::vector<Flow> flows;
  pattern.flows(seed, 0, flows);
  for (Flow& flow : flows) {
    flow.source = first[flow.source.value];
    flow.destination = first[flow.destination.value];
  }
  return flows;
}

/// Channels of the longest path, which is also how many lanes there are.
std::uint32_t most_hops(const Network& network, const EngineRequest& request) {
  const std::uint32_t least = std::max(1U, longest_distance(network));
  const auto asked = static_cast<std::uint32_t>(request.parameters.number("hops"));
  if (request.virtual_lanes < std::max(least, asked)) {
    throw RoutingFailure(
        fmt::format("layers takes a lane for each hop of the longest path, {} here, and {} are allowed",
                    std::max(least, asked), request.virtual_lanes),
        std::max(least, asked));
  }
  if (asked > 0) return std::max(least, asked);
  return std::min(request.virtual_lanes, std::max(least + 1, std::min(2 * least, 4U)));
}

/// Shortest paths: balanced to the first address of each port, at random to the others.
LayerTrees shortest_trees(const Network& network, const EngineRequest& request, Progress& progress) {
  LayerTrees trees(network);
  PathDags dags(network);
  LeastServed balanced(network, {});
  std::vector<std::uint32_t> ways;
  progress.begin("trees", network.terminal_count());
  for (const TerminalId t : network.terminals()) {
    const RouterId root = network.router_of(t);
    const PathDag& dag = dags.towards(root);
    const std::span<std::uint32_t> hops = trees.towards(t);
    Random random(request.seed, t.value);
    if (!network.further_address(t)) balanced.begin(t);
    for (std::uint32_t i = 0; i < dag.positions(); ++i) {
      const std::span<const std::uint32_t> candidates(&dag.channel[dag.first[i]],
                                                      dag.first[i + 1] - dag.first[i]);
      hops[dag.order[i]] = network.further_address(t)
                               ? candidates[random.below(static_cast<std::uint32_t>(candidates.size()))]
                               : balanced.take(candidates, RouterId(dag.order[i]), t);
    }
    if (progress.interrupted()) throw Interrupted();
    progress.update(t.value + 1);
  }
  return trees;
}

template <class Entry>
void store(const Network& network, const LayerTrees& trees, ForwardingTable& table) {
  Entry* const entries = table.entries<Entry>().data();
  for (const TerminalId t : network.terminals()) {
    const std::span<const std::uint32_t> hops = trees.towards(t);
    for (const RouterId r : network.routers()) {
      if (hops[r.value] == LayerTrees::kNone) continue;
      entries[std::size_t{r.value} * network.terminal_count() + t.value] =
          static_cast<Entry>(hops[r.value] - network.out(r).first());
    }
  }
}

/// Rising lanes, and sixteen levels for them, are for few hops.
std::string long_paths(const Network& network) {
  const std::uint32_t longest = longest_distance(network);
  if (longest <= kMostDistance) return {};
  return fmt::format("its shortest paths take up to {} channels, and layers are for {} at most", longest,
                     kMostDistance);
}

Routing run_layers(const Network& network, const EngineRequest& request, Progress& progress) {
  const std::uint32_t hops = most_hops(network, request);
  LayerTrees trees = shortest_trees(network, request, progress);
  const std::string& pattern = request.parameters.text("pattern");
  LayerAnnealing how{.most_hops = hops,
                     .effort = request.parameters.real("effort"),
                     .seed = request.seed,
                     .threads = request.threads};
  if (!pattern.empty()) {
    const std::vector<Flow> flows = flows_between_hosts(network, pattern, request.seed, progress);
    LayerAnnealing start = how;
    start.effort *= kBlindPart;
    anneal_layers(network, start, trees, progress);
    tune_layers(network, flows, how, trees, progress);
  } else {
    anneal_layers(network, how, trees, progress);
  }
  RisingLanes lanes = rising_lanes(network, hops, trees, progress);
  Routing routing;
  routing.engine = "layers";
  routing.paths = ForwardingTable(network);
  routing.table().with_entry_type([&]<class Entry>(Entry) { store<Entry>(network, trees, routing.table()); });
  routing.service_levels = std::move(lanes.levels);
  routing.lane_map = std::move(lanes.map);
  routing.virtual_lanes = lanes.lanes;
  routing.lanes_needed = lanes.lanes;
  if (lanes.replaced > 0) {
    routing.report.note = fmt::format(
        "{} trees to further addresses are those to the first: no service level had room for others",
        lanes.replaced);
  }
  return routing;
}

}  // namespace

Engine layers_engine() {
  return {
      .name = "layers",
      .summary =
          "for low diameters: shortest paths to the first address of a host (LMC), longer ones apart "
          "from each other to the others; the lane rises at each hop",
      .parameters = {{.name = "hops",
                      .help = "channels of the longest path, and lanes; 0: 4 where the diameter is 2 or 3, "
                              "one more than the diameter elsewhere",
                      .fallback = "0",
                      .max = MovingTree::kMostHops - 1},
                     {.name = "effort",
                      .kind = ParameterKind::real,
                      .help = "moves that are tried, beside the usual number",
                      .fallback = "1",
                      .max = 1000},
                     {.name = "pattern",
                      .kind = ParameterKind::rest,
                      .help = "traffic that the layers are tuned to, a pattern with its parameters; other "
                              "traffic gets less than from blind layers",
                      .fallback = ""}},
      .promise = {.deadlock_free = true, .minimal = false},
      .unsuitable = long_paths,
      .run = run_layers,
  };
}

}  // namespace unknot
