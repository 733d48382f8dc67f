// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/lanes/forced_cycle.hpp"
#include "unknot/lanes/minimum_lanes.hpp"
#include "unknot/routing/orders/fewest_lanes.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot::cli {
namespace {

struct LanesOptions {
  std::string fabric;
  bool exact = false;
  std::uint32_t budget = 60;  // seconds
  std::uint32_t search = 0;   // units of work
};

/// What is known of the minimum, and from where.
struct Bounds {
  std::uint32_t lower = 1;
  std::string lower_by = "any routing";
  std::optional<std::uint32_t> upper;  // none where more than can be counted
  std::string upper_by;
  std::vector<ForcedDependency> cycle;
  LaneSearch search;
  [[nodiscard]] bool proven() const { return upper == lower; }
};

/// Lanes of a routing on shortest paths that the independent checker accepts, one lane for each path. Engines
/// say in a note that they had to take detours, or let tables change lanes on the way: that is no bound.
void take_upper(Bounds& bounds, const Network& network, const Routing& routing, const std::string& by,
                Progress& progress) {
  if (routing.lane_map != nullptr) return;
  const Verdict verdict = verify(network, routing, {}, progress);
  if (!verdict.minimal() && !routing.report.note.empty()) return;
  if (!verdict.minimal() || !verdict.deadlock_free) {
    throw std::logic_error(by + " gave a routing that does not hold");
  }
  bounds.upper = routing.virtual_lanes;
  bounds.upper_by = by;
}

/// Lanes that an engine needs, if they are fewer than those known. One that spreads paths over spare lanes is
/// asked again with no lane more, so that what is counted is what the checker saw.
void ask_engine(Bounds& bounds, const Network& network, const std::string& engine, const Common& common,
                Progress& progress) {
  stop_if_interrupted();
  EngineRequest request;
  request.virtual_lanes = kMaxLanes;
  request.seed = common.seed;
  request.threads = common.threads;
  try {
    Routing routing = route(network, engine, request, progress);
    if (bounds.upper && routing.lanes_needed >= *bounds.upper) return;
    if (routing.virtual_lanes != routing.lanes_needed) {
      request.virtual_lanes = routing.lanes_needed;
      routing = route(network, engine, request, progress);
    }
    take_upper(bounds, network, routing, engine, progress);
  } catch (const RoutingFailure&) {
    // more than a service level can name, or not on so few lanes again: says nothing
  }
}

/// What is asked of an engine: few lanes, each for a path from end to end.
std::string spec_of(const Engine& engine) {
  if (engine.name == "unknot") return "unknot:prefer=lanes";
  if (engine.name == "dfsssp") return "dfsssp:rule=best";
  return engine.name == "dor" ? "dor:sl2vl=0" : engine.name;
}

/// Fewer lanes than those known, one less after the other.
void search_fewer(Bounds& bounds, const Network& network, const LanesOptions& options, const Common& common,
                  Progress& progress) {
  progress.begin("search", 0);
  for (std::uint32_t lanes = bounds.upper.value_or(kMaxLanes + 1) - 1; lanes >= bounds.lower; --lanes) {
    const std::optional<Routing> found =
        shortest_paths_on(network, lanes, options.search, common.seed, common.threads, progress);
    if (!found) return;
    take_upper(bounds, network, *found, "search", progress);
  }
}

Bounds find_bounds(const Network& network, const LanesOptions& options, const Common& common,
                   Progress& progress) {
  Bounds bounds;
  bounds.cycle = forced_cycle(network);
  if (!bounds.cycle.empty()) {
    bounds.lower = 2;
    bounds.lower_by = "pairs with a single shortest path";
  }
  stop_if_interrupted();
  for (const Engine& engine : engines()) {
    if (bounds.proven()) break;
    if (engine.name == "exact") continue;  // the same search as below
    if (engine.promise.deadlock_free && engine.promise.minimal && refusal(engine, network).empty()) {
      ask_engine(bounds, network, spec_of(engine), common, progress);
    }
  }
  if (options.search > 0) search_fewer(bounds, network, options, common, progress);
  if (!options.exact || bounds.proven()) return bounds;
  progress.begin("exact", 0);
  const std::uint32_t most = std::min(bounds.upper ? *bounds.upper - 1 : kMaxLanes, kMaxLanes);
  const LaneBounds exact = minimum_lanes(network, bounds.lower, most, options.budget, progress);
  bounds.search = exact.search;
  if (exact.lower > bounds.lower) {
    bounds.lower = exact.lower;
    bounds.lower_by = "satisfiability";
  }
  if (exact.routing) take_upper(bounds, network, *exact.routing, "satisfiability", progress);
  return bounds;
}

Json lanes_json_report(const LanesOptions& options, const Network& network, const Bounds& bounds,
                       double seconds) {
  Json document;
  add_fabric(document, options.fabric, network);
  document["lower_bound"] = bounds.lower;
  document["lower_bound_by"] = bounds.lower_by;
  document["upper_bound"] = bounds.upper ? Json(*bounds.upper) : Json();
  document["upper_bound_by"] = bounds.upper_by;
  document["proven"] = bounds.proven();
  Json cycle = Json::array();
  for (const ForcedDependency& dependency : bounds.cycle) {
    cycle.push_back({{"channel", network.channel_name(dependency.channel)},
                     {"source", network.router_name(dependency.source)},
                     {"destination", network.router_name(dependency.destination)}});
  }
  document["forced_cycle"] = cycle;
  document["cuts"] = bounds.search.cuts;
  document["seconds"] = seconds;
  return document;
}

std::string lanes_text_report(const LanesOptions& options, const Network& network, const Bounds& bounds,
                              double seconds) {
  std::vector<std::pair<std::string, std::string>> rows = {
      {"at least", fmt::format("{}, by {}", bounds.lower, bounds.lower_by)},
      {"enough", bounds.upper ? fmt::format("{}, by {}", *bounds.upper, bounds.upper_by) : "not found"},
      {"minimum proven", bounds.proven() ? "yes" : "NO"},
  };
  if (bounds.search.rounds > 0) rows.emplace_back("cycles cut", grouped(bounds.search.cuts));
  rows.emplace_back("time", duration(seconds));
  std::string text =
      fabric_line(options.fabric, network) + "\nvirtual lanes for shortest paths\n" + key_values(rows);
  if (bounds.cycle.empty()) return text;
  text += "\nNo choice of shortest paths avoids this circle:\n";
  for (std::size_t i = 0; i < bounds.cycle.size(); ++i) {
    const ForcedDependency& dependency = bounds.cycle[i];
    text += fmt::format("  {}. {}: the only way from {} to {}, which goes on to {}.\n", i + 1,
                        network.channel_name(dependency.channel), network.router_name(dependency.source),
                        network.router_name(dependency.destination), (i + 1) % bounds.cycle.size() + 1);
  }
  return text;
}

Answer lanes_command(const LanesOptions& options, const Common& common) {
  const Network network = load_fabric(options.fabric);
  const Stopwatch time;
  Bounds bounds;
  {
    ProgressBar bar(common);
    bounds = find_bounds(network, options, common, bar);
  }
  stop_if_interrupted();
  if (common.json) {
    return {bounds.proven() ? kYes : kNo, lanes_json_report(options, network, bounds, time.seconds()), {}};
  }
  return {bounds.proven() ? kYes : kNo, {}, lanes_text_report(options, network, bounds, time.seconds())};
}

Action declare_lanes(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<LanesOptions>();
  add_fabric_argument(app, options->fabric);
  CLI::Option* exact = app.add_flag("--exact", options->exact, "Search for the minimum by satisfiability");
  app.add_option("--budget", options->budget, "Seconds that the exact search may take")
      ->check(whole_number(0, 1000000000))
      ->type_name("SECONDS")
      ->capture_default_str()
      ->needs(exact);
  app.add_option(
         "--search", options->search,
         "Work of a local search for fewer lanes, some 3 s a unit: for up to about a thousand routers")
      ->check(whole_number(0, 1000000))
      ->type_name("UNITS")
      ->capture_default_str();
  return [options, &common] { return lanes_command(*options, common); };
}

}  // namespace

Command lanes_row() {
  return {
      .name = "lanes",
      .summary = "Bound the virtual lanes that shortest paths need, exactly where that can be proven",
      .details =
          R"(Lower bound: dependencies of pairs that have a single shortest path, which every routing has; where they close a
cycle one lane is not enough. Upper bound: the engines that keep to shortest paths and to one lane for a path
from end to end. --search looks longer for orders of the channels that allow all pairs on fewer lanes. --exact
asks for all tables and all lane assignments between the two at once, by satisfiability: for networks of up to
about a hundred routers. Exit code 0: the minimum is known; 1: only bounds are.)",
      .examples = {"unknot lanes slimfly:q=5,p=4", "unknot lanes torus:4x4 --exact --budget 30",
                   "unknot lanes random:switches=128,links=450,seed=1 --search 20"},
      .declare = declare_lanes};
}

}  // namespace unknot::cli
