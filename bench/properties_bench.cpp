// SPDX-License-Identifier: Apache-2.0
// How long structure takes to measure: all-pairs distances with path counts, and the bisection's upper bound.
#include <benchmark/benchmark.h>

#include "unknot/network/cuts/bisection.hpp"
#include "unknot/network/distances.hpp"
#include "unknot/topology/catalogue.hpp"

namespace {

const char* const kSpecs[] = {"torus:16x16x16", "jellyfish:routers=4096,degree=20", "slimfly:q=37",
                              "kary-ntree:k=18,n=3", "dragonfly:a=16,h=8"};

void distances(benchmark::State& state) {
  const unknot::Network network = unknot::make_network(kSpecs[state.range(0)]);
  double mean = 0;
  for (auto _ : state) mean = unknot::distance_statistics(network).mean_distance;
  state.SetLabel(network.description());
  state.counters["routers"] = network.router_count();
  state.counters["mean_distance"] = mean;
}
BENCHMARK(distances)->DenseRange(0, std::size(kSpecs) - 1)->Unit(benchmark::kMillisecond)->UseRealTime();

void bisection(benchmark::State& state) {
  const unknot::Network network = unknot::make_network(kSpecs[state.range(0)]);
  double per_terminal = 0;
  for (auto _ : state) per_terminal = unknot::bisection_upper_bound(network)->per_terminal;
  state.SetLabel(network.description());
  state.counters["channels"] = network.channel_count();
  state.counters["per_terminal"] = per_terminal;
}
BENCHMARK(bisection)->DenseRange(0, std::size(kSpecs) - 1)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
