// SPDX-License-Identifier: Apache-2.0
// Cost of bounds on throughput on one thread: the longest matching and its check, beside the distances that
// both need; listing paths, and the best split over them both ways.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <iterator>
#include <string>

#include "unknot/bounds/exchange.hpp"
#include "unknot/bounds/hose_bound.hpp"
#include "unknot/bounds/path_sets.hpp"
#include "unknot/bounds/path_split.hpp"
#include "unknot/network/distances_to.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace {

using namespace unknot;

constexpr const char* kNetworks[] = {
    "slimfly:q=29,p=21",                     // two distances
    "jellyfish:routers=2000,degree=16,p=8",  // four
    "jellyfish:routers=2000,degree=3,terminals=3500",
    "torus:12x12x12,p=2",
    "mesh:45x45",  // one of many matchings, each of many distances
};

void all_distances(benchmark::State& state) {
  const Network network = make_network(kNetworks[state.range(0)]);
  const InNeighbours neighbours(network);
  DistancesTo search(neighbours);
  std::uint64_t sum = 0;
  for (auto _ : state) {
    for (const RouterId r : network.routers()) {
      search.run(r);
      sum += search.distance()[0];
    }
  }
  benchmark::DoNotOptimize(sum);
  state.SetLabel(kNetworks[state.range(0)]);
}

void match(benchmark::State& state) {
  const Network network = make_network(kNetworks[state.range(0)]);
  Progress silent;
  for (auto _ : state) benchmark::DoNotOptimize(longest_matching(network, 1, silent).parts.size());
  state.SetLabel(kNetworks[state.range(0)]);
}

void check_matching(benchmark::State& state) {
  const Network network = make_network(kNetworks[state.range(0)]);
  Progress silent;
  const LongestMatching matching = longest_matching(network, 1, silent);
  HoseBound bound;
  for (auto _ : state) bound = check_hose_bound(network, matching, 1, silent);
  state.SetLabel(kNetworks[state.range(0)]);
  state.counters["tub"] = bound.throughput();
}

struct Case {
  const char *fabric, *pattern, *set;
};
constexpr Case kSplits[] = {
    {"slimfly:q=5,p=3", "worst-case", "ugal"},
    {"slimfly:q=13,p=9", "worst-case", "shortest:8"},
    {"torus:4x4x4", "uniform", "shortest:4"},
    {"jellyfish:routers=200,degree=10,p=5", "permutation", "shortest:8"},
};

std::string label(const Case& c) {
  return std::string(c.fabric) + " " + c.pattern + " " + c.set;
}

void list_paths(benchmark::State& state) {
  const Case& c = kSplits[state.range(0)];
  const Network network = make_network(c.fabric);
  const RouterDemand demand = exchange_of(network, make_pattern(network, c.pattern), 1, 0).between;
  Progress silent;
  std::size_t paths = 0;
  for (auto _ : state) paths = make_path_lists(network, demand, c.set, silent).path_count();
  state.SetLabel(label(c));
  state.counters["paths"] = static_cast<double>(paths);
}

void split(benchmark::State& state) {
  const Case& c = kSplits[state.range(0)];
  const Network network = make_network(c.fabric);
  const RouterDemand demand = exchange_of(network, make_pattern(network, c.pattern), 1, 0).between;
  Progress silent;
  const PathLists lists = make_path_lists(network, demand, c.set, silent);
  FlowCheck check;
  for (auto _ : state) {
    check = check_split(network, lists,
                        state.range(1) == 1 ? split_by_program(network, lists)
                                            : split_by_potential(network, lists, 0.05, 0, 500, silent));
  }
  state.SetLabel(label(c) + (state.range(1) == 1 ? ", linear program" : ", potential"));
  state.counters["lower"] = check.lower;
  state.counters["upper"] = check.upper;
}

BENCHMARK(all_distances)->DenseRange(0, std::size(kNetworks) - 1)->Unit(benchmark::kMillisecond);
BENCHMARK(match)->DenseRange(0, std::size(kNetworks) - 1)->Unit(benchmark::kMillisecond);
BENCHMARK(check_matching)->DenseRange(0, std::size(kNetworks) - 1)->Unit(benchmark::kMillisecond);
BENCHMARK(list_paths)->DenseRange(0, std::size(kSplits) - 1)->Unit(benchmark::kMillisecond);
BENCHMARK(split)
    ->ArgsProduct({benchmark::CreateDenseRange(0, std::size(kSplits) - 1, 1), {0, 1}})
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
