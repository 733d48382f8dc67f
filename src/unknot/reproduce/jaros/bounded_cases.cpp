// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/jaros/bounded_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/model/catalogue.hpp"
#include "unknot/collective/model/fault_impact.hpp"
#include "unknot/collective/repair/whole_first.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/network_set.hpp"
#include "unknot/support/thread_clock.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::jaros_paper {
namespace {

/// What was found, and what is proven.
struct Bounded {
  Solution solution;
  LowerBound bound;
  std::uint64_t messages = 0;
  double seconds = 0;
};

std::string bounded_label(const BoundedCase& one) {
  return fmt::format("{} on {}{}{}", one.collective, one.spec,
                     one.links == LinkClass::half_duplex ? ", half duplex" : "",
                     *one.faults == 0 ? "" : ", three dead cables");
}

Bounded solve_bounded(const BoundedCase& one, const BoundedEffort& effort, std::uint64_t seed,
                      Progress& progress) {
  const double start = thread_seconds();
  const NodeGraphOptions graphs{.links = one.links};
  const Network whole = make_network(one.spec);
  const Faults faults = *one.faults == 0 ? Faults{} : parse_faults(whole, one.faults);
  const Network left = with_faults(whole, faults);
  const auto graph = std::make_shared<NodeGraph>(left, graphs);
  const Problem problem = make_collective(graph, one.collective);
  Bounded result;
  result.messages = problem.messages();
  result.bound = lower_bound(problem);
  if (!check_bound(problem, result.bound))
    throw std::runtime_error("the proof of the lower bound does not hold");
  SolveOptions options;
  options.lower_bound = result.bound.steps;
  options.seed = seed;
  options.threads = 1;
  // solve() has the checker look at what is found, and so has the repair.
  const std::uint32_t levels = std::min(one.levels, effort.levels);
  result.solution = solve(problem, fmt::format("auto:levels={}", levels), options, progress);
  if (*one.faults != 0 && effort.mended > 0 && result.solution.steps > result.bound.steps) {
    const auto before = std::make_shared<NodeGraph>(whole, graphs);
    const WholeNetwork from{make_collective(before, one.collective),
                            node_numbers(*before, *graph, compare_networks(whole, left))};
    if (auto mended =
            solve_whole_first(from, problem, result.solution.steps, effort.mended, options, progress))
      result.solution = std::move(*mended);
  }
  result.seconds = thread_seconds() - start;
  return result;
}

}  // namespace

std::vector<BoundedCase> of_at_most(std::span<const BoundedCase> cases, std::uint64_t messages) {
  std::vector<BoundedCase> chosen;
  for (const BoundedCase& one : cases) {
    const std::uint64_t nodes = network_size(one.spec).terminals;
    if ((one.collective[0] == 'A' ? nodes : 1) * (nodes - 1) <= messages) chosen.push_back(one);
  }
  return chosen;
}

void add_bounded(std::span<const BoundedCase> cases, const BoundedEffort& effort,
                 const ExperimentRequest& request, Reproduction& result, Progress& progress) {
  std::vector<Bounded> found(cases.size());
  for_each_case(static_cast<std::uint32_t>(cases.size()), request.threads, "schedules", progress,
                [&](std::uint32_t i, Progress& inner) {
                  found[i] = solve_bounded(cases[i], effort, request.seed, inner);
                });
  ReproducedTable table{.title = "Schedules",
                        .headings = {"case", "messages", "steps", "at least", "proof", "above, %"},
                        .lines = {}};
  ReproducedTable times{
      .title = "CPU seconds, bounds included", .headings = {"case", "seconds"}, .lines = {}, .timed = true};
  constexpr const char* kNearFewest = "one step, or a tenth, above the bound";
  double all_seconds = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& [solution, bound, messages, seconds] = found[i];
    const std::string label = bounded_label(cases[i]);
    const std::uint32_t fewest = std::max(bound.steps, solution.fewest);
    if (solution.conflicts > 0) {
      result.rows.push_back(expected(label, "none found", false, kNearFewest));
      continue;
    }
    const std::uint32_t above = solution.steps - fewest;
    // A tenth more than is proven is what a search without symmetry is to reach.
    const std::string beside = above == 0 ? ", the fewest: proven" : fmt::format(", at least {}", fewest);
    result.rows.push_back(expected(label, fmt::format("{}{}", solution.steps, beside),
                                   above <= std::max(1.0, 0.1 * fewest), kNearFewest));
    table.lines.push_back({label, std::to_string(messages), std::to_string(solution.steps),
                           std::to_string(fewest), fewest > bound.steps ? "search" : bound.name,
                           fmt::format("{:.1f}", 100.0 * above / fewest)});
    times.lines.push_back({label, fmt::format("{:.2f}", seconds)});
    all_seconds += seconds;
  }
  times.lines.push_back({"all", fmt::format("{:.1f}", all_seconds)});
  result.tables.push_back(std::move(table));
  result.tables.push_back(std::move(times));
}

}  // namespace unknot::jaros_paper
