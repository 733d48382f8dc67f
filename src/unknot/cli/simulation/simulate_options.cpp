// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/simulation/simulate_options.hpp"

#include "unknot/cli/simulation/load_plot.hpp"

#include <fmt/format.h>

#include <utility>

#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/command/command.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/fabric/fault_option.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {

using simulate::ResolvedSettings;
using simulate::SettingsDraft;
using simulate::SettingsLayer;

namespace {

constexpr std::uint32_t kMostSeeds = 1000;
constexpr std::uint32_t kMostChannels = 1'000'000;

void add_search_options(CLI::App& app, SimulateOptions& options) {
  CLI::Option* saturation =
      app.add_flag("--saturation", options.saturation,
                   "Instead of --load: search the saturation load, by three definitions");
  app.add_option("--latency-factor", options.search.latency_factor,
                 "With --saturation: times the zero-load latency that is still taken")
      ->needs(saturation)
      ->type_name("X")
      ->capture_default_str();
  app.add_option("--shortfall", options.search.shortfall,
                 "With --saturation: part of the offered load that may not be accepted")
      ->needs(saturation)
      ->type_name("X")
      ->capture_default_str();
  app.add_option("--tolerance", options.search.tolerance, "With --saturation: loads are multiples of it")
      ->needs(saturation)
      ->type_name("X")
      ->capture_default_str();
}

void refuse_settings_of_messages(const simulate::Settings& settings) {
  using simulate::Settings;
  const char* const key = settings.send_queue != Settings::kQueue      ? "send_queue"
                          : settings.receive_queue != Settings::kQueue ? "receive_queue"
                          : settings.service != Settings::kService     ? "service"
                                                                       : nullptr;
  if (key != nullptr) throw InputError(fmt::format("simulate: the setting '{}' is for --messages", key));
}

}  // namespace

ResolvedSettings resolve_settings(const SimulateOptions& options, const Common& common) {
  bool seeded = false;
  SettingsDraft draft;
  for (SettingsLayer& layer : layers_of(options.settings)) {
    for (const SettingsLayer::Entry& entry : layer.entries)
      seeded = seeded || entry.key->parameter.name == "seed";
    draft.add(std::move(layer));
  }
  ResolvedSettings settings = draft.resolve();
  if (!seeded) settings.settings.seed = common.seed;
  if (options.messages.messages.empty()) refuse_settings_of_messages(settings.settings);
  return settings;
}

void check_modes(const SimulateOptions& options) {
  const int asked = (options.loads.empty() ? 0 : 1) + (options.saturation ? 1 : 0) +
                    (options.workload.empty() ? 0 : 1) + (options.packets.empty() ? 0 : 1) +
                    (options.schedule.empty() ? 0 : 1) + (options.transition.empty() ? 0 : 1);
  if (asked != 1) {
    throw InputError(
        "simulate: give --load, --saturation, --workload, --packets, --schedule or --transition, one of "
        "them");
  }
  check_simulated_groups(options.routing);
  const bool finite = !options.workload.empty() || !options.packets.empty();
  if ((options.routing.source.lmc > 0 || options.routing.address_given->count() > 0) &&
      options.loads.empty() && !options.saturation) {
    throw InputError(
        "simulate: several addresses of a host (--lmc, --address) are for --load and --saturation");
  }
  if (finite && options.traffic_given->count() > 0)
    throw InputError("simulate: --traffic is for --load and --saturation");
  if (finite && options.injection_given->count() > 0)
    throw InputError("simulate: --injection is for --load and --saturation");
  if (!options.deliveries.empty() && options.packets.empty())
    throw InputError("simulate: --deliveries is for --packets");
  if (!options.watch.empty() && !options.watch_packets.empty()) {
    throw InputError(
        "simulate: --watch FILE and --watch-packets LIST both say what is followed; give one of them");
  }
  if (options.follows() == options.events.empty())
    throw InputError("simulate: --watch says which packets are followed, --events where to: give both");
  if (options.follows() && (options.saturation || options.seeds > 1))
    throw InputError("simulate: --watch follows packets of one run, without --saturation and --seeds");
  if (!options.points.empty() && options.loads.empty() && !options.saturation)
    throw InputError("simulate: --csv is for --load and --saturation");
  if (options.seeds > 1 && !options.packets.empty())
    throw InputError("simulate: a list of packets is simulated once, without --seeds");
  if (options.saturation) check(options.search);
  if (!options.plot.empty() && options.loads.empty() && !options.saturation)
    throw InputError("simulate: --plot is for --load and --saturation");
  check_plot(options.plot);
  if (!options.timeline.empty() && (options.workload.empty() || options.seeds > 1))
    throw InputError("simulate: --timeline shows one run of a --workload");
  if (!options.filled_traces.empty() && (options.workload.empty() || options.seeds > 1))
    throw InputError("simulate: --filled-traces is for one run of a --workload");
}

std::vector<std::string> inputs_of(const SimulateOptions& options) {
  // A workload names its file last.
  const std::size_t before = options.workload.find_last_of(":,");
  return {options.fabric,
          options.changed_fabric,
          options.settings.config,
          options.packets,
          options.watch,
          options.schedule,
          options.transition,
          options.failures,
          options.routing.source.input.tables,
          options.routing.source.input.lanes,
          options.routing.source.input.lane_map,
          before == std::string::npos ? "" : options.workload.substr(before + 1)};
}

std::vector<std::string> files_of(const SimulateOptions& options) {
  return {options.deliveries, options.utilisation, options.points, options.flows,
          options.histogram,  options.events,      options.plot,   options.timeline};
}

void add_simulate_options(CLI::App& app, SimulateOptions& options) {
  add_fabric_argument(app, options.fabric);
  add_fault_option(app, options.faults);
  add_simulated_routing(app, options.routing);
  add_messages_options(app, options.messages);
  options.traffic_given =
      app.add_option(
             "--traffic", options.traffic,
             fmt::format("Steady traffic, as NAME or NAME:key=value,...; one of {}", row_names("patterns")))
          ->type_name("NAME")
          ->capture_default_str();
  options.injection_given =
      app.add_option("--injection", options.injection,
                     fmt::format("How packets of steady traffic follow each other, as NAME or "
                                 "NAME:key=value,...; one of {}",
                                 row_names("injections")))
          ->type_name("NAME")
          ->capture_default_str();
  app.add_option("--load", options.loads,
                 "Offered loads, parts of what a terminal can send: A, A:B:STEP, or these with commas")
      ->type_name("A[:B:STEP]");
  add_search_options(app, options);
  app.add_option("--workload", options.workload,
                 fmt::format("Instead of traffic: a finite exchange until it is done; one of {}",
                             row_names("workloads")))
      ->type_name("NAME");
  app.add_option("--packets", options.packets,
                 "Instead of traffic: packets one by one, lines 'cycle source destination [flits]'")
      ->type_name("FILE");
  CLI::Option* schedule =
      app.add_option("--schedule", options.schedule,
                     "Instead of traffic: a schedule, step by step, as unknot schedule -o writes it")
          ->type_name("FILE");
  app.add_option("--message-flits", options.message_flits, "With --schedule: flits of a message")
      ->needs(schedule)
      ->check(whole_number(1, 10'000'000))
      ->type_name("N")
      ->capture_default_str();
  CLI::Option* transition =
      app.add_option("--transition", options.transition,
                     "Instead of traffic at a load: steps from --tables on, as unknot reroute --transition "
                     "writes them, made while every terminal sends as fast as it can")
          ->type_name("FILE");
  app.add_option("--to", options.changed_fabric,
                 "With --transition: the fabric as it is now, after failures or repairs")
      ->needs(transition)
      ->type_name("FABRIC");
  app.add_option("--step-cycles", options.step_cycles,
                 "With --transition: cycles that a step takes, each of its changes at one of them")
      ->needs(transition)
      ->check(whole_number(1, 10'000'000))
      ->type_name("N")
      ->capture_default_str();
  CLI::Option* failures =
      app.add_option(
             "--failures-during", options.failures,
             "With one --load, and --engine or --tables: what fails and comes back meanwhile, lines "
             "'CYCLE fail SPEC', 'CYCLE repair SPEC', what --fail takes, 'CYCLE tables FILE [LEVELS]'")
          ->type_name("FILE");
  options.reroute_given =
      app.add_option("--reroute-after", options.reroute_after,
                     "With --failures-during and --engine: cycles from a failure or repair to new tables")
          ->needs(failures)
          ->check(whole_number(0, 100'000'000))
          ->type_name("N")
          ->capture_default_str();
  app.add_option("--deliveries", options.deliveries,
                 "With --packets: write 'created source destination arrived' for each packet")
      ->type_name("FILE");
  add_settings_options(app, options.settings, fmt::format("Settings; one of {}", row_names("presets")));
  app.add_option("--seeds", options.seeds, "Independent runs, with the seeds from --seed on")
      ->check(whole_number(1, kMostSeeds))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--utilisation", options.utilisation,
                 "Write the part of the time that each channel sends, at the last load, as "
                 "comma-separated values")
      ->type_name("FILE");
  app.add_option("--csv", options.points, "Write the points of the loads as comma-separated values")
      ->type_name("FILE");
  app.add_option("--flows", options.flows,
                 "Write what each terminal has sent to each other, with latencies, as comma-separated values")
      ->type_name("FILE");
  app.add_option("--histogram", options.histogram,
                 "Write how many packets had which latency, as comma-separated values")
      ->type_name("FILE");
  app.add_option("--watch", options.watch,
                 "Follow packets, one run: lines 'source destination [number]', * for any terminal")
      ->type_name("FILE");
  app.add_option("--watch-packets", options.watch_packets,
                 "The same as a list: SOURCE:DESTINATION[:NUMBER], joined by commas")
      ->type_name("LIST");
  app.add_option("--events", options.events,
                 "With --watch: write what happens to these packets, a line of JSON each")
      ->type_name("FILE");
  app.add_option("--plot", options.plot,
                 "With --load or --saturation: draw latency and accepted load over the offered load, as SVG")
      ->type_name("FILE.svg");
  app.add_option(
         "--timeline", options.timeline,
         "With --workload of tasks (goal, chakra): write when each was done, as trace events for Perfetto "
         "and chrome://tracing")
      ->type_name("FILE.json");
  app.add_option(
         "--filled-traces", options.filled_traces,
         "With --workload chakra: write the traces again, with the start and the duration that nodes had")
      ->type_name("PREFIX");
  app.add_option("--energy", options.energy,
                 "What events take, in pJ a flit: write=X,read=X,switch=X,channel=X,terminal=X, and in mW "
                 "router=X")
      ->type_name("TABLE");
  app.add_option("--busiest", options.busiest, "Show that many of the busiest channels")
      ->check(whole_number(0, kMostChannels))
      ->type_name("N")
      ->capture_default_str();
}

}  // namespace unknot::cli
