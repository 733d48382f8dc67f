// SPDX-License-Identifier: Apache-2.0
// Placing ranks: the time of a search, and how much less the busiest channel or cable carries than with the
// ranks in order.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

#include "unknot/engines/catalogue.hpp"
#include "unknot/place/communication.hpp"
#include "unknot/place/search.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

struct Case {
  const char* spec;
  const char* engine;
  const char* stencil;
};
constexpr Case kCases[] = {
    {"torus:8x8x8", "dor", "16x32:periodic"},
    {"slimfly:q=5,p=4", "dfsssp", "5x5x8:periodic"},
    {"dragonfly:a=4,h=2,p=2", "dfsssp", "6x12:periodic"},
    {"xgft:m=18x18,w=9x9,terminals=4096", "sssp", "16x16x16:periodic"},
};

void placing(benchmark::State& state) {
  const Case& one = kCases[state.range(0)];
  Progress quiet;
  const Network network = make_network(one.spec);
  const Routing routing = route(network, one.engine, {.virtual_lanes = kMaxLanes, .parameters = {}}, quiet);
  const place::Places places = place::find_places(network, "", 1);
  const CommunicationMatrix sent = place::stencil_matrix(place::parse_stencil(one.stencil), 1);
  place::SearchOptions options;
  options.starts = 2;
  place::Placed placed;
  for (auto _ : state) placed = place::find_placement(network, routing, places, sent, options, quiet);
  state.SetLabel(std::string(one.spec) + " " + one.stencil);
  // The first search begins from the ranks in order.
  state.counters["in_order"] = static_cast<double>(placed.attempts.front().before.busiest);
  state.counters["placed"] = static_cast<double>(placed.attempts[placed.best].after.busiest);
  state.counters["bound"] = static_cast<double>(std::max(placed.bound.cables, placed.bound.channels));
}
BENCHMARK(placing)->DenseRange(0, 3)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1);

}  // namespace
}  // namespace unknot

BENCHMARK_MAIN();
