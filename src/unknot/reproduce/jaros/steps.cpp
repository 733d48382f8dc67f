// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/reproduce/jaros/paper.hpp"
#include "unknot/reproduce/jaros/tools.hpp"
#include "unknot/reproduce/kept_points.hpp"

namespace unknot {
namespace {

using namespace jaros_paper;

/// Generations without anything better after which a population begins anew.
constexpr std::uint32_t kStepsStall = 3000;
/// Stands in the keys of finished points: 2 since numbers of steps are looked at with strides.
constexpr std::uint32_t kStepsVersion = 2;

/// How long a case is looked at for each number of steps.
Search search_of(const ExperimentRequest& request, const Problem& problem) {
  // Two thirds of 100 members are new in each generation.
  const std::uint64_t generation = std::uint64_t{67} * problem.messages();
  const std::uint64_t generations = request.parameters.number("genes") * 1'000'000 / generation;
  return {
      .generations = std::max<std::uint64_t>(100, generations), .stall = kStepsStall, .seed = request.seed};
}

std::vector<Found> find_all(const std::vector<StepsCase>& cases, const ExperimentRequest& request,
                            Progress& progress) {
  std::vector<std::string> keys;
  keys.reserve(cases.size());
  for (const StepsCase& one : cases) {
    keys.push_back(fmt::format("{} | {} million genes, stall {}, greedy {} | seed {} search {}", one.label(),
                               request.parameters.number("genes"), kStepsStall, kGreedy, request.seed,
                               kStepsVersion));
  }
  return kept_points<Found>(keys, request, "schedules", progress, [&](std::uint32_t i, Progress& inner) {
    const Problem problem = cases[i].problem();
    return run_kept(request, keys[i], [&](evolve::Checkpoint* kept) {
      Search search = search_of(request, problem);
      search.checkpoint = kept;
      return fewest_steps(problem, search, inner);
    });
  });
}

Reproduction run_jaros_steps(const ExperimentRequest& request, Progress& progress) {
  Reproduction result;
  result.title = "Steps of schedules that UMDA finds";
  const std::uint64_t genes = request.parameters.number("genes");
  result.text = {
      fmt::format("What the thesis's UMDA reached, and what ours does with the same settings "
                  "(population 100, mutation 0.9), but that half of the mutations take the step "
                  "with the fewest conflicts: the fewest steps in which a schedule without conflict is found "
                  "within {} million genes "
                  "(messages times schedules looked at) by shortest paths. Schedules that are alike under "
                  "the largest group of automorphisms that is found are sought first, which have this many "
                  "fewer genes, then those alike under its subgroups, and last all, each with as many "
                  "generations; a population that has "
                  "found nothing better for {} generations begins anew. Steps are tried from the lower bound "
                  "on: {} numbers one by one, then with strides that double, and by halves back to the last "
                  "that failed. Each schedule was checked by code "
                  "that does not know how it "
                  "was made, and so was the proof of each bound. The thesis ran for up to days.",
                  genes, kStepsStall, kOneByOne),
      "The networks AMP-23 to AMP-53 are not here, because their cables are not printed. Clos-8 "
      "of the thesis has 12 terminals."};
  const std::vector<StepsCase> cases = steps_cases(request.parameters.number("messages"));
  const std::vector<Found> all = find_all(cases, request, progress);

  ReproducedTable bounds{.title = "Bounds",
                         .headings = {"case", "thesis", "ours", "at least", "proof", "evaluations"},
                         .lines = {}};
  ReproducedTable times{
      .title = "CPU seconds, bounds included", .headings = {"case", "seconds"}, .lines = {}, .timed = true};
  std::uint32_t optimal = 0, fewer = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const StepsCase& one = cases[i];
    const Found& found = all[i];
    const std::string why = fmt::format(
        "No more than {} million genes for each number of steps; longer runs get further. Kautz-36 needs "
        "paths longer than shortest ones for 12 steps.",
        genes);
    result.rows.push_back(compare_steps(one.label(), one.published, found, why));
    optimal += found.steps == found.bound.steps ? 1 : 0;
    fewer += found.steps != 0 && found.steps < one.published ? 1 : 0;
    bounds.lines.push_back({one.label(), std::to_string(one.published), std::to_string(found.steps),
                            std::to_string(found.bound.steps), found.bound.name,
                            std::to_string(found.evaluations)});
    times.lines.push_back({one.label(), fmt::format("{:.2f}", found.seconds)});
  }
  result.rows.push_back(shown("schedules that are proven optimal",
                              Quantity::words(fmt::format("{} of {}", optimal, cases.size()))));
  result.rows.push_back(
      shown("schedules with fewer steps than the thesis's", Quantity::words(std::to_string(fewer))));
  result.tables.push_back(std::move(bounds));
  result.tables.push_back(std::move(times));
  return result;
}

}  // namespace

Experiment jaros_steps_experiment() {
  return {.name = "collectives-steps",
          .summary = "steps of the schedules that UMDA finds on the thesis's networks",
          .paper = kThesis,
          .place = "Tables 8.1, 8.5, 8.8, 8.10, 8.12, 8.14 and 8.16",
          .typical_seconds = 3600,
          .quick = "genes=1,messages=7",
          .parameters =
              {{.name = "genes", .help = "millions, for each number of steps", .fallback = "100", .min = 1},
               {.name = "messages", .help = "of the largest problem", .fallback = "1000", .min = 3}},
          .resumable = true,
          .run = run_jaros_steps};
}

}  // namespace unknot
