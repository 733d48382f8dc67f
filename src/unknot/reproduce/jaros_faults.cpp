// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "unknot/collective/catalogue.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/reproduce/jaros_paper.hpp"
#include "unknot/reproduce/network_set.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using namespace jaros_paper;

using Steps = std::array<std::uint32_t, 4>;  // by pattern

enum class Failing : std::uint8_t { channel, cable, node };

/// A line of a table: what it says has failed, and between which of our routers that is; `to` unused for
/// nodes.
struct FaultRow {
  const char* printed;
  std::uint32_t from, to;
  Steps steps;
};

/// One of Tables 8.18 to 8.20.
struct FaultTable {
  const char* number;
  const char* spec;
  Failing failing;
  Steps whole;  ///< "no fault"
  std::vector<FaultRow> named;
  Steps others;  ///< "all other"
};

/// The thesis numbers the Kautz network in another way than the catalogue, which follows the order of words:
/// Table 8.11 shows it. Its 4, 5, 6, 7, 9 and B are our 5, 4, 7, 6, 11 and 9.
const std::vector<FaultTable>& tables() {
  static const std::vector<FaultTable> all{
      {"8.18",
       "kautz:b=3,n=2,oriented=1",
       Failing::channel,
       {4, 7, 2, 4},
       {{"0->3", 0, 3, {6, 9, 3, 6}},
        {"0->5", 0, 4, {6, 9, 3, 6}},
        {"0->4", 0, 5, {6, 9, 3, 6}},
        {"1->7", 1, 6, {4, 9, 2, 6}},
        {"1->6", 1, 7, {4, 9, 2, 6}},
        {"1->8", 1, 8, {4, 9, 2, 6}},
        {"2->B", 2, 9, {4, 9, 2, 6}},
        {"2->A", 2, 10, {4, 9, 2, 6}},
        {"2->9", 2, 11, {4, 9, 2, 6}},
        {"3->0", 3, 0, {4, 9, 2, 6}},
        {"3->1", 3, 1, {5, 9, 2, 6}},
        {"3->2", 3, 2, {5, 9, 2, 6}},
        {"5->7", 4, 6, {4, 9, 2, 6}}},
       {4, 9, 2, 6}},
      {"8.19",
       "mesh:4x4",
       Failing::cable,
       {8, 16, 3, 8},
       {{"0-1", 0, 1, {15, 22, 3, 15}}, {"0-4", 0, 4, {15, 22, 3, 15}}},
       {8, 22, 3, 8}},
      {"8.20",
       "mesh:4x4",
       Failing::node,
       {8, 16, 3, 8},
       {{"1 (printed: 0)", 1, 1, {15, 22, 3, 15}}, {"4", 4, 4, {15, 22, 3, 15}}},
       {8, 22, 3, 8}}};
  return all;
}

/// A single fault, or none, and what was found for each pattern.
struct Fault {
  const FaultTable* table = nullptr;
  const FaultRow* row = nullptr;  ///< none: among "all other", or no fault
  std::string name;
  Faults parts;
  std::array<Found, 4> found;
  [[nodiscard]] bool whole() const { return parts.routers.empty() && parts.channels.empty(); }
};

std::string name_of(const Network& network, Failing failing, const Faults& parts) {
  if (failing == Failing::node) return fmt::format("{}", parts.routers[0].value);
  const ChannelId c = parts.channels[0];
  return fmt::format("{}{}{}", network.source(c).value, failing == Failing::cable ? "-" : "->",
                     network.target(c).value);
}

/// All single faults of that kind, in the order of their numbers.
std::vector<Faults> single_faults(const Network& network, Failing failing) {
  std::vector<Faults> all;
  if (failing == Failing::node) {
    for (const RouterId r : network.routers())
      all.push_back({.routers = {r}, .channels = {}, .terminals = {}});
    return all;
  }
  for (const ChannelId c : network.channels()) {
    const ChannelId back = network.reverse(c);
    if (failing == Failing::channel) {
      all.push_back({.routers = {}, .channels = {c}, .terminals = {}});
    } else if (c < back) {
      all.push_back({.routers = {}, .channels = {c, back}, .terminals = {}});
    }
  }
  return all;
}

bool is_row(const Network& network, Failing failing, const Faults& parts, const FaultRow& row) {
  if (failing == Failing::node) return parts.routers[0].value == row.from;
  const ChannelId c = parts.channels[0];
  return network.source(c).value == row.from && network.target(c).value == row.to;
}

/// No fault, the named ones in the order of the table, then the first so many of the others.
std::vector<Fault> chosen_faults(std::uint64_t others) {
  std::vector<Fault> chosen;
  for (const FaultTable& table : tables()) {
    const Network network = make_network(table.spec);
    chosen.push_back({.table = &table, .row = nullptr, .name = "none", .parts = {}, .found = {}});
    std::vector<Faults> unnamed = single_faults(network, table.failing);
    for (const FaultRow& row : table.named) {
      const auto it = std::find_if(unnamed.begin(), unnamed.end(), [&](const Faults& parts) {
        return is_row(network, table.failing, parts, row);
      });
      chosen.push_back({&table, &row, name_of(network, table.failing, *it), std::move(*it), {}});
      unnamed.erase(it);
    }
    if (unnamed.size() > others) unnamed.resize(others);
    for (Faults& parts : unnamed)
      chosen.push_back({&table, nullptr, name_of(network, table.failing, parts), std::move(parts), {}});
  }
  return chosen;
}

std::vector<std::uint32_t> chosen_patterns(const Parameters& p) {
  if (p.text("patterns") == "one") return {0, 2};
  return {0, 1, 2, 3};
}

void solve_fault(const ExperimentRequest& request, Fault& fault, std::uint32_t pattern, Progress& progress) {
  // A Kautz network has one shortest path for each pair; in a mesh longer ones only widen the search.
  const bool few_paths = fault.table->failing == Failing::channel;
  const std::uint32_t longest = few_paths ? request.parameters.number32("longer") : 0;
  // The lowest number that is left is the root: 0, but where it has failed itself.
  const auto graph = std::make_shared<NodeGraph>(with_faults(make_network(fault.table->spec), fault.parts));
  fault.found[pattern] = fewest_steps(make_collective(graph, kPatterns[pattern]),
                                      {.generations = request.parameters.number("generations"),
                                       .runs = request.parameters.number32("runs"),
                                       .longer = longest,
                                       .seed = request.seed},
                                      progress);
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

Reproduction run(const ExperimentRequest& request, Progress& progress) {
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
      "Each fault by itself: all channels of the Kautz network one by one, both directions of each cable of "
      "the mesh, each of its nodes. Where the thesis says \"all other\", ours is the worst of them. It "
      "numbers the Kautz network in another way (its Table 8.11); labels have its numbers, the tables below "
      "and the worst of the others ours.",
      "Table 8.20 prints the values of Table 8.19 once more. Node 0 is the root and cannot be meant by its "
      "row \"0\", OAS in 15 steps; node 1, which like node 4 leaves the root one cable, is compared with "
      "that row. With a dead node there are 14 others to serve, one fewer than with a dead cable. A dead "
      "cable or "
      "node beside any corner leaves that corner one cable, so that AAB takes 15 or 14 steps there, too: "
      "\"all other\" in 8 steps cannot be."};
  std::vector<Fault> faults = chosen_faults(p.number("others"));
  const std::vector<std::uint32_t> patterns = chosen_patterns(p);
  const auto each = static_cast<std::uint32_t>(patterns.size());
  for_each_case(static_cast<std::uint32_t>(faults.size()) * each, request.threads, "schedules", progress,
                [&](std::uint32_t i, Progress& inner) {
                  solve_fault(request, faults[i / each], patterns[i % each], inner);
                });
  std::uint32_t optimal = 0;
  ReproducedTable times{.title = "CPU seconds of all patterns, bounds included",
                        .headings = {"table", "fault", "seconds"},
                        .lines = {},
                        .timed = true};
  for (const FaultTable& table : tables()) {
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
  result.rows.push_back(shown("schedules that are proven optimal",
                              Quantity::words(fmt::format("{} of {}", optimal, faults.size() * each))));
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
          .run = run};
}

}  // namespace unknot
