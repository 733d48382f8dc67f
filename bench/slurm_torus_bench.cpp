// SPDX-License-Identifier: Apache-2.0
// Sub-cubes of a torus for Slurm: every route between two nodes of one is looked at, on all threads. "inside"
// counts shapes whose routes leave no sub-cube, "shared" channels that two sub-cubes take.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/routing/rules/rules.hpp"
#include "unknot/slurm/topology/torus.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

struct TorusCase {
  const char* spec;
  const char* engine;  // "": dimension order, by rule
};
constexpr TorusCase kTorusCases[] = {
    {"torus:16x16x16", ""}, {"torus:32x32x32", ""}, {"torus:16x16x16", "dor"}, {"torus:16x16x16", "updn"}};

void sub_cubes(benchmark::State& state) {
  const TorusCase& one = kTorusCases[state.range(0)];
  const std::string engine = one.engine;
  Progress quiet;
  const Network network = make_network(one.spec);
  const slurm::Torus torus = slurm::find_torus(network);
  const std::unique_ptr<ForwardingRule> rule = dimension_order_rule(network);
  const Routing routing = engine.empty()
                              ? Routing()
                              : route(network, engine, {.virtual_lanes = kMaxLanes, .parameters = {}}, quiet);
  const slurm::NextChannels next =
      engine.empty() ? slurm::next_by_rule(network, *rule) : slurm::next_by_tables(network, routing.table());
  std::vector<slurm::CubeShape> shapes = slurm::best_shapes(slurm::cube_shapes(torus));
  for (auto _ : state) slurm::prove_disjoint(network, torus, next, 0, shapes);
  double inside = 0, shared = 0;
  for (const slurm::CubeShape& shape : shapes) {
    inside += shape.inside ? 1 : 0;
    shared += static_cast<double>(shape.shared);
  }
  state.SetLabel(std::string(one.spec) + " " + (engine.empty() ? "by rule" : engine));
  state.counters["shapes"] = static_cast<double>(shapes.size());
  state.counters["inside"] = inside;
  state.counters["shared"] = shared;
}
BENCHMARK(sub_cubes)->DenseRange(0, 3)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

}  // namespace
}  // namespace unknot

BENCHMARK_MAIN();
