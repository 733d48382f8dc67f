// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "unknot/collective/solver.hpp"
#include "unknot/reproduce/jaros_paper.hpp"
#include "unknot/reproduce/jaros_tools.hpp"
#include "unknot/reproduce/thread_clock.hpp"

namespace unknot::jaros_paper {

std::string umda_spec(std::uint64_t generations, std::uint32_t longer, double greedy, std::uint32_t stall) {
  return tool_spec({.tool = kUmda, .stall = stall}, generations) +
         fmt::format(",longer={},greedy={}", longer, greedy);
}

Found fewest_steps(const Problem& problem, const Search& search, Progress& progress) {
  const double start = thread_seconds();
  Found found;
  found.bound = lower_bound(problem);
  if (!check_bound(problem, found.bound))
    throw std::runtime_error("the proof of the lower bound does not hold");
  SolveOptions options;
  options.threads = 1;
  const std::uint32_t longest = std::min(search.longer, problem.extra_hops);
  const std::uint32_t tries = (longest + 1) * search.runs;
  options.steps = std::max(1U, found.bound.steps);
  // One message in each step is always possible.
  for (; found.steps == 0 && options.steps <= problem.messages(); ++options.steps) {
    for (std::uint32_t i = 0; found.steps == 0 && i < tries; ++i) {
      options.seed = search.seed + i % search.runs;
      const Solution one = solve(
          problem, umda_spec(search.generations, i / search.runs, kGreedy, search.stall), options, progress);
      found.evaluations += one.evaluations;
      if (one.conflicts != 0) continue;
      found.steps = options.steps;
      found.longer = i / search.runs;
    }
  }
  found.seconds = thread_seconds() - start;
  return found;
}

ReproducedRow compare_steps(std::string label, std::uint32_t published, const Found& found, std::string why) {
  if (found.steps == 0) {
    return claim(std::move(label), std::to_string(published), "none found", false, std::move(why));
  }
  return compare(std::move(label), Quantity::number(published), Quantity::number(found.steps), Wanted::lower,
                 0, {.why = std::move(why)});
}

}  // namespace unknot::jaros_paper
