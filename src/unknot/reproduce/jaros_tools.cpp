// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/jaros_tools.hpp"

#include <fmt/format.h>

#include <memory>
#include <string_view>

#include "unknot/collective/catalogue.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::jaros_paper {

Solution run_setting(const Setting& setting, std::uint64_t generations, std::uint64_t seed,
                     Progress& progress) {
  const Benchmark& benchmark = kBenchmarks[setting.benchmark];
  const Problem problem =
      make_collective(std::make_shared<NodeGraph>(make_network("hypercube:4")), benchmark.collective);
  const std::string_view tool = kTools[setting.tool];
  SolveOptions options;
  options.steps = benchmark.steps;
  options.seed = seed;
  options.threads = 1;
  return solve(
      problem,
      fmt::format("{}:population={},mutation={}{},stall=0,generations={}{}", tool, setting.population,
                  setting.mutation, tool == "sga" ? fmt::format(",crossover={}", setting.crossover) : "",
                  generations, benchmark.options),
      options, progress);
}

}  // namespace unknot::jaros_paper
