// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/planning/design_search.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "unknot/bounds/hose_bound.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/fabric/format_choice.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/routing/engine_run.hpp"
#include "unknot/design/racks.hpp"
#include "unknot/design/search/network_search.hpp"
#include "unknot/network/distances.hpp"
#include "unknot/oblivious/oblivious_load.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::cli {
namespace {

/// Columns and rows.
std::pair<std::uint32_t, std::uint32_t> grid_from(const std::string& text) {
  Cursor cursor(text);
  const auto columns = cursor.decimal(kMostSearchedRouters);
  const bool crossed = cursor.eat('x');
  const auto rows = cursor.decimal(kMostSearchedRouters);
  if (!crossed || !cursor.at_end() || columns.value_or(0) == 0 || rows.value_or(0) == 0 ||
      *columns * *rows > kMostSearchedRouters) {
    throw InputError(
        fmt::format("design: --grid '{}': expected columns x rows, as in 8x8, {} routers at most",
                    shown(text), kMostSearchedRouters));
  }
  return {static_cast<std::uint32_t>(*columns), static_cast<std::uint32_t>(*rows)};
}

NetworkSearch search_from(const DesignSearchOptions& options, const SearchCosts& costs,
                          const Common& common) {
  std::uint32_t routers = options.routers;
  std::optional<CableLimit> limit;
  if (options.longest != 0)
    limit = {.floor = costs.model.floor, .longest = options.longest, .terminals = options.each};
  if (!options.grid.empty()) {
    const auto [columns, rows] = grid_from(options.grid);
    if (!limit)
      throw InputError("design: --grid says where routers are; give the --longest-cable, in its steps");
    if (costs.priced) throw InputError("design: --grid has steps, no metres: it has no --cost");
    if (routers != 0 && routers != columns * rows) {
      throw InputError(fmt::format("design: --grid {} has {} routers, --routers {}", options.grid,
                                   columns * rows, routers));
    }
    routers = columns * rows;
    limit->floor = grid_floor(columns);
  }
  if (routers == 0) throw InputError("design: --search needs --routers, or a --grid of them");
  const bool cubes = options.optical == "cubes";
  if (!cubes && options.ports == 0)
    throw InputError("design: --search needs --ports (of each router, for cables), or --optical cubes");
  return {.routers = routers,
          .ports = options.ports != 0 ? options.ports : 6,
          .optical_cubes = cubes,
          .limit = limit,
          .aim = options.aim == "latency" ? SearchAim::latency : SearchAim::throughput,
          .effort = options.effort,
          .seed = common.seed,
          .threads = common.threads};
}

/// The first of these engines that routes it on at most so many lanes.
EngineRun routed(const Network& network, std::initializer_list<const char*> engines, std::uint32_t lanes,
                 const Common& common, Progress& progress) {
  EngineRunOptions how;
  how.virtual_lanes = lanes;
  EngineRun run;
  for (const char* engine : engines) {
    run = measured_engine(network, engine, how, common, progress);
    if (run.good()) break;
  }
  return run;
}

struct Measured {
  DistanceStatistics distances;
  ObliviousLoad split;
  double tub = 0;
  EngineRun tables, routes;  ///< by destination, and by pair
};

/// Most that a channel carries of an all-to-all, in what a terminal sends.
double all_to_all_load(const Network& network, const EngineRun& run) {
  const double others = std::max(1.0, static_cast<double>(network.terminal_count()) - 1);
  return static_cast<double>(run.load.max) / others;
}

Json run_document(const Network& network, const EngineRun& run) {
  return {{"engine", run.engine},
          {"lanes", run.verdict.lanes_used},
          {"deadlock_free", run.verdict.deadlock_free},
          {"usable", run.good()},
          {"max_load", all_to_all_load(network, run)}};
}

std::string run_sentence(const Network& network, const EngineRun& run, std::uint32_t lanes) {
  if (!run.good()) return fmt::format("none found on {} lanes", lanes);
  return fmt::format("{} on {} lanes, proven deadlock-free; all-to-all {:.4f}", run.engine,
                     run.verdict.lanes_used, 1 / all_to_all_load(network, run));
}

Measured measured(const Network& network, const DesignSearchOptions& options, const Common& common,
                  Progress& progress) {
  DistanceOptions exactly;
  exactly.threads = common.threads;
  return {.distances = distance_statistics(network, exactly),
          .split = oblivious_load(network, ObliviousPaths::minimal, RouterDemand::uniform(network),
                                  common.threads, progress),
          .tub = hose_bound(network, common.threads, progress).throughput(),
          // On shortest paths, or where these need more lanes on others.
          .tables = routed(network, {"unknot", "nue"}, options.lanes, common, progress),
          .routes = routed(network, {"source-routed"}, options.lanes, common, progress)};
}

/// Lengths by the numbers of routers alone: nothing here knows what was searched.
CableLengths checked_lengths(const Network& network, const NetworkSearch& problem) {
  const CableLengths lengths = cable_lengths(network, Racks(network, problem.limit->floor));
  if (lengths.longest > problem.limit->longest * (1 + 1e-6))
    throw std::logic_error(fmt::format("design --search: a cable of {}", lengths.longest));
  return lengths;
}

std::uint64_t free_ports(const CableLengths& lengths, const NetworkSearch& problem) {
  return std::uint64_t{problem.routers} * problem.ports - 2 * lengths.cables;
}

Json lengths_document(const CableLengths& lengths, const NetworkSearch& problem) {
  return {{"number", lengths.cables},
          {"limit", problem.limit->longest},
          {"longest", lengths.longest},
          {"mean", lengths.sum / static_cast<double>(lengths.cables)},
          {"free_ports", free_ports(lengths, problem)}};
}

std::string lengths_sentence(const CableLengths& lengths, const NetworkSearch& problem,
                             const DesignSearchOptions& options) {
  const char* const unit = options.grid.empty() ? "m" : "steps";
  const std::uint64_t free = free_ports(lengths, problem);
  return fmt::format("{}, the longest of {:.4g} {} ({:.4g} allowed), {:.4g} {} in the mean{}",
                     grouped(lengths.cables), lengths.longest, unit, problem.limit->longest,
                     lengths.sum / static_cast<double>(lengths.cables), unit,
                     free == 0 ? "" : fmt::format("; {} ports are free", grouped(free)));
}

}  // namespace

Answer design_search(const DesignSearchOptions& options, const SearchCosts& costs, const Common& common) {
  const NetworkSearch problem = search_from(options, costs, common);
  fabric_format(options.format);
  check_outputs({options.output});
  if (common.json && options.output == "-")
    throw InputError("design: --json and a file '-' cannot both have standard output");
  ProgressBar bar(common);
  const FoundNetwork found = search_network(problem, bar);
  const Network network = lift_network(found.lift, options.each);
  if (problem.optical_cubes) {
    const std::string broken = broken_cube_rule(network);
    if (!broken.empty()) throw std::logic_error("design --search: " + broken);
  }
  std::optional<CableLengths> lengths;
  if (problem.limit) lengths = checked_lengths(network, problem);
  std::optional<Bill> bill;
  if (costs.priced) bill = price_network(network, costs.model, problem.ports + options.each, nullptr);
  const Measured now = measured(network, options, common, bar);
  if (!options.output.empty()) write_fabric(network, options.format, options.output);
  const double mean_load = now.split.mean;
  const int code = now.tables.good() || now.routes.good() ? kYes : kNo;
  if (common.json) {
    Json document;
    document["routers"] = problem.routers;
    document["ports"] = problem.ports;
    document["group"] = found.lift.group.name();
    document["base"] = found.lift.base;
    document["steps"] = found.steps;
    document["diameter"] = now.distances.diameter;
    document["mean_distance"] = now.distances.mean_distance;
    document["least_mean_distance"] = found.least_mean_distance;
    document["all_to_all"] = {{"upper", 1 / mean_load}, {"lower", 1 / now.split.max}};
    document["tub"] = now.tub;
    document.update(run_document(network, now.tables));
    document["routes"] = run_document(network, now.routes);
    if (lengths) document["cables"] = lengths_document(*lengths, problem);
    if (bill) document["bill"] = {{"cost", bill->price()}, {"power", bill->power}, {"racks", bill->racks}};
    return {code, std::move(document), {}};
  }
  if (options.output == "-") return {code};
  std::vector<std::pair<std::string, std::string>> rows = {
      {"symmetry", fmt::format("{} copies of {}, by {}", found.lift.group.order(), found.lift.base,
                               found.lift.group.name())},
      {"changes tried", grouped(found.steps)},
      {"diameter", fmt::format("{}", now.distances.diameter)},
      {"mean distance",
       fmt::format("{:.4f}, {:.2f} % above what {} ports{} allow", now.distances.mean_distance,
                   100 * (now.distances.mean_distance / found.least_mean_distance - 1), problem.ports,
                   problem.limit ? " and such cables" : "")},
      {"all-to-all", fmt::format("at most {:.4f} over any paths, {:.4f} split evenly over shortest paths",
                                 1 / mean_load, 1 / now.split.max)},
      {"all traffic", fmt::format("at most {:.4f} (TUB)", now.tub)}};
  if (lengths) rows.emplace_back("cables", lengths_sentence(*lengths, problem, options));
  if (bill) {
    rows.emplace_back("cost", fmt::format("{} {}, {:.1f} kW, {} racks", grouped(std::llround(bill->price())),
                                          costs.model.currency, bill->power / 1000, grouped(bill->racks)));
  }
  rows.emplace_back("tables", run_sentence(network, now.tables, options.lanes));
  rows.emplace_back("source routes", run_sentence(network, now.routes, options.lanes));
  const std::string rule = problem.optical_cubes ? ", in cubes of 64 on optical switches" : "";
  return {code,
          {},
          fmt::format("{} routers of {} ports{}\n\n", grouped(problem.routers), problem.ports, rule) +
              key_values(rows)};
}

void declare_design_search(CLI::App& app, DesignSearchOptions& options) {
  CLI::Option* const search = app.add_flag(
      "--search", options.search,
      "Search for a network that no family has: of --routers and --ports, the smallest mean distance found");
  app.add_option("--routers", options.routers, "With --search: how many")
      ->type_name("N")
      ->check(whole_number(2, kMostSearchedRouters))
      ->needs(search);
  app.add_option("--ports", options.ports, "With --search: of each router, for cables to others")
      ->type_name("K")
      ->check(whole_number(2, kMostSearchedPorts))
      ->needs(search);
  app.add_option("--optical", options.optical,
                 "With --search: cubes (of 4x4x4 routers, electrical meshes; the ports on their faces are "
                 "joined by optical switches, one for each place on each pair of faces)")
      ->type_name("WORD")
      ->check(CLI::IsMember({"cubes"}))
      ->needs(search);
  app.add_option(
         "--longest-cable", options.longest,
         "With --search: no cable between routers is longer, on the floor of the cost model or in steps of "
         "--grid")
      ->type_name("METRES")
      ->check(number_between(0.001, 1e6))
      ->needs(search);
  app.add_option("--grid", options.grid,
                 "With --search and --longest-cable: routers stand at the places of a grid, row by row, one "
                 "step apart")
      ->type_name("WxH")
      ->needs(search);
  app.add_option("--aim", options.aim,
                 "With --longest-cable: throughput counts what channels carry beside the distances, latency "
                 "distances "
                 "alone; without a limit they are one")
      ->type_name("WORD")
      ->check(CLI::IsMember({"throughput", "latency"}))
      ->capture_default_str()
      ->needs(search);
  app.add_option("--terminals", options.each, "With --search: on each router")
      ->type_name("P=1")
      ->check(whole_number(1, 1000))
      ->needs(search);
  app.add_option("--lanes", options.lanes, "With --search: most virtual lanes that the tables may use")
      ->type_name("N=4")
      ->check(whole_number(1, kMaxLanes))
      ->needs(search);
  app.add_option("--effort", options.effort, "With --search: steps, in units of the usual")
      ->type_name("X=1")
      ->check(number_between(0.001, 1000))
      ->needs(search);
  app.add_option("--output,-o", options.output, "With --search: write the network, - for standard output")
      ->type_name("FILE")
      ->needs(search);
  app.add_option("--network-format", options.format,
                 fmt::format("With --search: one of {}", writable_fabric_formats()))
      ->type_name("FORMAT")
      ->capture_default_str()
      ->needs(search);
}

}  // namespace unknot::cli
