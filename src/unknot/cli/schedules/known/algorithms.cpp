// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/command/command.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/fabric/fault_option.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/routing/routing_source.hpp"
#include "unknot/cli/schedules/known/algorithms_report.hpp"
#include "unknot/cli/simulation/settings_input.hpp"
#include "unknot/collective/placed/ring_order.hpp"
#include "unknot/place/places.hpp"
#include "unknot/place/rank_files.hpp"
#include "unknot/simulate/plan/lane_proof.hpp"
#include "unknot/simulate/settings/settings_draft.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/random.hpp"
#include "unknot/support/text/in_file.hpp"

namespace unknot::cli {
namespace {

constexpr std::uint64_t kMostAlgorithmBytes = std::uint64_t{1} << 40U;
constexpr std::uint64_t kMostAlgorithmRange = std::uint64_t{1} << 30U;

struct AlgorithmsOptions {
  std::string fabric, faults;
  RoutingSource source;
  std::string collective;
  std::uint32_t root = 0;
  std::vector<std::string> algorithms;
  std::vector<std::uint64_t> sizes = {1024, 65536, 1U << 20U};
  std::string hosts, order;
  bool shuffle = false, find_ring = false, known_only = false, check = false, no_simulation = false;
  std::uint32_t tries = 8;
  std::string output, format = "openmpi-rankfile";
  std::uint32_t group_routers = 0;
  RankPace pace;
  double limit = 0;
  std::uint64_t most_movements = 20'000'000;
  SettingsInput settings;
};

simulate::Settings algorithms_settings(const AlgorithmsOptions& options, const Network& network,
                                       const Common& common) {
  simulate::SettingsDraft draft;
  if (options.settings.preset.empty()) draft.add(simulate::rank_settings(network));
  for (simulate::SettingsLayer& layer : layers_of(options.settings)) draft.add(std::move(layer));
  const simulate::ResolvedSettings resolved = draft.resolve();
  for (const std::string& rounded : resolved.notes) note(common, "rounded: " + rounded);
  return resolved.settings;
}

void check_algorithms_options(const AlgorithmsOptions& options, const Common& common) {
  if (common.json && options.output == "-")
    throw InputError("algorithms: --json and a file '-' cannot both have standard output");
  if (options.source.by_engine() == options.source.from_tables())
    throw InputError("algorithms: give --engine or --tables, one of them");
  check_engine(options.source);
  if (options.collective.empty()) throw InputError("algorithms: --collective is missing");
  if (!options.order.empty() && options.shuffle)
    throw InputError("algorithms: --order and --shuffle both say where ranks are: give one of them");
  for (const std::string& spec : options.algorithms) (void)choose_known_algorithm(spec);
  (void)place::find_rank_file_format(options.format);
  check_outputs({options.output});
}

/// Hosts by rank, and what is said of their order.
std::vector<TerminalId> hosts_in_order(const AlgorithmsOptions& options, const Network& network,
                                       const Common& common, std::string& said) {
  const place::Places places = place::find_places(network, options.hosts, 1);
  said = "hosts in order";
  if (!options.order.empty()) {
    said = "in the order of " + options.order;
    const std::vector<std::string> names = place::read_rank_file(read_file(options.order), options.order);
    std::vector<TerminalId> hosts;
    in_file(options.order, [&] {
      for (const std::uint32_t at : place::placement_on(network, places, names))
        hosts.push_back(places.terminal_of(at));
      return 0;
    });
    return hosts;
  }
  std::vector<TerminalId> hosts = places.hosts;
  if (options.shuffle) {
    said = fmt::format("hosts in random order, seed {}", common.seed);
    Random(common.seed).shuffle(hosts);
  }
  return hosts;
}

void write_order(const AlgorithmsOptions& options, const PlacedRanks& placed, const Common& common) {
  if (options.output.empty()) return;
  std::vector<std::string> names;
  for (const TerminalId host : placed.hosts()) names.push_back(place::host_name(placed.network(), host));
  write_file(options.output, place::find_rank_file_format(options.format).write(names, {}));
  if (options.output != "-") note(common, "wrote the hosts of ranks to " + options.output);
}

/// Puts ranks on hosts, and finds a better order where that is asked for.
PlacedRanks place_in_order(const AlgorithmsOptions& options, const Network& network, const Routing& routing,
                           const Common& common, std::string& said) {
  PlacedRanks placed(network, routing, hosts_in_order(options, network, common, said));
  if (!options.find_ring) return placed;
  const std::uint64_t before = ring_meetings(placed);
  RingOrder found = find_ring_order(placed, options.tries, common.seed);
  said = fmt::format("in an order found for rings ({} meeting{}, {} before)", found.meetings,
                     found.meetings == 1 ? "" : "s", before);
  return placed.with_hosts(std::move(found.hosts));
}

AlgorithmsFindings compare_algorithms(const AlgorithmsOptions& options, const PlacedRanks& placed,
                                      const Routing& routing, AlgorithmsFindings found, const Common& common,
                                      Progress& progress) {
  const Network& network = placed.network();
  const simulate::Settings given = algorithms_settings(options, network, common);
  const LineTimes times = simulate::line_times(network, given);
  found.which = {find_rank_collective(options.collective), placed.ranks(), options.root,
                 grid_of_ranks(placed), ranks_of_a_box(placed)};
  if (options.root >= placed.ranks())
    throw InputError(fmt::format("--root {}: there are {} ranks", options.root, placed.ranks()));
  if (placed.ranks() < 2) throw InputError("algorithms: a collective needs two ranks or more");
  found.pace = options.pace;
  found.byte = simulate::step_ns(given) * given.speedup * 1e-9 / given.flit_bytes;
  found.hop = times.latency.front();
  found.group_routers = options.group_routers;
  found.contest = make_contest(found.which, placed, times,
                               {options.algorithms, !options.known_only, options.group_routers, common.seed,
                                common.threads, options.limit},
                               progress);
  found.sizes = options.sizes;
  const simulate::RoutePlan plan = simulate::plan_routing(network, routing, false);
  const simulate::Settings settings = simulate::for_lanes(given, plan.lanes_needed);
  if (!options.no_simulation)
    found.lanes = simulate::prove_lanes(network, routing, false, common.threads, progress).statement;
  found.trials = simulate::run_contest(
      found.contest, placed, plan, settings, found.sizes,
      {options.pace, options.no_simulation ? 0 : options.most_movements, common.threads}, progress);
  found.ranges = best_contenders(found.contest, options.pace, kMostAlgorithmRange);
  return found;
}

Answer algorithms_command(const AlgorithmsOptions& options, const Common& common) {
  check_algorithms_options(options, common);
  (void)find_rank_collective(options.collective);
  const Stopwatch time;
  const Network network = load_fabric(options.fabric, options.faults, common);
  AlgorithmsFindings found;
  ProgressBar bar(common);
  const Routing routing = routing_from(network, options.source, common, bar);
  found.fabric = options.fabric;
  found.routing = options.source.by_engine() ? "engine " + options.source.engine
                                             : "tables " + options.source.input.tables;
  const PlacedRanks placed = place_in_order(options, network, routing, common, found.order);
  found = compare_algorithms(options, placed, routing, std::move(found), common, bar);
  found.seconds = time.seconds();
  write_order(options, placed, common);
  const auto& contenders = found.contest.contenders;
  const bool free = std::all_of(contenders.begin(), contenders.end(),
                                [](const Contender& c) { return c.contention.free(); });
  const bool stuck = std::any_of(found.trials.begin(), found.trials.end(),
                                 [](const simulate::RankTrial& trial) { return trial.deadlocked; });
  const int code = (options.check && !free) || stuck ? kNo : kYes;
  if (options.output == "-") return {code};
  if (common.json) return {code, algorithms_json(found, placed), {}};
  return {code, {}, algorithms_text(found, placed)};
}

Action declare_algorithms(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<AlgorithmsOptions>();
  add_fabric_argument(app, options->fabric);
  add_fault_option(app, options->faults);
  add_routing_source(app, options->source);
  app.add_option("--collective", options->collective,
                 "all-reduce, all-gather, reduce-scatter, broadcast or all-to-all")
      ->type_name("NAME");
  app.add_option("--root", options->root, "Rank that a broadcast comes from")
      ->type_name("RANK")
      ->capture_default_str();
  app.add_option(
         "--algorithm", options->algorithms,
         fmt::format("This one only, as NAME or NAME:key=value,...; may be given many times; one of {}",
                     row_names("known-algorithms")))
      ->type_name("NAME")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  app.add_option(
         "--bytes", options->sizes,
         "Sizes of the message of the call, with commas: 1K,64K,1M (as MPI counts it: of all-gather what "
         "each has)")
      ->delimiter(',')
      ->transform(byte_count(kMostAlgorithmBytes))
      ->type_name("LIST");
  app.add_option("--hosts", options->hosts, "Hosts that take part, by number or name; else all")
      ->type_name("LIST");
  app.add_option("--order", options->order, "Hosts of the ranks, a rank file as Open MPI and Slurm take it")
      ->type_name("FILE");
  app.add_flag("--shuffle", options->shuffle, "Hosts in random order, by --seed");
  app.add_flag("--find-ring", options->find_ring,
               "Look for an order in which a ring of the ranks meets itself on no channel");
  app.add_option("--tries", options->tries, "With --find-ring: beginnings of the search")
      ->check(whole_number(1, 1'000'000))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("-o,--output", options->output, "Write the hosts of the ranks")->type_name("FILE");
  app.add_option("--format", options->format, "With -o: of that file")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_flag("--check", options->check, "Exit code 1 where any algorithm shown is not free of contention");
  app.add_flag("--known-only", options->known_only, "Without the schedules and trees that are made here");
  app.add_option("--limit", options->limit, "Seconds for a schedule in few steps; 0: no limit")
      ->check(number_between(0, 1e9))
      ->type_name("SECONDS")
      ->capture_default_str();
  app.add_option("--group-routers", options->group_routers,
                 "Count traffic between groups of so many routers, by their numbers: the global links of a "
                 "dragonfly")
      ->check(whole_number(1, 1'000'000'000))
      ->type_name("N");
  app.add_option("--alpha", options->pace.alpha, "Seconds that a rank takes to begin a message")
      ->check(number_between(0, 1))
      ->type_name("SECONDS")
      ->capture_default_str();
  app.add_flag("--rounds-apart", options->pace.apart,
               "All ranks begin a round together, when nothing of the one before is under way any more");
  app.add_flag("--no-simulation", options->no_simulation, "The cost model alone");
  app.add_option("--most-movements", options->most_movements,
                 "Do not simulate what moves more flits over channels than that")
      ->check(whole_number(1, 1'000'000'000'000))
      ->type_name("N")
      ->capture_default_str();
  add_settings_options(
      app, options->settings,
      fmt::format("Settings of links and routers; one of {} (else links of 200 Gb/s and packets of 256 "
                  "bytes)",
                  row_names("presets")));
  return [options, &common] { return algorithms_command(*options, common); };
}

}  // namespace

Command algorithms_row() {
  return {
      .name = "algorithms",
      .summary =
          "Known algorithms of collectives on a network's routes: contention, predicted and simulated times",
      .details =
          R"(Ranks are on hosts, one each, in any order. Every algorithm is a list of rounds of messages among ranks,
executed on symbols first; then each round is put on the routes in force. See docs/algorithms.md.

--json: algorithms [{name, rounds, contention_free, shared_rounds, most_flows, worst {round, channel, flows},
channel_bytes, group_bytes, sizes [{bytes, predicted, simulated, error}]}], best [{bytes, predicted, simulated}],
ranges [{from, algorithm}], refused. Exit code 0: done; 1: with --check an algorithm that is not free of
contention, or a deadlock where it was simulated.)",
      .examples =
          {"unknot algorithms torus:4x4 --engine dfsssp --collective all-reduce --bytes 1K,64K",
           "unknot algorithms kary-ntree:k=4,n=3 --engine ftree --collective all-gather --algorithm ring "
           "--shuffle --find-ring --check --known-only"},
      .declare = declare_algorithms};
}

}  // namespace unknot::cli
