// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "unknot/collective/solvers/solver.hpp"
#include "unknot/collective/symmetry/symmetry.hpp"
#include "unknot/evolve/checkpoint.hpp"
#include "unknot/reproduce/jaros/paper.hpp"
#include "unknot/reproduce/jaros/tools.hpp"
#include "unknot/support/thread_clock.hpp"

namespace unknot::jaros_paper {

Solution find_steps(const Problem& problem, std::uint32_t steps, std::uint32_t longer, const Search& search,
                    Progress& progress) {
  SolveOptions options;
  options.steps = steps;
  options.seed = search.seed;
  options.threads = 1;
  options.checkpoint = search.checkpoint;
  // Reductions are broadcasts in reversed time: they have the same automorphisms.
  const Symmetry symmetry = find_symmetry(problem);
  Solution found;
  std::uint64_t evaluations = 0;
  std::vector<std::uint32_t> orders;
  for (const std::uint32_t order : symmetry.subgroup_orders()) {
    // Pairs leave most to choose.
    if (orders.size() == 1 && order > 2) orders.push_back(2);
    orders.push_back(order);
  }
  std::reverse(orders.begin(), orders.end());
  for (const std::uint32_t order : orders) {
    const std::string spec = tool_spec({.tool = kUmda, .stall = search.stall}, search.generations) +
                             fmt::format(",longer={},greedy={},symmetry={}", longer, kGreedy, order);
    found = solve(problem, spec, options, progress);
    evaluations += found.evaluations;
    if (found.conflicts == 0) break;
  }
  found.evaluations = evaluations;
  return found;
}

Found fewest_steps(const Problem& problem, const Search& search, Progress& progress) {
  const double start = thread_seconds() - (search.checkpoint == nullptr ? 0 : search.checkpoint->seconds());
  Found found;
  found.bound = lower_bound(problem);
  if (!check_bound(problem, found.bound))
    throw std::runtime_error("the proof of the lower bound does not hold");
  const std::uint32_t longest = std::min(search.longer, problem.extra_hops);
  const std::uint32_t tries = (longest + 1) * search.runs;
  const auto finds = [&](std::uint32_t steps) {
    for (std::uint32_t i = 0; i < tries; ++i) {
      Search run = search;
      run.seed += i % search.runs;
      const Solution one = find_steps(problem, steps, i / search.runs, run, progress);
      found.evaluations += one.evaluations;
      if (one.conflicts != 0) continue;
      found.steps = steps;
      found.longer = i / search.runs;
      return true;
    }
    return false;
  };
  // One message in each step is always possible: more steps than that are no use.
  const auto most = static_cast<std::uint32_t>(std::min<std::uint64_t>(problem.messages(), UINT32_MAX));
  std::uint32_t failed = std::max(1U, found.bound.steps) - 1;
  for (std::uint32_t number = 1, stride = 1; found.steps == 0 && failed < most; ++number) {
    const std::uint32_t steps = failed + std::min(stride, most - failed);
    if (!finds(steps)) failed = steps;
    if (number >= kOneByOne) stride *= 2;
  }
  while (found.steps > failed + 1) {
    const std::uint32_t middle = failed + (found.steps - failed) / 2;
    if (!finds(middle)) failed = middle;
  }
  found.seconds = thread_seconds() - start;
  return found;
}

ReproducedRow compare_steps(std::string label, std::uint32_t published, const Found& found, std::string why) {
  if (found.steps == 0) {
    ReproducedRow none =
        claim(std::move(label), std::to_string(published), "none found", false, "", std::move(why));
    none.wanted = Wanted::lower;
    return none;
  }
  return compare(std::move(label), Quantity::number(published), Quantity::number(found.steps), Wanted::lower,
                 0, {.why = std::move(why)});
}

}  // namespace unknot::jaros_paper
