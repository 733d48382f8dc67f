// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/jaros/tools.hpp"

#include <fmt/format.h>

#include <memory>
#include <span>

#include "unknot/collective/model/catalogue.hpp"
#include "unknot/support/hash.hpp"
#include "unknot/support/thread_clock.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::jaros_paper {

std::string tool_spec(const Setting& setting, std::uint64_t generations) {
  return fmt::format(
      "{}:population={},mutation={}{},stall={}{},generations={}", kTools[setting.tool], setting.population,
      setting.mutation, setting.tool == kSga ? fmt::format(",crossover={}", setting.crossover) : "",
      setting.stall, setting.stall > 0 ? fmt::format(",tries={}", generations) : "", generations);
}

std::string lower_case(std::string collective) {
  for (char& c : collective) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return collective;
}

std::unique_ptr<evolve::Checkpoint> kept_point(const ExperimentRequest& request, const std::string& key) {
  if (request.points_file.empty()) return nullptr;
  Hash64 hash;
  hash.add_bytes(std::as_bytes(std::span(key)));
  return std::make_unique<evolve::Checkpoint>(fmt::format("{}.{:016x}", request.points_file, hash.value()),
                                              evolve::Checkpoint::kEvery, thread_seconds);
}

Tried run_setting(const Setting& setting, std::uint64_t generations, std::uint64_t seed, Progress& progress) {
  const Benchmark& benchmark = kBenchmarks[setting.benchmark];
  const Problem problem =
      make_collective(std::make_shared<NodeGraph>(make_network("hypercube:4")), benchmark.collective);
  SolveOptions options;
  options.steps = benchmark.steps;
  options.seed = seed;
  options.threads = 1;
  const Solution found =
      solve(problem, tool_spec(setting, generations) + benchmark.options, options, progress);
  return {found.conflicts, found.evaluations};
}

}  // namespace unknot::jaros_paper
