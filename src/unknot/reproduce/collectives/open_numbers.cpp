// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/model/catalogue.hpp"
#include "unknot/collective/model/fault_impact.hpp"
#include "unknot/collective/repair/whole_first.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/reproduce/jaros/paper.hpp"
#include "unknot/reproduce/network_set.hpp"
#include "unknot/reproduce/thread_clock.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

/// A number of steps that was open.
struct OpenCase {
  const char* spec;
  const char* faults;
  const char* collective;
  LinkClass links;
};
constexpr LinkClass kFull = LinkClass::full_duplex, kHalf = LinkClass::half_duplex;
constexpr const char* kDeadCables = "cable-count=3,seed=1";
constexpr std::array kOpenCases{
    OpenCase{"btree:32", "", "AAB", kFull},
    OpenCase{"torus:12x12", kDeadCables, "AAS", kFull},
    OpenCase{"torus:8x8", kDeadCables, "AAS", kFull},
    OpenCase{"torus:32x32", "", "AAB", kHalf},
    OpenCase{"torus:10x10x10", "", "AAB", kHalf},
    OpenCase{"hypercube:10", "", "AAB", kHalf},
    OpenCase{"kautz:b=4,n=5", "", "AAB", kHalf},
    OpenCase{"jellyfish:routers=1000,degree=8", "", "AAB", kHalf},
    OpenCase{"torus:32x32", "", "AAS", kFull},
    OpenCase{"torus:10x10x10", "", "AAS", kFull},
    OpenCase{"hypercube:10", "", "AAS", kFull},
    OpenCase{"jellyfish:routers=1000,degree=8", "", "AAS", kFull},
};

std::string open_label(const OpenCase& one) {
  return fmt::format("{} on {}{}{}", one.collective, one.spec, one.links == kHalf ? ", half duplex" : "",
                     *one.faults == 0 ? "" : ", three dead cables");
}

std::vector<OpenCase> chosen_open(std::uint64_t most_messages) {
  std::vector<OpenCase> chosen;
  for (const OpenCase& one : kOpenCases) {
    const std::uint64_t nodes = network_size(one.spec).terminals;
    if (nodes * (nodes - 1) <= most_messages) chosen.push_back(one);
  }
  return chosen;
}

struct OpenResult {
  Solution solution;
  LowerBound bound;
  std::uint64_t messages = 0;
  bool by_whole = false;
  double seconds = 0;
};

OpenResult close_case(const ExperimentRequest& request, const OpenCase& one, Progress& progress) {
  const double start = thread_seconds();
  const NodeGraphOptions graphs{.links = one.links};
  const Network whole = make_network(one.spec);
  const Faults faults = *one.faults == 0 ? Faults{} : parse_faults(whole, one.faults);
  const Network left = with_faults(whole, faults);
  const auto graph = std::make_shared<NodeGraph>(left, graphs);
  const Problem problem = make_collective(graph, one.collective);
  OpenResult result;
  result.messages = problem.messages();
  result.bound = lower_bound(problem);
  if (!check_bound(problem, result.bound))
    throw std::runtime_error("the proof of the lower bound does not hold");
  SolveOptions options;
  options.lower_bound = result.bound.steps;
  options.seed = request.seed;
  options.threads = 1;
  // solve() has the checker look at what is found, and so has the repair.
  result.solution = solve(problem, "auto:levels=1", options, progress);
  if (*one.faults != 0 && result.solution.steps > result.bound.steps) {
    const auto before = std::make_shared<NodeGraph>(whole, graphs);
    const WholeNetwork from{make_collective(before, one.collective),
                            node_numbers(*before, *graph, compare_networks(whole, left))};
    auto mended = solve_whole_first(from, problem, result.solution.steps, request.parameters.number("effort"),
                                    options, progress);
    result.by_whole = mended.has_value();
    if (mended) result.solution = std::move(*mended);
  }
  result.seconds = thread_seconds() - start;
  return result;
}

Reproduction run_open_numbers(const ExperimentRequest& request, Progress& progress) {
  Reproduction result;
  result.title = "Steps of collectives that were open";
  result.text = {
      "Schedules by `--solver auto:levels=1`, beside proven bounds. Each was checked by code that does "
      "not know how it was made, and so was the proof of each bound. With the three dead cables `--fail "
      "cable-count=3,seed=1` a schedule for the whole torus is mended, and then one step after the other "
      "taken out of it, as `unknot schedule FABRIC --fail SPEC` does with less effort.",
      "Where these numbers were before: all-to-all broadcast on the binary tree of 32 terminals between "
      "31 and 42 steps, the thesis 64; the scatters with dead cables at 265 steps of 226, and 71 of 69.",
      "Half-duplex broadcasts: cables take turns that are said beforehand. Not here, since it takes "
      "long, is `mesh:32x32`, whose bound of 528 steps leaves no cable idle in any step: `--solver "
      "matching:tries=3` finds 536. Where terminals have one cable of their own the bound is too low. Of "
      "a tree's two terminals below one switch with one cable up, only one gets or sends anything in a "
      "step, so that P terminals take 2 P steps, where the bound, by pairs, is 2 P - 2; found are 8 "
      "steps for `btree:4`, 22 for 8 terminals and 55 for 16. What is missing there is a tour that takes "
      "turns.",
      "Still open, the torus: one dead cable of a cut leaves 23 channels for 5184 messages, which in 226 "
      "steps have 14 places to spare in each direction. Flows of half messages fit in a time of 226 "
      "(`--goal bandwidth`), so that neither cuts nor lengths say more; what says more would have to "
      "count whole messages, step by step. The search needs about half as much again for each step less; "
      "227 steps were found once in twelve minutes.",
      "Still open, the random network: distance alone is the bound, with all channels busy in every "
      "step. First fit leaves one channel in ten idle, and each step that is taken out costs more than "
      "the last; what would help is more effort, or a structure, which random networks have not."};
  const std::vector<OpenCase> cases = chosen_open(request.parameters.number("messages"));
  std::vector<OpenResult> found(cases.size());
  for_each_case(static_cast<std::uint32_t>(cases.size()), request.threads, "schedules", progress,
                [&](std::uint32_t i, Progress& inner) { found[i] = close_case(request, cases[i], inner); });
  ReproducedTable table{.title = "Schedules",
                        .headings = {"case", "messages", "steps", "at least", "proof", "above, %"},
                        .lines = {}};
  ReproducedTable times{
      .title = "CPU seconds, bounds included", .headings = {"case", "seconds"}, .lines = {}, .timed = true};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const OpenResult& one = found[i];
    const std::string label = open_label(cases[i]);
    const std::uint32_t fewest = std::max(one.bound.steps, one.solution.fewest);
    const std::uint32_t above = one.solution.steps - fewest;
    const std::string beside = above == 0 ? ", the fewest: proven" : fmt::format(", at least {}", fewest);
    result.rows.push_back(expected(label, fmt::format("{}{}", one.solution.steps, beside),
                                   one.solution.conflicts == 0 && above <= 0.1 * fewest));
    table.lines.push_back({label, std::to_string(one.messages), std::to_string(one.solution.steps),
                           std::to_string(fewest), fewest > one.bound.steps ? "search" : one.bound.name,
                           fmt::format("{:.1f}", 100.0 * above / fewest)});
    times.lines.push_back({label, fmt::format("{:.2f}", one.seconds)});
  }
  result.tables.push_back(std::move(table));
  result.tables.push_back(std::move(times));
  return result;
}

}  // namespace

Experiment collectives_open_experiment() {
  return {.name = "collectives-open",
          .summary = "steps of collectives that were open: 1,000 nodes, half duplex, dead cables",
          .paper = jaros_paper::kThesis,
          .place = "beyond chapter 8",
          .typical_seconds = 60,
          .quick = "messages=1000,effort=10",
          .parameters =
              {{.name = "effort",
                .help = "millions of channels looked at while steps are taken out of a mended schedule",
                .fallback = "3000",
                .min = 1,
                .max = 1e9},
               {.name = "messages", .help = "of the largest problem", .fallback = "2000000", .min = 100}},
          .run = run_open_numbers};
}

}  // namespace unknot
