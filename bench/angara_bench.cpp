// SPDX-License-Identifier: Apache-2.0
// Source routes of tori: the time of each engine on one core, routes listed and written out included, with
// the maximum load and the lower bound.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

#include "unknot/angara/opt.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

void tables(benchmark::State& state, const char* engine, const char* spec) {
  const Network network = make_network(spec);
  EngineRequest request;
  request.threads = 1;
  Progress quiet;
  Routing routing;
  for (auto _ : state) routing = route(network, engine, request, quiet);
  const LoadStatistics load = load_statistics(channel_load(network, routing));
  state.counters["max"] = static_cast<double>(load.max);
  state.counters["min"] = static_cast<double>(load.min);
  state.counters["sigma4"] = load.sigma4;
  if (routing.report.load_bound) state.counters["bound"] = static_cast<double>(*routing.report.load_bound);
}

void listing(benchmark::State& state, const char* spec) {
  const Network network = make_network(spec);
  Progress quiet;
  std::uint64_t routes = 0;
  for (auto _ : state) {
    const angara::System system(network, angara::Augmentation::direction_sets);
    routes = angara::RouteChoices(system.graph, 1, quiet).route_count();
  }
  state.counters["routes"] = static_cast<double>(routes);
}

#define UNKNOT_TABLES(engine, spec) \
  BENCHMARK_CAPTURE(tables, engine##_##spec, "angara-" #engine, "torus:" #spec)->Unit(benchmark::kMillisecond)

UNKNOT_TABLES(opt, 4x2x2x2);
UNKNOT_TABLES(opt, 4x4);
UNKNOT_TABLES(opt, 4x4x4);
UNKNOT_TABLES(opt, 8x8);
UNKNOT_TABLES(opt, 4x4x2x2);
UNKNOT_TABLES(opt, 8x8x8);
UNKNOT_TABLES(opt, 6x6x6);
UNKNOT_TABLES(sssp, 4x2x2x2);
UNKNOT_TABLES(sssp, 6x6x6);
UNKNOT_TABLES(sssp, 4x4x4x4);
UNKNOT_TABLES(sssp, 8x8x8);
UNKNOT_TABLES(sssp, 8x8x8x8);
UNKNOT_TABLES(bfs, 6x6x6);
UNKNOT_TABLES(bfs, 4x4x4x4);
UNKNOT_TABLES(genetic, 4x2x2x2);
BENCHMARK_CAPTURE(listing, 4x2x2x2, "torus:4x2x2x2")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(listing, 8x8x8, "torus:8x8x8")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace unknot

BENCHMARK_MAIN();
