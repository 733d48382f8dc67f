// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "unknot/bounds/concurrent_flow.hpp"
#include "unknot/bounds/delivered.hpp"
#include "unknot/bounds/exchange.hpp"
#include "unknot/bounds/group_spread.hpp"
#include "unknot/bounds/hose_bound.hpp"
#include "unknot/bounds/path_sets.hpp"
#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/command/command.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/planning/channel_capacities.hpp"
#include "unknot/cli/planning/flow_limits.hpp"
#include "unknot/cli/planning/hose_report.hpp"
#include "unknot/cli/planning/load_rows.hpp"
#include "unknot/cli/planning/split_report.hpp"
#include "unknot/cli/routing/routing_source.hpp"
#include "unknot/formats/adaptive/adaptive_catalogue.hpp"
#include "unknot/load/all_pairs.hpp"
#include "unknot/load/flow_load.hpp"
#include "unknot/network/labels.hpp"
#include "unknot/oblivious/oblivious_load.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot::cli {
namespace {

constexpr std::uint32_t kMaxSamples = 100'000;
/// Up to here the linear program takes seconds and is solved without being asked for.
constexpr std::uint64_t kQuickProgram = 8'000;

struct BoundCommandOptions {
  std::string fabric;
  std::string pattern = "uniform";
  std::vector<std::string> paths, split;
  std::vector<std::string> adaptive;  ///< files of one adaptive routing
  RoutingSource source;
  std::uint32_t samples = 10;
  bool optimal = false;
  bool exact = false;
  double gap = 0.05;
  std::uint32_t rounds = 500;
  bool tub = false;
  std::string capacity = "cables";
  bool about_a_pattern = true;  ///< false where --tub stands alone
};

/// Whether the loads of these paths are known in closed form.
bool is_oblivious(const std::string& set) {
  return set == "minimal" || set == "valiant";
}

PatternLoads routed(const Network& network, const Routing& routing, const TrafficPattern& pattern,
                    std::uint64_t seed, std::uint32_t sample, std::uint32_t threads) {
  PatternLoads loads;
  if (pattern.all_pairs || pattern.uniform_mean) {
    const double each = 1 / std::max(1.0, network.terminal_count() - 1.0) /
                        (1.0 + static_cast<double>(routing.further.size()));
    for (const std::uint64_t pairs : delivered_load(network, routing, threads))
      loads.load.push_back(static_cast<double>(pairs) * each);
  } else {
    std::vector<Flow> flows;
    pattern.flows(seed, sample, flows);
    FlowLoad found = flow_load(network, routing, flows);
    loads.load = std::move(found.load);
    if (found.unroutable == 0) return loads;
  }
  loads.left = delivered_part(network, pattern, seed, sample, arrivals(network, routing));
  if (loads.left->lost_flows == 0) loads.left.reset();
  return loads;
}

/// Of all shortest paths or Valiant's routing, or evenly over the paths of another set.
PatternLoads spread(const Network& network, const std::string& set, const Exchange& exchange,
                    const TrafficPattern& pattern, std::uint32_t sample, const Common& common,
                    Progress& progress) {
  if (!is_oblivious(set))
    return {even_load(network, make_path_lists(network, exchange.between, set, progress)), {}};
  const ObliviousPaths paths = oblivious_paths_from(set);
  ObliviousLoad found = oblivious_load(network, paths, exchange.between, common.threads, progress);
  PatternLoads loads{std::move(found.load), {}};
  if (found.lost_pairs > 0)
    loads.left = delivered_part(network, pattern, common.seed, sample, arrivals(network, paths));
  return loads;
}

/// The best that any paths reach.
FlowLimits optimum(const Network& network, const ChannelCapacities& capacities, const Exchange& exchange,
                   const BoundCommandOptions& options, const Common& common, Progress& progress) {
  const std::uint64_t size = std::uint64_t{network.channel_count()} * exchange.between.endpoints().count();
  // a load that the cables of the terminals have anyway need not be lowered
  const double terminals = std::max(exchange.peak_injection, exchange.peak_ejection);
  const bool program = options.exact || size <= kQuickProgram;
  const FlowProblem problem{network, exchange.between, FlowWays::any, capacities.of};
  const ConcurrentFlow flow =
      program
          ? flow_by_program(problem)
          : flow_by_potential(problem, {options.gap, terminals, options.rounds, common.threads}, progress);
  return flow_limits(network, exchange, check_flow(problem, flow), program, flow.rounds);
}

/// Of a sample; of all pairs where the mean is uniform, as exchange_of() has it.
std::vector<Flow> flows_of(const Network& network, const TrafficPattern& pattern, std::uint64_t seed,
                           std::uint32_t sample) {
  std::vector<Flow> flows;
  if (!pattern.all_pairs && !pattern.uniform_mean) {
    pattern.flows(seed, sample, flows);
    return flows;
  }
  const double each = 1 / std::max(1.0, network.terminal_count() - 1.0);
  for (const TerminalId source : network.terminals()) {
    for (const TerminalId destination : network.terminals()) {
      if (source != destination) flows.push_back({source, destination, each});
    }
  }
  return flows;
}

/// By an adaptive routing whose packets choose at random.
PatternLoads spread(const Network& network, const AdaptiveRouting& routing, const std::vector<Flow>& flows,
                    Progress& progress) {
  GroupLoad found = group_load(network, routing, flows, progress);
  PatternLoads loads{std::move(found.load), found.delivered};
  if (found.delivered.lost_flows == 0) loads.left.reset();
  return loads;
}

/// All about one pattern.
struct PatternBounds {
  std::uint32_t samples = 1;
  Exchange first;  ///< the first sample
  std::vector<LoadRow> rows;
  std::vector<SplitRow> splits;
  std::optional<FlowLimits> best;

  [[nodiscard]] bool lost() const {
    return std::any_of(rows.begin(), rows.end(), [](const LoadRow& row) { return row.lost > 0; });
  }
};

PatternBounds pattern_bounds(const Network& network, const ChannelCapacities& capacities,
                             const std::vector<std::string>& paths, const BoundCommandOptions& options,
                             const Common& common, Progress& progress) {
  const TrafficPattern pattern = make_pattern(network, options.pattern, progress);
  std::vector<std::pair<std::string, Routing>> routings;
  if (options.source.by_engine())
    routings.emplace_back(options.source.engine, route_by_engine(network, options.source, common, progress));
  if (options.source.from_tables())
    routings.emplace_back(options.source.input.tables, read_routing(network, options.source.input));
  if (options.source.split == "lowest") {
    for (auto& [name, routing] : routings) routing.further.clear();
  }
  std::optional<AdaptiveRouting> groups;
  if (!options.adaptive.empty()) {
    groups = read_adaptive(network, options.adaptive);
    groups->source = options.adaptive.front();  // for messages
  }
  PatternBounds bounds{pattern.random && !pattern.uniform_mean ? options.samples : 1,
                       exchange_of(network, pattern, common.seed, 0),
                       std::vector<LoadRow>(paths.size() + routings.size() + (groups ? 1 : 0)),
                       {},
                       {}};
  for (std::uint32_t sample = 0; sample < bounds.samples; ++sample) {
    const Exchange drawn = sample == 0 ? bounds.first : exchange_of(network, pattern, common.seed, sample);
    for (std::size_t i = 0; i < paths.size(); ++i) {
      bounds.rows[i].routing = paths[i];
      add_sample(network, capacities, drawn,
                 spread(network, paths[i], drawn, pattern, sample, common, progress), bounds.samples,
                 bounds.rows[i]);
    }
    for (std::size_t i = 0; i < routings.size(); ++i) {
      LoadRow& row = bounds.rows[paths.size() + i];
      row.routing = routings[i].first;
      add_sample(network, capacities, drawn,
                 routed(network, routings[i].second, pattern, common.seed, sample, common.threads),
                 bounds.samples, row);
    }
    if (groups) {
      bounds.rows.back().routing = LoadRow::kAtRandom;
      add_sample(network, capacities, drawn,
                 spread(network, *groups, flows_of(network, pattern, common.seed, sample), progress),
                 bounds.samples, bounds.rows.back());
    }
  }
  const SplitOptions how{options.exact, options.gap, options.rounds};
  for (const std::string& set : options.split) {
    const PathSetRow& row = find_path_set(set);
    if (row.by_next_hops) {
      const PathCount count = count_shortest_paths(network, bounds.first.between);
      if (count.channels > static_cast<double>(kMaxListedChannels)) {
        bounds.splits.push_back(split_by_next_hops(network, bounds.first, FlowWays::shortest, set, count, how,
                                                   common.threads, progress));
        continue;
      }
    }
    if (row.make) {
      const PathLists lists = make_path_lists(network, bounds.first.between, set, progress);
      bounds.splits.push_back(split_over(network, bounds.first, set, lists, how, progress));
      if (row.name == "ugal") {
        const std::uint32_t indirect =
            choose_row(path_sets(), "path set", set).parameters.number32("indirect");
        bounds.splits.back().ugal = ugal_limit(network, bounds.first, indirect, common.threads);
      }
      continue;
    }
    for (const auto& [name, routing] : routings) {
      const PathLists lists =
          address_path_lists(network, routing, flows_of(network, pattern, common.seed, 0), progress);
      bounds.splits.push_back(
          split_over(network, bounds.first, fmt::format("{} of {}", set, name), lists, how, progress));
    }
  }
  if (groups && bounds.rows.back().lost == 0) {
    const PathLists lists =
        group_path_lists(network, *groups, flows_of(network, pattern, common.seed, 0), progress);
    bounds.splits.push_back(
        split_over(network, bounds.first, "groups of " + options.adaptive.front(), lists, how, progress));
  }
  if (options.optimal) bounds.best = optimum(network, capacities, bounds.first, options, common, progress);
  return bounds;
}

/// Members that are null, or an empty list, where nothing was asked about a pattern.
void add_pattern(Json& document, const Network& network, const BoundCommandOptions& options,
                 const std::optional<PatternBounds>& bounds) {
  document["pattern"] = bounds ? Json(options.pattern) : Json();
  document["samples"] = bounds ? Json(bounds->samples) : Json();
  document["flows"] = bounds ? Json(bounds->first.flows) : Json();
  document["peak_injection"] = bounds ? Json(bounds->first.peak_injection) : Json();
  document["peak_ejection"] = bounds ? Json(bounds->first.peak_ejection) : Json();
  Json list = Json::array();
  if (bounds) {
    for (const LoadRow& row : bounds->rows) list.push_back(load_row_json(row));
  }
  document["bounds"] = std::move(list);
  Json splits = Json::array();
  if (bounds) {
    for (const SplitRow& row : bounds->splits) splits.push_back(split_json(network, row));
  }
  document["splits"] = std::move(splits);
  document["optimal"] = bounds && bounds->best ? flow_limits_json(*bounds->best) : Json();
}

std::string pattern_text(const Network& network, const BoundCommandOptions& options,
                         const PatternBounds& bounds) {
  std::string text = fmt::format(
      "{}: {} flows; the busiest terminal sends {:g} and receives {:g} at most{}\n\n", options.pattern,
      grouped(bounds.first.flows), bounds.first.peak_injection, bounds.first.peak_ejection,
      bounds.samples > 1 ? fmt::format("; means over {} samples", bounds.samples) : "");
  text += load_rows_text(bounds.rows);
  if (!bounds.splits.empty()) text += "\n" + split_text(network, bounds.splits);
  if (bounds.best) text += "\n" + flow_limits_text(*bounds.best);
  return text;
}

Answer bound(const BoundCommandOptions& options, const Common& common) {
  check_engine(options.source);
  (void)find_pattern(split_spec(options.pattern).name);
  for (const std::string& set : options.split) {
    if (!find_path_set(set).make && !options.source.by_engine() && !options.source.from_tables())
      throw InputError("bound: --split " + set + " needs --engine or --tables");
  }
  for (const std::string& set : options.paths) {
    const PathSetRow& row = find_path_set(set);
    if (!row.blind)
      throw InputError("bound: what paths " + row.name + " load is not fixed: give --split " + row.name);
  }
  std::vector<std::string> paths = options.paths;
  if (paths.empty() && options.about_a_pattern && !options.source.by_engine() &&
      !options.source.from_tables())
    paths = {"minimal", "valiant"};
  const Network network = load_fabric(options.fabric);
  if (options.capacity != "cables" && (options.tub || !options.split.empty() || !options.adaptive.empty())) {
    throw InputError(
        "bound: --tub, --split and --adaptive count cables; --capacity has no place beside them");
  }
  const ChannelCapacities capacities = channel_capacities(network, options.capacity);
  std::optional<HoseBound> all;
  std::optional<PatternBounds> bounds;
  {
    ProgressBar bar(common);
    if (options.about_a_pattern) bounds = pattern_bounds(network, capacities, paths, options, common, bar);
    if (options.tub) all = hose_bound(network, common.threads, bar);
  }
  const bool lost = (bounds && bounds->lost()) || (all && all->unreachable_pairs > 0);
  if (common.json) {
    Json document;
    add_fabric(document, options.fabric, network);
    add_pattern(document, network, options, bounds);
    document["unit_megabits"] = capacities.unit_megabits == 0 ? Json() : Json(capacities.unit_megabits);
    document["tub"] = all && std::isfinite(all->throughput()) ? Json(all->throughput()) : Json();
    document["all_traffic"] = all ? hose_json(*all) : Json();
    return {lost ? kNo : kYes, std::move(document), {}};
  }
  std::string text = fabric_line(options.fabric, network);
  if (capacities.unit_megabits > 0) {
    text += fmt::format("a rate of 1 is {} Gb/s{}\n", gigabits_text(capacities.unit_megabits),
                        options.capacity == "stated" ? ", as stated" : " of data");
  }
  if (bounds) text += pattern_text(network, options, *bounds);
  if (all) text += "\n" + hose_text(network, *all);
  return {lost ? kNo : kYes, {}, text};
}

Action declare_bound(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<BoundCommandOptions>();
  add_fabric_argument(app, options->fabric);
  CLI::Option* pattern =
      app.add_option("--pattern", options->pattern,
                     fmt::format("Traffic, as NAME or NAME:key=value,...; one of {}", row_names("patterns")))
          ->capture_default_str();
  app.add_option(
         "--paths", options->paths,
         "minimal, valiant or shortest:N (evenly over the N shortest), by commas; the first two where "
         "nothing else is asked for")
      ->delimiter(',')
      ->type_name("SET");
  add_routing_source(app, options->source);
  add_addresses(app, options->source);
  app.add_option("--samples", options->samples, "Samples of a pattern with chance in it")
      ->check(whole_number(1, kMaxSamples))
      ->type_name("N")
      ->capture_default_str();
  app.add_option(
         "--split", options->split,
         fmt::format("Also the best split of the first sample over the paths of a set, by commas: {}; "
                     "'unknot list path-sets'",
                     row_names("path-sets")))
      ->delimiter(',')
      ->type_name("SET");
  app.add_option("--adaptive", options->adaptive,
                 "Also the best split of the first sample over all ways that an adaptive routing allows: its "
                 "files, as verify takes them")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("FILE,...");
  app.add_flag("--optimal", options->optimal, "Also the best that any paths reach, for the first sample");
  const std::array only_with = {
      app.add_flag("--exact", options->exact,
                   "With --optimal, --split or --adaptive: by linear program, whatever the time"),
      app.add_option(
             "--gap", options->gap,
             "With --optimal, --split or --adaptive: stop when both sides are so close, or the flow does not "
             "limit the terminals")
          ->check(number_between(0.0001, 10.0))
          ->type_name("X")
          ->capture_default_str(),
      app.add_option("--rounds", options->rounds,
                     "With --optimal, --split or --adaptive: stop after this many rounds, whatever the gap")
          ->check(whole_number(1, 1'000'000))
          ->type_name("N")
          ->capture_default_str()};
  app.add_option(
         "--capacity", options->capacity,
         "What a channel carries counts by cables, by rates or as the fabric states it; 1 is a terminal's "
         "cable, or where that states nothing the widest channel")
      ->check(CLI::IsMember({"cables", "rates", "stated"}))
      ->type_name("WORD")
      ->capture_default_str();
  app.add_flag("--tub", options->tub,
               "Also an upper bound on the throughput over all traffic; alone, nothing about a pattern");
  return [options, pattern, only_with, &common] {
    for (const CLI::Option* option : only_with) {
      if (option->count() > 0 && !options->optimal && options->split.empty() && options->adaptive.empty())
        throw InputError("bound: " + option->get_name() + " is for --optimal, --split or --adaptive");
    }
    options->about_a_pattern = !options->tub || pattern->count() > 0 || !options->paths.empty() ||
                               !options->split.empty() || !options->adaptive.empty() ||
                               options->source.by_engine() || options->source.from_tables() ||
                               options->optimal;
    return bound(*options, common);
  };
}

}  // namespace

Command bound_row() {
  return {
      .name = "bound",
      .summary =
          "Bound the throughput of a traffic pattern without simulating: by channel loads, or over all paths",
      .details =
          R"(Load is in units of what the flows of the pattern weigh (1 each), channels have rate 1, or what --capacity says. Saturation: the rate at which
the busiest sender can send; time: in which one message a flow can be delivered; effective throughput: what is
delivered, over time and terminals. Minimal: evenly over all shortest paths; valiant: by a random router; groups at
random: at each router any port of the group with the same chance.

--split: what traffic reaches that each pair of routers splits over a set of paths at will, knowing all of it, and what
nothing that keeps to these paths exceeds; --optimal: the same over any paths (maximum concurrent flow). Both sides are checked
by code that did not find them. --tub: what no routing exceeds on the worst traffic in which no terminal sends or receives more
than 1, all channels over those that the longest matching of terminals needs; above 1 it rules nothing out.

--json: bounds [{routing, max_load, min_load, mean_load, saturation, worst_saturation, time, effective_throughput,
busiest_channel, lost, delivered}], means over samples; optimal {method, saturation, time,
effective_throughput and max_load as {lower, upper}, gap, rounds, imbalance}; splits [{set, pairs, paths, the same, and
any_paths {max_load, saturation}: what its lengths prove of any paths; of ugal also ugal {indirect, max_load {lower,
upper}, saturation {lower, upper}, channel}, else null}]; tub, a number, with all_traffic {saturation,
channels, length, longest, exact, terminals_matched, diameter, unreachable_pairs}. Exit code 0: all pairs have a path;
1: some have none.)",
      .examples = {"unknot bound slimfly:q=5,p=4 --pattern worst-case",
                   "unknot bound torus:4x4,p=2 --pattern tornado --optimal",
                   "unknot bound slimfly:q=5,p=3 --pattern worst-case --split minimal,shortest:8,ugal",
                   "unknot bound slimfly:q=5,p=3 --tub"},
      .declare = declare_bound};
}

}  // namespace unknot::cli
