// SPDX-License-Identifier: Apache-2.0
// Lanes that this project's own pages had left open: fewer for the same bandwidth, and the fewest there are.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/lanes/forced_cycle.hpp"
#include "unknot/load/congestion.hpp"
#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/routing/orders/fewest_lanes.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMatchings = 200;
constexpr std::uint64_t kMatchingSeed = 1;  // as `route --samples 200` draws them

/// Networks for which two lanes are enough, and how much work it takes to see it.
struct TwoLanes {
  std::string spec;
  std::uint32_t units;
};

std::vector<TwoLanes> two_lanes() {
  std::vector<TwoLanes> all = {
      {"kautz:b=6,n=3,terminals=4096", 1}, {"twisted-torus:4x4x8", 1}, {"torus:6x6x6", 2}};
  for (const std::uint32_t seed : {1, 2, 3, 4, 5, 6, 7, 9}) {
    all.push_back({fmt::format("random:switches=128,links=450,terminals=128,seed={}", seed), 2});
  }
  for (const std::uint32_t seed : {1, 2, 3, 4, 5, 6, 7, 8, 9}) {
    all.push_back({fmt::format("random:switches=200,links=1000,terminals=200,seed={}", seed), 2});
  }
  return all;
}

/// Bandwidth of an engine's tables within a budget of lanes, which the independent checker has seen.
struct Measured {
  std::uint32_t lanes = 0;
  double bandwidth = 0;
  bool proven = false;  ///< free of deadlock, each path shortest and on one lane from end to end
};

Measured measure(const Network& network, const std::string& engine, std::uint32_t most_lanes,
                 const ExperimentRequest& request, Progress& progress) {
  EngineRequest wanted;
  wanted.virtual_lanes = most_lanes;
  wanted.seed = request.seed;
  wanted.threads = request.threads;
  const Routing routing = route(network, engine, wanted, progress);
  const Verdict verdict = verify(network, routing, {}, progress);
  return {routing.virtual_lanes,
          congestion(network, routing, make_pattern(network, "bisection"), kMatchings, kMatchingSeed,
                     request.threads, progress)
              .effective_bisection_bandwidth,
          verdict.minimal() && verdict.deadlock_free && routing.lane_map == nullptr};
}

void add_torus(Reproduction& result, const ExperimentRequest& request, Progress& progress) {
  const std::uint32_t k = request.parameters.number32("extent");
  const Network network = make_network(fmt::format("torus:{}x{}x{}", k, k, k));
  const Measured grid = measure(network, "dor", 8, request, progress);
  const Measured ours = measure(network, "unknot", 3, request, progress);
  result.rows.push_back(claim(
      fmt::format("torus:{}x{}x{} on 3 lanes", k, k, k), "0.527; 0.577 on 4 lanes",
      fmt::format("{:.4f} on {} lanes; dimension order {:.4f}", ours.bandwidth, ours.lanes, grid.bandwidth),
      ours.proven && ours.lanes <= 3 && ours.bandwidth >= 0.99 * grid.bandwidth,
      "3 lanes, within 1 % of dimension order, whose packets change lanes"));
}

void add_random(Reproduction& result, const ExperimentRequest& request, Progress& progress) {
  ReproducedTable table{"random:switches=128,links=200,terminals=2048",
                        {"seed", "lanes", "eBB", "sssp's eBB, lanes ignored"},
                        {}};
  const std::uint32_t seeds = request.parameters.number32("seeds");
  double lanes = 0;
  double bandwidth = 0;
  double reference = 0;
  bool proven = true;
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    const Network network =
        make_network(fmt::format("random:switches=128,links=200,terminals=2048,seed={}", seed));
    const Measured sssp = measure(network, "sssp", 8, request, progress);
    const Measured ours = measure(network, "unknot", 8, request, progress);
    lanes += ours.lanes;
    bandwidth += ours.bandwidth;
    reference += sssp.bandwidth;
    proven = proven && ours.proven;
    table.lines.push_back({std::to_string(seed), std::to_string(ours.lanes),
                           fmt::format("{:.4f}", ours.bandwidth), fmt::format("{:.4f}", sssp.bandwidth)});
  }
  result.rows.push_back(claim(
      "random, 128 switches, 200 cables, mean", "5.40 lanes, 0.0658; 4 lanes, 0.0652",
      fmt::format("{:.2f} lanes, {:.4f}; sssp {:.4f}", lanes / seeds, bandwidth / seeds, reference / seeds),
      proven && lanes <= 4.0 * seeds && bandwidth >= reference, "4 lanes, no less than sssp"));
  result.tables.push_back(std::move(table));
}

void add_fewest(Reproduction& result, const ExperimentRequest& request, Progress& progress) {
  const std::vector<TwoLanes> all = two_lanes();
  const std::size_t count = std::min<std::size_t>(all.size(), request.parameters.number("networks"));
  for (std::size_t i = 0; i < count; ++i) {
    const Network network = make_network(all[i].spec);
    const std::size_t circle = forced_cycle(network).size();
    const std::optional<Routing> found =
        shortest_paths_on(network, 2, all[i].units, request.seed, request.threads, progress);
    bool proven = false;
    if (found) {
      const Verdict verdict = verify(network, *found, {}, progress);
      proven = circle > 0 && found->virtual_lanes == 2 && verdict.minimal() && verdict.deadlock_free;
    }
    result.rows.push_back(
        claim(fmt::format("{}: fewest lanes", all[i].spec), "2 to 3",
              proven ? fmt::format("2: a circle of {} forced dependencies, tables on 2", circle) : "2 to 3",
              proven, "both bounds the same"));
  }
}

Reproduction run_open_lanes(const ExperimentRequest& request, Progress& progress) {
  Reproduction result;
  result.title = "Lanes that were open";
  result.text = {
      "Values that pages of this project had left open. A lane holds for a path from end to end, and "
      "all paths are shortest. Every table here is looked at by the independent checker. eBB is the "
      "effective bisection bandwidth of the 200 matchings that `unknot route --samples 200` draws. "
      "\"Published\" is what the pages had before.",
      "The torus. A lane cuts each ring, in each direction, at one router. If all rings of a dimension "
      "are cut alike, dimensions block lanes independently of each other, and a path may lose lane 1 "
      "in the first, lane 2 in the second and lane 3 in the third: then eight lanes are needed, or SL- "
      "to-VL tables. Cuts that differ from ring to ring prevent it. On k x k routers, k even, cuts of "
      "row y at column y on one lane and y + k/2 on the other, and of columns likewise, leave every "
      "path in dimension order a lane. On 8x8x8 and three lanes a search moves one cut after the other "
      "until nearly no pair is left; the engine goes on from there.",
      "The random networks. Before, trees were balanced inside of lanes that had been found without a "
      "thought for balance. Now trees are balanced as if there were no deadlock, and the lanes moved "
      "until they allow nearly all of these paths.",
      "The fewest lanes. At least two: a circle of dependencies of pairs that have a single shortest "
      "path (`unknot lanes` prints it). Enough: orders of the channels, found by `unknot lanes FABRIC "
      "--search 2`. What stays open: [lanes.md](lanes.md)."};
  add_torus(result, request, progress);
  add_random(result, request, progress);
  add_fewest(result, request, progress);
  return result;
}

}  // namespace

Experiment open_lanes_experiment() {
  return {.name = "open-lanes",
          .summary = "fewer lanes for the same bandwidth, and the fewest lanes of 20 networks",
          .paper = "This project: lanes.md and lanes-and-balance.md",
          .place = "tables",
          .typical_seconds = 60,
          .quick = "extent=5,seeds=1,networks=2",
          .parameters = {{.name = "extent",
                          .kind = ParameterKind::number,
                          .help = "routers along each side of the torus",
                          .fallback = "8",
                          .min = 5,
                          .max = 12},
                         {.name = "seeds",
                          .kind = ParameterKind::number,
                          .help = "random networks",
                          .fallback = "5",
                          .min = 1,
                          .max = 15},
                         {.name = "networks",
                          .kind = ParameterKind::number,
                          .help = "networks whose fewest lanes are sought",
                          .fallback = "20",
                          .min = 0,
                          .max = 20}},
          .run = run_open_lanes};
}

}  // namespace unknot
