// SPDX-License-Identifier: Apache-2.0
// Adaptive routings: groups of all up/down ports made in memory, their proof, and the check of the proof's
// numbers, each by itself and the first two together.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "fabrics.hpp"
#include "unknot/routing/adaptive/adaptive_groups.hpp"
#include "unknot/verify/adaptive/adaptive_verdict.hpp"

namespace {

using namespace unknot;

const std::vector<std::function<Network()>>& networks() {
  static const std::vector<std::function<Network()>> all = {
      [] { return bench::two_level_tree(24, 12, 11664); },
      [] { return bench::two_level_tree(40, 20, 65536); },
  };
  return all;
}

AdaptiveRouting made(const Network& network, std::uint32_t threads) {
  Progress quiet;
  return up_down_groups(network, group_order(network), nullptr, threads, quiet);
}

AdaptiveVerdict proven(const Network& network, const AdaptiveRouting& routing, std::uint32_t threads) {
  Progress quiet;
  AdaptiveVerifyOptions options;
  options.threads = threads;
  options.certificate = true;
  return verify_adaptive(network, routing, options, quiet);
}

void label(benchmark::State& state, const Network& network) {
  state.counters["routers"] = network.router_count();
  state.counters["hosts"] = network.terminal_count();
  state.counters["threads"] = static_cast<double>(state.range(1));
}

void MakeGroups(benchmark::State& state) {
  const Network network = networks()[static_cast<std::size_t>(state.range(0))]();
  for (auto run : state) benchmark::DoNotOptimize(made(network, static_cast<std::uint32_t>(state.range(1))));
  label(state, network);
}

void ProveGroups(benchmark::State& state) {
  const Network network = networks()[static_cast<std::size_t>(state.range(0))]();
  const AdaptiveRouting routing = made(network, 0);
  for (auto run : state) {
    const AdaptiveVerdict verdict = proven(network, routing, static_cast<std::uint32_t>(state.range(1)));
    if (!verdict.delivers() || !verdict.deadlock_free()) state.SkipWithError("not proven");
  }
  label(state, network);
}

void MakeAndProveGroups(benchmark::State& state) {
  const Network network = networks()[static_cast<std::size_t>(state.range(0))]();
  const auto threads = static_cast<std::uint32_t>(state.range(1));
  for (auto run : state) {
    const AdaptiveRouting routing = made(network, threads);
    if (!proven(network, routing, threads).deadlock_free()) state.SkipWithError("not proven");
  }
  label(state, network);
}

void CheckNumbers(benchmark::State& state) {
  const Network network = networks()[static_cast<std::size_t>(state.range(0))]();
  const AdaptiveRouting routing = made(network, 0);
  const AdaptiveVerdict verdict = proven(network, routing, 0);
  for (auto run : state) {
    if (!check_adaptive_certificate(network, routing, *verdict.certificate, false,
                                    static_cast<std::uint32_t>(state.range(1)), nullptr))
      state.SkipWithError("refused");
  }
  label(state, network);
}

BENCHMARK(MakeGroups)->ArgsProduct({{0, 1}, {1, 2}})->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(ProveGroups)->ArgsProduct({{0, 1}, {1, 2}})->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(MakeAndProveGroups)->ArgsProduct({{0, 1}, {1, 2}})->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(CheckNumbers)->ArgsProduct({{0, 1}, {1, 2}})->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
