// SPDX-License-Identifier: Apache-2.0
// Cost of checking and measuring tables: nanoseconds for each (router, destination) entry on one thread, and
// flows a second of the congestion sampler.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "fabrics.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/load/congestion.hpp"
#include "unknot/traffic/patterns/patterns.hpp"
#include "unknot/verify/table_walk.hpp"
#include "unknot/verify/verify.hpp"

namespace {

using namespace unknot;

struct Case {
  const char* name;
  std::uint32_t lanes;
  std::function<Network()> make;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"xgft-1024", 1, [] { return bench::two_level_tree(10, 5, 1024); }},
      {"xgft-2048", 1, [] { return bench::two_level_tree(14, 7, 2048); }},
      {"xgft-4096", 1, [] { return bench::two_level_tree(18, 9, 4096); }},
      {"xgft-11664", 1, [] { return bench::two_level_tree(24, 12, 11664); }},
      {"xgft-65536", 1, [] { return bench::two_level_tree(40, 20, 65536); }},
      {"xgft-65536-lanes", 8, [] { return bench::two_level_tree(40, 20, 65536); }},
      {"kautz-4096", 8, [] { return bench::kautz3(6, 4096); }},
      {"random-1024", 8, [] { return bench::random_fabric(64, 128, 1024, 1); }},
      {"torus-512", 8, [] { return bench::torus3(8); }},
  };
  return all;
}

struct Made {
  Network network;
  Routing routing;
};

/// Only the latest is kept: the largest takes some hundred megabytes.
const Made& made(std::size_t index) {
  static std::size_t held = static_cast<std::size_t>(-1);
  static std::unique_ptr<Made> one;
  if (held != index) {
    one = std::make_unique<Made>();
    one->network = cases()[index].make();
    one->routing = bench::spread_paths(one->network, cases()[index].lanes);
    held = index;
  }
  return *one;
}

void report(benchmark::State& state, const Made& m) {
  const double entries = static_cast<double>(m.network.router_count()) * m.network.terminal_count();
  state.SetLabel(cases()[static_cast<std::size_t>(state.range(0))].name);
  state.counters["entry"] = benchmark::Counter(
      entries, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Following all tables and building the dependency graph: what verify() does before any search for cycles.
void walk(benchmark::State& state) {
  const Made& m = made(static_cast<std::size_t>(state.range(0)));
  Progress silent;
  for (auto _ : state) benchmark::DoNotOptimize(walk_tables(m.network, m.routing, 1, 8, silent));
  report(state, m);
}

void whole_verdict(benchmark::State& state) {
  const Made& m = made(static_cast<std::size_t>(state.range(0)));
  Progress silent;
  VerifyOptions options;
  options.threads = 1;
  for (auto _ : state) benchmark::DoNotOptimize(verify(m.network, m.routing, options, silent));
  report(state, m);
}

void load(benchmark::State& state) {
  const Made& m = made(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(channel_load(m.network, m.routing, 1));
  report(state, m);
}

void bisection(benchmark::State& state) {
  const Made& m = made(static_cast<std::size_t>(state.range(0)));
  Progress silent;
  const TrafficPattern pattern = unknot::bisection(m.network.terminal_count());
  constexpr std::uint32_t kSamples = 20;
  for (auto _ : state)
    benchmark::DoNotOptimize(congestion(m.network, m.routing, pattern, kSamples, 1, 1, silent));
  state.SetLabel(cases()[static_cast<std::size_t>(state.range(0))].name);
  state.counters["flows"] =
      benchmark::Counter(static_cast<double>(kSamples * std::uint64_t{m.network.terminal_count() / 2}),
                         benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace

BENCHMARK(walk)->DenseRange(0, 8)->Unit(benchmark::kMillisecond);
BENCHMARK(whole_verdict)->DenseRange(0, 8)->Unit(benchmark::kMillisecond);
BENCHMARK(load)->DenseRange(0, 8)->Unit(benchmark::kMillisecond);
BENCHMARK(bisection)->DenseRange(0, 8)->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
