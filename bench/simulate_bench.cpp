// SPDX-License-Identifier: Apache-2.0
// The flit-level simulator: movements of flits through routers a second, and cycles a second of an idle
// network.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "unknot/engines/catalogue.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/simulate/settings/presets.hpp"
#include "unknot/simulate/settings/settings_draft.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot::simulate {
namespace {

/// A preset, with flits that each go by themselves where `by_flits`.
Settings preset(const char* name, bool by_flits = false) {
  SettingsDraft draft;
  draft.add(preset_layer(name));
  if (by_flits) draft.add(parse_settings("arbitration = \"flits\"", name));
  return draft.resolve().settings;
}

/// A steady run for as long as asked; counts movements of flits and cycles.
void steady(benchmark::State& state, const RoutePlan& plan, const Settings& settings, const char* pattern,
            double load) {
  const TrafficPattern traffic = make_pattern(plan.network, pattern);
  const Progress silent;
  double hops = 0, cycles = 0, accepted = 0;
  for (auto _ : state) {
    const SteadyReport report = run_steady(plan, settings, traffic, load, silent);
    hops += static_cast<double>(report.flit_hops);
    cycles += static_cast<double>(report.cycles);
    accepted = report.accepted;
  }
  state.counters["flit_hops/s"] = benchmark::Counter(hops, benchmark::Counter::kIsRate);
  state.counters["cycles/s"] = benchmark::Counter(cycles, benchmark::Counter::kIsRate);
  state.counters["accepted"] = accepted;
}

RoutePlan tables(const std::string& spec, const std::string& engine) {
  const Network network = make_network(spec);
  Progress silent;
  return plan_routing(network, route(network, engine, {}, silent), true);
}

void booksim(benchmark::State& state, const char* spec, const char* engine, double load,
             std::uint64_t cycles) {
  Settings settings = preset("booksim");
  settings.warmup = cycles / 10;
  settings.measure = cycles;
  steady(state, tables(spec, engine), settings, "uniform:self", load);
}
BENCHMARK_CAPTURE(booksim, mesh8x8_load_0 .206, "mesh:8x8", "dor", 0.206, 20'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(booksim, mesh8x8_load_0 .371, "mesh:8x8", "dor", 0.371, 20'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(booksim, mesh8x8_idle, "mesh:8x8", "dor", 0.0001, 10'000'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(booksim, slimfly5_load_0 .332, "slimfly:q=5,p=3", "minhop", 0.332, 10'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(booksim, slimfly5_load_0 .597, "slimfly:q=5,p=3", "minhop", 0.597, 10'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(booksim, slimfly13_load_0 .2875, "slimfly:q=13,p=9", "minhop", 0.2875, 1'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(booksim, slimfly13_load_0 .5175, "slimfly:q=13,p=9", "minhop", 0.5175, 1'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(booksim, slimfly13_idle, "slimfly:q=13,p=9", "minhop", 0.0001, 100'000)
    ->Unit(benchmark::kMillisecond);

/// The point of Kathareios et al.: 200 microseconds at load 0.9 on the Slim Fly of q = 13.
void paper(benchmark::State& state, const char* settings, RoutePlan::Kind kind, bool by_flits = false) {
  const RoutePlan plan = plan_paths(make_network("slimfly:q=13,p=9"), {kind, "hop", {}});
  steady(state, plan, preset(settings, by_flits), "uniform", kind == RoutePlan::Kind::minimal ? 0.9 : 0.45);
}
BENCHMARK_CAPTURE(paper, minimal_packets, "paper-sc15", RoutePlan::Kind::minimal)
    ->Unit(benchmark::kSecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(paper, minimal_flits, "paper-sc15-flits", RoutePlan::Kind::minimal)
    ->Unit(benchmark::kSecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(paper, minimal_flits_by_themselves, "paper-sc15-flits", RoutePlan::Kind::minimal, true)
    ->Unit(benchmark::kSecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(paper, valiant_packets, "paper-sc15", RoutePlan::Kind::valiant)
    ->Unit(benchmark::kSecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(paper, ugal_packets, "paper-sc15", RoutePlan::Kind::ugal)
    ->Unit(benchmark::kSecond)
    ->Iterations(1);

}  // namespace
}  // namespace unknot::simulate

BENCHMARK_MAIN();
