// SPDX-License-Identifier: Apache-2.0
// Tables after one failed cable: the time from the old routing in memory to the new one, with the comparison
// of the two networks, and the entries that change beside those that must.
#include <benchmark/benchmark.h>

#include <map>
#include <string>

#include "unknot/engines/catalogue.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/routing/reroute/reroute.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

struct Fabric {
  const char* spec;
  const char* engine;
};
constexpr Fabric kFabrics[] = {
    {"xgft:m=18x18,w=9x9,terminals=4096", "sssp"},
    {"kautz:b=6,n=3,terminals=4096", "dfsssp"},
    {"random:switches=256,links=1024,terminals=4096", "dfsssp"},
    {"xgft:m=40x40,w=20x20,terminals=65536", "minhop"},
};

struct Prepared {
  Network network;
  Routing routing;
};

const Prepared& prepared(std::size_t index) {
  static std::map<std::size_t, Prepared> cache;
  if (const auto found = cache.find(index); found != cache.end()) return found->second;
  cache.clear();  // one large table at a time
  Prepared& made = cache[index];
  Progress quiet;
  made.network = make_network(kFabrics[index].spec);
  made.routing =
      route(made.network, kFabrics[index].engine, {.virtual_lanes = kMaxLanes, .parameters = {}}, quiet);
  return made;
}

void one_cable(benchmark::State& state) {
  const auto index = static_cast<std::size_t>(state.range(0));
  const Prepared& old = prepared(index);
  const Network after = with_faults(
      old.network, parse_faults(old.network, "cable-count=1,seed=" + std::to_string(state.range(1))));
  Progress quiet;
  Rerouted result;
  for (auto _ : state) {
    state.PauseTiming();
    result = {};  // taking the last result's memory back is no part of the work
    state.ResumeTiming();
    result = reroute(old.network, old.routing, after, compare_networks(old.network, after), kMaxLanes, quiet);
  }
  state.SetLabel(kFabrics[index].spec);
  state.counters["changed"] = static_cast<double>(result.entries.size());
  state.counters["minimum"] = static_cast<double>(result.entries_minimum);
  state.counters["destinations"] = result.destinations;
  state.counters["detoured"] = result.detoured;
  state.counters["displaced"] = result.displaced;
}
BENCHMARK(one_cable)->ArgsProduct({{0, 1, 2, 3}, {1, 2, 3}})->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace unknot

BENCHMARK_MAIN();
