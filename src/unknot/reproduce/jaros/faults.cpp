// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "unknot/collective/model/catalogue.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/reproduce/jaros/fault_cases.hpp"
#include "unknot/reproduce/jaros/paper.hpp"
#include "unknot/reproduce/kept_points.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using namespace jaros_paper;

/// A single fault, or none, and what was found for each pattern.
struct Fault : FaultCase {
  std::array<Found, 4> found;
};

std::vector<std::uint32_t> chosen_patterns(const Parameters& p) {
  if (p.text("patterns") == "one") return {0, 2};
  return {0, 1, 2, 3};
}

/// How long a path may be beyond a shortest one.
std::uint32_t longest_for(const ExperimentRequest& request, const FaultCase& fault) {
  // A Kautz network has one shortest path for each pair; in a mesh longer ones only widen the search.
  return fault.table->failing == Failing::channel ? request.parameters.number32("longer") : 0;
}

Found solve_fault(const ExperimentRequest& request, const FaultCase& fault, std::uint32_t pattern,
                  Progress& progress) {
  // The lowest number that is left is the root: 0, but where it has failed itself.
  const auto graph = std::make_shared<NodeGraph>(with_faults(make_network(fault.table->spec), fault.parts));
  return fewest_steps(make_collective(graph, kPatterns[pattern]),
                      {.generations = request.parameters.number("generations"),
                       .runs = request.parameters.number32("runs"),
                       .longer = longest_for(request, fault),
                       .seed = request.seed},
                      progress);
}

void solve_faults(const ExperimentRequest& request, std::vector<Fault>& faults,
                  const std::vector<std::uint32_t>& patterns, Progress& progress) {
  std::vector<std::string> keys;
  for (const Fault& fault : faults) {
    for (const std::uint32_t pattern : patterns) {
      keys.push_back(fmt::format("{} on {}, {} | {} runs of {} generations, {} longer | seed {} search {}",
                                 kPatterns[pattern], fault.table->spec, fault.name,
                                 request.parameters.number("runs"), request.parameters.number("generations"),
                                 longest_for(request, fault), request.seed, kSearchVersion));
    }
  }
  const std::vector<Found> found =
      kept_points<Found>(keys, request, "schedules", progress, [&](std::uint32_t i, Progress& inner) {
        return solve_fault(request, faults[i / patterns.size()], patterns[i % patterns.size()], inner);
      });
  for (std::size_t i = 0; i < found.size(); ++i)
    faults[i / patterns.size()].found[patterns[i % patterns.size()]] = found[i];
}

std::string why(const Fault& fault, std::uint32_t pattern, std::uint32_t published) {
  const Found& found = fault.found[pattern];
  if (found.bound.steps > published) {
    return fmt::format(
        "No schedule has fewer than {} steps here, proven by {}: the printed row does not hold for every "
        "fault that it stands for.",
        found.bound.steps, found.bound.name);
  }
  return "Within the generations, runs and path lengths stated; the thesis speaks of 20 seconds on a machine "
         "of 2008.";
}

void compare_table(const FaultTable& table, const std::vector<Fault>& faults,
                   const std::vector<std::uint32_t>& patterns, Reproduction& result) {
  for (const std::uint32_t pattern : patterns) {
    const auto add = [&](const std::string& what, std::uint32_t published, const Fault& fault) {
      result.rows.push_back(compare_steps(
          fmt::format("Table {}: {} on {}, {}", table.number, kPatterns[pattern], table.spec, what),
          published, fault.found[pattern], why(fault, pattern, published)));
    };
    const Fault* worst = nullptr;
    std::uint32_t others = 0;
    for (const Fault& fault : faults) {
      if (fault.table != &table) continue;
      if (fault.row != nullptr) {
        add(fmt::format("without {}", fault.row->printed), fault.row->steps[pattern], fault);
      } else if (fault.whole()) {
        add("no fault", table.whole[pattern], fault);
      } else {
        ++others;
        // None found, 0, is the worst.
        const auto steps = [pattern](const Fault& f) { return f.found[pattern].steps - 1U; };
        if (worst == nullptr || steps(fault) > steps(*worst)) worst = &fault;
      }
    }
    if (worst != nullptr) {
      add(fmt::format("worst of {} others ({})", others, worst->name), table.others[pattern], *worst);
    }
  }
}

/// "8", or "9, at least 8"; a star where paths longer than shortest ones did it.
std::string cell(const Found& found) {
  return fmt::format("{}{}{}", found.steps, found.longer > 0 ? "*" : "",
                     found.steps == found.bound.steps ? "" : fmt::format(", at least {}", found.bound.steps));
}

Reproduction run_jaros_faults(const ExperimentRequest& request, Progress& progress) {
  Reproduction result;
  result.title = "Steps of schedules on networks with one fault";
  const Parameters& p = request.parameters;
  result.text = {
      fmt::format(
          "The proven lower bound, and the fewest steps that UMDA finds (population 100, mutation 0.9, half "
          "of the mutations to the step with the fewest conflicts, runs "
          "of {} generations): for each number of steps, at most {} by shortest paths of what is left and "
          "then, on the Kautz network, where each pair has one such path as long as nothing has failed, as "
          "many by longer paths (at most {} more). Node 0 is the root; where it has failed itself, node 1.",
          p.number("generations"), p.number("runs"), p.number("longer")),
      kFaultNumbers, kFaultErrata};
  std::vector<Fault> faults;
  for (FaultCase& one : fault_cases(p.number("others"))) faults.push_back({std::move(one), {}});
  const std::vector<std::uint32_t> patterns = chosen_patterns(p);
  solve_faults(request, faults, patterns, progress);
  std::uint32_t optimal = 0;
  ReproducedTable times{.title = "CPU seconds of all patterns, bounds included",
                        .headings = {"table", "fault", "seconds"},
                        .lines = {},
                        .timed = true};
  for (const FaultTable& table : fault_tables()) {
    compare_table(table, faults, patterns, result);
    ReproducedTable lines{
        .title = fmt::format("Every fault of Table {}, our numbers; *: by paths longer than shortest ones",
                             table.number),
        .headings = {"fault"},
        .lines = {}};
    for (const std::uint32_t pattern : patterns) lines.headings.emplace_back(kPatterns[pattern]);
    for (const Fault& fault : faults) {
      if (fault.table != &table) continue;
      lines.lines.push_back({fault.name});
      double seconds = 0;
      for (const std::uint32_t pattern : patterns) {
        const Found& found = fault.found[pattern];
        lines.lines.back().push_back(cell(found));
        optimal += found.steps == found.bound.steps ? 1 : 0;
        seconds += found.seconds;
      }
      times.lines.push_back({table.number, fault.name, fmt::format("{:.2f}", seconds)});
    }
    result.tables.push_back(std::move(lines));
  }
  result.rows.push_back(
      shown("schedules that are proven optimal",
            Quantity::words(fmt::format("{} of {}", optimal, faults.size() * patterns.size()))));
  result.tables.push_back(std::move(times));
  return result;
}

}  // namespace

Experiment jaros_faults_experiment() {
  return {.name = "collectives-faults",
          .summary = "steps on a Kautz network and a mesh with one link or node failed",
          .paper = kThesis,
          .place = "Tables 8.18 to 8.20",
          .typical_seconds = 300,
          .quick = "generations=20,runs=1,longer=0,others=1,patterns=one",
          .parameters =
              {{.name = "generations", .help = "of a run", .fallback = "2000", .min = 1},
               {.name = "runs",
                .help = "for each number of steps and path length, until one succeeds",
                .fallback = "1",
                .min = 1,
                .max = 1000},
               {.name = "longer", .help = "hops beyond shortest paths at most", .fallback = "1", .max = 8},
               {.name = "others",
                .help = "faults tried of those that the thesis does not name",
                .fallback = "100"},
               {.name = "patterns",
                .kind = ParameterKind::text,
                .help = "all four, or those with one source",
                .fallback = "all",
                .choices = {"all", "one"}}},
          .resumable = true,
          .run = run_jaros_faults};
}

}  // namespace unknot
