// SPDX-License-Identifier: Apache-2.0
// Cost of routing over many paths on one thread: proof of a lane scheme, channel loads, tables of all
// shortest paths, and the paths that the checker lists.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <iterator>
#include <string>

#include "unknot/oblivious/explicit_check.hpp"
#include "unknot/oblivious/minimal_paths.hpp"
#include "unknot/oblivious/oblivious_dependencies.hpp"
#include "unknot/oblivious/oblivious_load.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/deadlock_proof.hpp"

namespace {

using namespace unknot;

struct Case {
  const char* fabric;
  ObliviousPaths paths;
  const char* scheme;
};

constexpr Case kCases[] = {
    {"slimfly:q=13,p=9", ObliviousPaths::minimal, "hop"},
    {"slimfly:q=13,p=9", ObliviousPaths::valiant, "hop"},
    {"mlfm:15", ObliviousPaths::valiant, "phase"},
    {"oft:12", ObliviousPaths::valiant, "phase"},
    {"torus:8x8x8", ObliviousPaths::valiant, "phase"},
    {"slimfly:q=29,p=21", ObliviousPaths::valiant, "hop"},
};
constexpr std::size_t kListed = 4;  // of them, by the checker

std::string label(const Case& c) {
  return std::string(c.fabric) + " " + std::string(name_of(c.paths)) + " " + c.scheme;
}

void prove_scheme(benchmark::State& state) {
  const Case& c = kCases[state.range(0)];
  const Network network = make_network(c.fabric);
  Progress silent;
  std::uint64_t arcs = 0;
  for (auto _ : state) {
    const PathLengths lengths = path_lengths(network, c.paths, 1, silent);
    const DependencyGraph graph =
        oblivious_dependencies(network, lengths, make_lane_scheme(lengths, c.scheme), 1, silent);
    benchmark::DoNotOptimize(prove(network, FlowControl::credits, graph).deadlock_free);
    arcs = graph.arc_count();
  }
  state.SetLabel(label(c));
  state.counters["arcs"] = static_cast<double>(arcs);
}

void spread_load(benchmark::State& state) {
  const Case& c = kCases[state.range(0)];
  const Network network = make_network(c.fabric);
  const RouterDemand demand = RouterDemand::uniform(network);
  Progress silent;
  for (auto _ : state) benchmark::DoNotOptimize(oblivious_load(network, c.paths, demand, 1, silent).max);
  state.SetLabel(label(c));
}

void tabulate_paths(benchmark::State& state) {
  const Case& c = kCases[state.range(0)];
  const Network network = make_network(c.fabric);
  for (auto _ : state) benchmark::DoNotOptimize(MinimalPaths(network, 1).diameter());
  state.SetLabel(c.fabric);
}

void list_paths(benchmark::State& state) {
  const Case& c = kCases[state.range(0)];
  const Network network = make_network(c.fabric);
  Progress silent;
  const PathLengths lengths = path_lengths(network, c.paths, 1, silent);
  const LaneScheme scheme = make_lane_scheme(lengths, c.scheme);
  const DependencyGraph graph = oblivious_dependencies(network, lengths, scheme, 1, silent);
  std::uint64_t paths = 0;
  for (auto _ : state) paths = explicit_check(network, c.paths, scheme, graph, silent).paths;
  state.SetLabel(label(c));
  state.counters["paths"] =
      benchmark::Counter(static_cast<double>(paths) * state.iterations(), benchmark::Counter::kIsRate);
}

BENCHMARK(prove_scheme)->DenseRange(0, std::size(kCases) - 1)->Unit(benchmark::kMillisecond);
BENCHMARK(spread_load)->DenseRange(0, std::size(kCases) - 1)->Unit(benchmark::kMillisecond);
BENCHMARK(tabulate_paths)->DenseRange(0, std::size(kCases) - 1)->Unit(benchmark::kMillisecond);
BENCHMARK(list_paths)->DenseRange(0, kListed - 1)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
