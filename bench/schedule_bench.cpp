// SPDX-License-Identifier: Apache-2.0
// Schedules that evolution makes and evaluates a second, breeding and mutation included, one core, for each
// pattern and size of the thesis's hypercubes. [Jaros 2010, figure 7.5: 8.4 ms for 100 schedules of the AAB
// on 16 nodes]
#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <string>

#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/evolution/evolution.hpp"
#include "unknot/collective/model/catalogue.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

/// One step fewer than the bound, so that no run ends before its time. [Jaros 2010, section 7.2]
std::uint32_t too_few_steps(const Problem& problem) {
  BoundOptions options;
  options.most_columns = 0;
  return std::max(1U, lower_bound(problem, options).steps - 1);
}

void evaluations(benchmark::State& state, const std::string& fabric, const std::string& collective,
                 const std::string& optimiser) {
  const Problem problem =
      make_collective(std::make_shared<NodeGraph>(make_network(fabric), NodeGraphOptions{}), collective);
  const std::uint32_t steps = too_few_steps(problem);
  EvolutionOptions options;
  options.optimiser = optimiser;
  options.run.threads = 1;
  options.run.generations = 1'000'000;
  options.run.evaluations = 40'000'000 / problem.messages();
  Progress silent;
  std::uint64_t done = 0;
  for (auto _ : state) {
    done += evolve_schedule(problem, steps, options, silent).outcome.evaluations;
    ++options.run.seed;
  }
  state.counters["evaluations"] = benchmark::Counter(static_cast<double>(done), benchmark::Counter::kIsRate);
  state.counters["genes"] = problem.messages();
}

const bool registered = [] {
  for (const char* const collective : {"OAS", "AAS", "OAB", "AAB"}) {
    for (const int dimensions : {3, 4, 5, 6}) {
      const std::string fabric = "hypercube:" + std::to_string(dimensions);
      benchmark::RegisterBenchmark((fabric + "/" + collective + "/umda").c_str(), evaluations, fabric,
                                   std::string(collective), std::string("umda:population=100,mutation=0.9"))
          ->Unit(benchmark::kMillisecond);
    }
  }
  for (const char* const optimiser : {"sga", "mboa"}) {
    benchmark::RegisterBenchmark((std::string("hypercube:4/AAB/") + optimiser).c_str(), evaluations,
                                 "hypercube:4", "AAB",
                                 std::string(optimiser) + ":population=100,mutation=0.9")
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace unknot

BENCHMARK_MAIN();
