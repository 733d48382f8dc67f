// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <memory>

#include "unknot/collective/model/catalogue.hpp"
#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/reproduce/jaros/paper.hpp"
#include "unknot/reproduce/network_set.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using namespace jaros_paper;

/// A row of Table 8.21: who sends to whom, and the steps of scatter and broadcast.
struct Arrangement {
  const char* what;
  const char* spec;
  const char* transmitters;
  const char* receivers;
  std::array<std::uint32_t, 2> steps;
};
constexpr std::array<Arrangement, 8> kArrangements{{
    {"within the same base", "hypercube:3", "0-3", "0-3", {2, 2}},
    {"between the bases", "hypercube:3", "0-3", "4-7", {4, 2}},
    {"lower base to all", "hypercube:3", "0-3", "0-7", {4, 3}},
    {"diagonal to the lower base", "hypercube:3", "0,7", "0-3", {2, 2}},
    {"within the left half", "spidergon:8", "4-7", "4-7", {2, 2}},
    {"left half to right half", "spidergon:8", "4-7", "0-3", {3, 3}},
    {"left half to all", "spidergon:8", "4-7", "0-7", {3, 3}},
    {"odd nodes to even nodes", "spidergon:8", "1,3,5,7", "0,2,4,6", {3, 2}},
}};
constexpr std::array<const char*, 2> kDeliveries{"MNS", "MNB"};
constexpr std::uint32_t kLeftHalf = 4;
/// Section 8.7: what the scatter within the left half takes by shortest paths.
constexpr std::uint32_t kByShortest = 3;
constexpr std::uint32_t kManyCases =
    2 * static_cast<std::uint32_t>(kArrangements.size()) + 1;  // that one last

Problem problem_of(std::uint32_t i) {
  const bool shortest = i + 1 == kManyCases;
  const Arrangement& one = kArrangements[shortest ? kLeftHalf : i / 2];
  const auto graph = std::make_shared<NodeGraph>(make_network(one.spec));
  Participants who;
  who.transmitters = parse_node_list(*graph, one.transmitters, "transmitters");
  who.receivers = parse_node_list(*graph, one.receivers, "receivers");
  ProblemRules rules;
  if (shortest) rules.extra_hops = 0;
  return make_collective(graph, kDeliveries[shortest ? 0 : i % 2], who, rules);
}

std::string many_label(std::uint32_t i) {
  if (i + 1 == kManyCases) return "Section 8.7: MNS on spidergon:8, within the left half, by shortest paths";
  const Arrangement& one = kArrangements[i / 2];
  return fmt::format("Table 8.21: {} on {}, {}", kDeliveries[i % 2], one.spec, one.what);
}

Reproduction run_jaros_many(const ExperimentRequest& request, Progress& progress) {
  Reproduction result;
  result.title = "Steps of schedules from many to many";
  const Parameters& p = request.parameters;
  result.text = {
      fmt::format(
          "The proven lower bound, and the fewest steps that UMDA finds (population 100, mutation 0.9, half "
          "of the mutations to the step with the fewest conflicts, runs "
          "of {} generations): for each number of steps, {} runs by shortest paths and then, as long as none "
          "succeeds, as many by paths up to {} hops longer. MNS and MNB are the thesis's MMS and MMB.",
          p.number("generations"), p.number("runs"), p.number("longer")),
      "The thesis does not number the nodes of these arrangements, but prints a schedule within the left "
      "half (Table 8.22, nodes 4 to 7). Here nodes 0 to 3 are the lower base, 0 and 7 the diagonal, and 4 to "
      "7 the left half. Who transmits and receives does not send to itself.",
      "The thesis estimates its bounds with formulas 3.11 to 3.17, which are none (`unknot schedule "
      "--bounds` says so below its own): where fewer steps stand here, a schedule was found and checked."};
  std::array<Found, kManyCases> found;
  for_each_case(kManyCases, request.threads, "schedules", progress, [&](std::uint32_t i, Progress& inner) {
    found[i] = fewest_steps(problem_of(i),
                            {.generations = p.number("generations"),
                             .runs = p.number32("runs"),
                             .longer = p.number32("longer"),
                             .seed = request.seed},
                            inner);
  });
  ReproducedTable table{
      .title = "Bounds",
      .headings = {"case", "thesis", "ours", "at least", "proof", "hops beyond shortest", "evaluations"},
      .lines = {}};
  ReproducedTable times{
      .title = "CPU seconds, bounds included", .headings = {"case", "seconds"}, .lines = {}, .timed = true};
  for (std::uint32_t i = 0; i < kManyCases; ++i) {
    const std::uint32_t published = i + 1 == kManyCases ? kByShortest : kArrangements[i / 2].steps[i % 2];
    const Found& one = found[i];
    result.rows.push_back(
        compare_steps(many_label(i), published, one,
                      one.bound.steps > published
                          ? fmt::format("Proven by {}: no schedule has fewer steps.", one.bound.name)
                          : "Within the generations and path lengths stated."));
    table.lines.push_back({many_label(i), std::to_string(published), std::to_string(one.steps),
                           std::to_string(one.bound.steps), one.bound.name, std::to_string(one.longer),
                           std::to_string(one.evaluations)});
    times.lines.push_back({many_label(i), fmt::format("{:.2f}", one.seconds)});
  }
  result.tables.push_back(std::move(table));
  result.tables.push_back(std::move(times));
  return result;
}

}  // namespace

Experiment jaros_many_experiment() {
  return {.name = "collectives-many",
          .summary = "steps from many nodes to many on a hypercube and a spidergon of 8 nodes",
          .paper = kThesis,
          .place = "Table 8.21 and section 8.7",
          .typical_seconds = 10,
          .quick = "generations=100,runs=2,longer=1",
          .parameters =
              {{.name = "generations", .help = "of a run", .fallback = "2000", .min = 1},
               {.name = "runs",
                .help = "for each number of steps and path length, until one succeeds",
                .fallback = "10",
                .min = 1,
                .max = 1000},
               {.name = "longer", .help = "hops beyond shortest paths at most", .fallback = "3", .max = 8}},
          .run = run_jaros_many};
}

}  // namespace unknot
