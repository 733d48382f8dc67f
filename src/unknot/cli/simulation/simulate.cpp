// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/command/load_list.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/fabric/fault_option.hpp"
#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/simulation/load_plot.hpp"
#include "unknot/cli/simulation/simulate_failures.hpp"
#include "unknot/cli/simulation/simulate_files.hpp"
#include "unknot/cli/simulation/simulate_options.hpp"
#include "unknot/cli/simulation/simulate_report.hpp"
#include "unknot/cli/simulation/simulate_schedule.hpp"
#include "unknot/cli/simulation/simulate_transition.hpp"
#include "unknot/cli/simulation/simulated_messages.hpp"
#include "unknot/cli/simulation/simulated_routing.hpp"
#include "unknot/cli/simulation/timeline.hpp"
#include "unknot/cli/simulation/watch_events.hpp"
#include "unknot/network/managed_network.hpp"
#include "unknot/network/stated_links.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/simulate/core/engine.hpp"
#include "unknot/simulate/load_points.hpp"
#include "unknot/simulate/parallel_points.hpp"
#include "unknot/simulate/settings/link_times.hpp"
#include "unknot/simulate/settings/settings_draft.hpp"
#include "unknot/simulate/statistics/steady_state.hpp"
#include "unknot/simulate/statistics/warm_up.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/files/temporary_file.hpp"
#include "unknot/support/text/in_file.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/traffic/workloads/workload_catalogue.hpp"

namespace unknot::cli {
namespace {

using simulate::ListedPacket;
using simulate::LoadJob;
using simulate::LoadPoint;
using simulate::ResolvedSettings;
using simulate::RunReport;
using simulate::SaturationRun;
using simulate::Settings;
using simulate::WorkloadReport;

/// What is simulated, read and checked before anything long begins.
struct Work {
  Network network;
  ResolvedSettings settings;
  std::vector<double> loads;
  TrafficPattern pattern;  ///< loads and saturation
  Workload workload;       ///< of the first seed
  std::vector<ListedPacket> packets;
  std::optional<simulate::PacketWatch> watch;
  simulate::RunOptions run;
};

/// What came out, for either kind of output.
struct Outcome {
  Json json = Json::object();
  std::string text;
  std::vector<float> utilisation;
  SaturationRun curve;  ///< loads: their points, and the search where there was one
  int answer = kYes;
};

/// Whether one of the files is standard output, in the place of the answer.
bool on_standard_output(const SimulateOptions& options) {
  return std::ranges::count(files_of(options), "-") > 0;
}

Work simulate_prepare(const SimulateOptions& options, const Common& common) {
  check_modes(options);
  check_simulated_routing(options.routing);
  const bool finite = !options.workload.empty() || !options.packets.empty();
  if (finite && options.routing.multicast.wanted())
    throw InputError("simulate: --multicast is for --load and --saturation");
  if (!finite) (void)find_pattern(split_spec(options.traffic).name);
  if (!options.workload.empty()) (void)find_workload(split_spec(options.workload).name);
  Work work;
  work.run.flows = !options.flows.empty();
  work.run.histogram = !options.histogram.empty();
  work.run.threads = simulate::threads_of_each(options.seeds, common.threads);
  work.run.tasks = !options.timeline.empty() || !options.filled_traces.empty();
  if (!options.energy.empty()) work.run.energy = simulate::parse_energy(options.energy);
  work.run.injection = simulate::make_injection(options.injection);
  if (!options.loads.empty()) work.loads = parse_loads(options.loads);
  for (const double load : work.loads) require_peak(work.run.injection, load);
  if (options.saturation) require_peak(work.run.injection, 1);
  if (options.follows() && work.loads.size() > 1)
    throw InputError("simulate: --watch follows packets of one run: give one load");
  work.settings = resolve_settings(options, common);
  if (options.saturation) simulate::check_measured(work.settings.settings);
  check_simulated_messages(options.messages, options.routing, work.settings.settings, !finite);
  check_outputs(files_of(options), inputs_of(options));
  if (common.json && on_standard_output(options))
    throw InputError("simulate: --json and a file that is - both go to standard output");
  work.network = load_fabric(options.fabric, options.faults, common);
  if (options.routing.management) work.network = managed_network(work.network).network;
  if (!finite) {
    ProgressBar bar(common);
    work.pattern = make_pattern(work.network, options.traffic, bar);
  } else if (!options.workload.empty()) {
    work.workload = make_workload(work.network, options.workload, work.settings.settings.seed);
    if (!options.timeline.empty()) check_timeline(work.workload);
    if (!options.filled_traces.empty()) {
      std::vector<std::string> files = filled_trace_files(work.workload, options.filled_traces);
      for (const std::string& other : files_of(options)) files.push_back(other);
      check_outputs(files, work.workload.trace->files);
      note(common, "filled traces have times in whole microseconds: what each node took is rounded");
    }
  } else {
    work.packets = simulate::parse_packets(work.network, read_file(options.packets), options.packets);
  }
  // These networks are often idle, and threads would mostly wait for each other.
  if ((work.workload.tasks || !options.packets.empty()) && common.threads == 0) work.run.threads = 1;
  if (options.follows()) work.watch.emplace(watch_of(work.network, options));
  // Which links there are is of the file, or of the preset.
  in_file(options.settings.config, [&] { (void)simulate::link_times(work.network, work.settings.settings); });
  stop_if_interrupted();
  return work;
}

/// What no engine does is refused; and a lane must take a whole packet under virtual cut-through, of whatever
/// length the list says.
void check_packets(const simulate::RoutePlan& plan, Settings settings,
                   const std::vector<ListedPacket>& packets, const std::string& file) {
  const bool whole = settings.switching == simulate::Switching::virtual_cut_through;
  const bool queues_out = settings.router == simulate::RouterKind::input_output_queued;
  const std::uint32_t room =
      queues_out ? std::min(settings.vc_buffer, settings.output_buffer) : settings.vc_buffer;
  for (const ListedPacket& packet : packets) {
    if (whole && packet.flits > room) {
      throw InputError(fmt::format(
          "{}: a packet of {} flits does not fit into a lane's buffer of {}, as virtual cut-through needs it",
          file, packet.flits, room));
    }
    settings.packet_flits = std::max(settings.packet_flits, packet.flits);
  }
  simulate::check_fit(plan, settings);
}

void write_runs(const SimulateOptions& options, const Work& work, const Settings& settings,
                const std::vector<FiledRun>& runs) {
  if (!options.flows.empty()) write_flows(work.network, runs, options.flows);
  if (!options.histogram.empty()) write_histogram(runs, settings.speedup, options.histogram);
}

/// Loads and saturation.
Outcome simulate_loads(const SimulateOptions& options, const Common& common, const Work& work,
                       const simulate::RoutePlan& plan, const Settings& settings, Progress& progress) {
  const LoadJob job{plan, settings, work.pattern, options.seeds, common.threads, work.run};
  Outcome outcome;
  SaturationRun found;
  if (options.saturation) {
    found = simulate::run_saturation(job, options.search, progress);
  } else {
    found.points = simulate::run_loads(job, work.loads, progress);
  }
  outcome.json["traffic"] = options.traffic;
  if (options.injection_given->count() > 0) outcome.json["injection"] = options.injection;
  outcome.json["points"] = Json::array();
  for (const LoadPoint& point : found.points) {
    outcome.json["points"].push_back(point_json(point, plan, settings.seed));
    if (means(point).failed()) outcome.answer = kNo;
  }
  outcome.json["saturation_definition"] = simulate::saturation_definition();
  outcome.json["steady_state_definition"] = simulate::steady_state_definition();
  outcome.json["warm_up_definition"] =
      settings.warmup == 0 ? simulate::warm_up_definition() : std::string("given by the settings");
  outcome.text = points_text(found.points, plan, settings);
  if (options.saturation) {
    outcome.json["saturation"] = saturation_json(found);
    outcome.text += "\n" + saturation_text(found);
  }
  outcome.utilisation = mean_utilisation(found.points.back());
  if (!options.points.empty()) write_points(outcome.json["points"], options.points);
  std::vector<FiledRun> filed;
  for (const LoadPoint& point : found.points) {
    for (std::size_t i = 0; i < point.runs.size(); ++i) {
      filed.push_back(
          {&point.runs[i], &point.load, settings.seed + i, static_cast<double>(settings.measure)});
    }
  }
  write_runs(options, work, settings, filed);
  outcome.curve = std::move(found);
  return outcome;
}

Outcome simulate_workload(const SimulateOptions& options, const Common& common, const Work& work,
                          const simulate::RoutePlan& plan, const Settings& settings, Progress& progress) {
  const std::vector<WorkloadReport> runs = simulate::parallel_points(
      options.seeds, common.threads, "simulating", progress, [&](std::uint32_t index, Progress& inner) {
        Settings own = settings;
        own.seed += index;
        if (index == 0) return simulate::run_workload(plan, own, work.workload, inner, work.run);
        return simulate::run_workload(plan, own, make_workload(work.network, options.workload, own.seed),
                                      inner, work.run);
      });
  Outcome outcome;
  outcome.json["workload"] = options.workload;
  add_workload(outcome.json, runs, plan, settings.seed);
  outcome.text = workload_text(runs, plan);
  for (const WorkloadReport& run : runs) {
    if (!run.complete) outcome.answer = kNo;
  }
  outcome.utilisation = runs.front().utilisation;
  std::vector<FiledRun> filed;
  for (std::size_t i = 0; i < runs.size(); ++i)
    filed.push_back({&runs[i], nullptr, settings.seed + i, runs[i].completion_cycles});
  write_runs(options, work, settings, filed);
  if (!options.timeline.empty())
    write_timeline(work.network, work.workload, runs.front(), settings.cycle_ns, options.timeline);
  if (!options.filled_traces.empty())
    write_filled_traces(work.workload, runs.front(), settings.cycle_ns, options.filled_traces);
  return outcome;
}

Outcome simulate_packets(const SimulateOptions& options, const Work& work, const simulate::RoutePlan& plan,
                         const Settings& settings, const Progress& progress) {
  std::vector<simulate::Recorder::Delivery> deliveries;
  const bool keep = !options.deliveries.empty();
  RunReport run =
      simulate::run_packets(plan, settings, work.packets, keep ? &deliveries : nullptr, progress, work.run);
  run.undelivered = run.undelivered || run.packets < work.packets.size();
  if (keep) write_deliveries(std::move(deliveries), settings.speedup, options.deliveries);
  Outcome outcome;
  outcome.json["packet_list"] = options.packets;
  outcome.json["complete"] = !run.undelivered;
  outcome.json["packets_listed"] = work.packets.size();
  add_run(outcome.json, run, plan);
  outcome.text = packets_text(run, plan);
  outcome.answer = run.undelivered ? kNo : kYes;
  outcome.utilisation = run.utilisation;
  write_runs(options, work, settings, {{&run, nullptr, settings.seed, static_cast<double>(run.cycles)}});
  return outcome;
}

std::string settings_words(const SimulateOptions& options, const Settings& settings) {
  std::string from = options.settings.preset.empty() ? "" : "preset " + options.settings.preset;
  if (!options.settings.config.empty()) from += (from.empty() ? "" : ", ") + options.settings.config;
  for (const std::string& one : options.settings.assignments) from += (from.empty() ? "" : ", ") + one;
  if (from.empty()) from = "defaults";
  return fmt::format("{}; {} lane{}, seed{} {}", from, settings.vcs, settings.vcs == 1 ? "" : "s",
                     options.seeds == 1 ? "" : "s",
                     options.seeds == 1
                         ? std::to_string(settings.seed)
                         : fmt::format("{} to {}", settings.seed, settings.seed + options.seeds - 1));
}

/// Name and value of all that was simulated but the fabric.
std::vector<std::pair<std::string, std::string>> facts(const SimulateOptions& options, const Work& work,
                                                       const PlannedRouting& routing,
                                                       const std::optional<MessagesRun>& messages,
                                                       const Settings& settings) {
  std::vector<std::pair<std::string, std::string>> rows = {
      {"routing", routing.words},
      {"lanes", routing.proof ? routing.proof->statement : "not checked for deadlocks (--no-proof)"}};
  if (routing.proof && routing.proof->unroutable_pairs > 0)
    rows.emplace_back("lost pairs", grouped(routing.proof->unroutable_pairs));
  if (messages) rows.emplace_back("messages", messages_statement(*messages));
  if (!options.workload.empty()) {
    rows.emplace_back("workload", options.workload);
  } else if (!options.packets.empty()) {
    rows.emplace_back("packets", fmt::format("{} of {}", grouped(work.packets.size()), options.packets));
  } else {
    rows.emplace_back("traffic", options.traffic);
    if (options.injection_given->count() > 0) rows.emplace_back("injection", options.injection);
  }
  if (const StatedLinks stated = stated_capacities(work.network); stated.any()) {
    rows.emplace_back("speeds", settings.speeds == simulate::Speeds::stated
                                    ? fmt::format("of {} channels and {} terminals as the fabric states them",
                                                  grouped(stated.channels), grouped(stated.terminals))
                                    : "stated by the fabric, and not taken (speeds = \"base\")");
  }
  if (const StatedLinks stated = stated_latencies(work.network); stated.any()) {
    rows.emplace_back("links",
                      fmt::format("latencies of {} channels and {} terminals as the fabric states them",
                                  grouped(stated.channels), grouped(stated.terminals)));
  }
  rows.emplace_back("settings", settings_words(options, settings));
  return rows;
}

std::string heading(const SimulateOptions& options, const Work& work,
                    const std::vector<std::pair<std::string, std::string>>& rows) {
  std::string text = fabric_line(options.fabric, work.network) + "\n" + key_values(rows);
  for (const std::string& note : work.settings.notes) text += "rounded: " + note + "\n";
  return text + "\n";
}

/// Of what is written or measured of a run beside its answer.
bool any_measure(const SimulateOptions& options) {
  const std::vector<std::string> files = files_of(options);
  return !options.energy.empty() ||
         std::any_of(files.begin(), files.end(), [](const std::string& file) { return !file.empty(); });
}

/// Each message of a schedule goes its own way, on one lane: options of routings have no place there.
Answer schedule_command(const SimulateOptions& options, const Common& common) {
  check_modes(options);
  const SimulatedRouting& routing = options.routing;
  if (routing.source.by_engine() || routing.source.from_tables() || !routing.paths.empty() ||
      !routing.adaptive.empty() || routing.management || routing.multicast.wanted() ||
      !options.faults.empty() || options.traffic_given->count() > 0 || any_measure(options) ||
      options.busiest > 0 || options.seeds > 1 || !options.messages.messages.empty() ||
      options.injection_given->count() > 0) {
    throw InputError(
        "simulate: --schedule has its own paths and messages: beside it there are --message-flits and "
        "settings");
  }
  Settings settings = resolve_settings(options, common).settings;
  settings.vcs = 1;
  return simulate_schedule(options.fabric, options.schedule, options.message_flits, settings, common);
}

/// Tables that change: every terminal sends as fast as it can, and nothing is measured.
Answer transition_command(const SimulateOptions& options, const Common& given) {
  check_modes(options);
  const SimulatedRouting& routing = options.routing;
  if (!routing.source.from_tables() || routing.source.by_engine() || !routing.paths.empty() ||
      !routing.adaptive.empty() || !routing.lane_scheme.empty() || routing.lanes_given->count() > 0 ||
      routing.management || routing.multicast.wanted() || !options.messages.messages.empty() ||
      options.injection_given->count() > 0) {
    throw InputError("simulate: --transition goes from --tables on, with --lanes where they need them");
  }
  if (!options.faults.empty() && !options.changed_fabric.empty())
    throw InputError("simulate: give what has changed by --fail SPEC or by --to FABRIC, not both");
  if (any_measure(options) || options.busiest > 0 || options.seeds > 1)
    throw InputError("simulate: --transition is played once, and neither channels nor packets are measured");
  (void)find_pattern(split_spec(options.traffic).name);
  const Settings settings = resolve_settings(options, given).settings;
  Common common = given;
  common.seed = settings.seed;
  return simulate_transition({options.fabric, routing.source.input, options.faults, options.changed_fabric,
                              options.transition, options.step_cycles, options.traffic, !routing.no_proof},
                             settings, common);
}

/// One load, during which parts fail.
Answer failures_command(const SimulateOptions& options, const Common& given) {
  check_modes(options);
  const SimulatedRouting& routing = options.routing;
  const std::vector<double> loads =
      options.loads.empty() ? std::vector<double>() : parse_loads(options.loads);
  if (loads.size() != 1) throw InputError("simulate: --failures-during is for one --load");
  if (routing.source.by_engine() == routing.source.from_tables() || !routing.paths.empty() ||
      !routing.adaptive.empty() || !routing.lane_scheme.empty() || routing.source.lmc > 0 ||
      routing.address_given->count() > 0 || routing.management || routing.multicast.wanted() ||
      !options.messages.messages.empty()) {
    throw InputError(
        "simulate: --failures-during goes with --engine or --tables, and what they need: one address of each "
        "host");
  }
  if (options.reroute_given->count() > 0 && !routing.source.by_engine())
    throw InputError("simulate: --reroute-after is for --engine");
  if (any_measure(options) || options.busiest > 0 || options.seeds > 1)
    throw InputError("simulate: --failures-during is simulated once, and writes no files");
  (void)find_pattern(split_spec(options.traffic).name);
  check_engine(routing.source);
  const simulate::Injection injection = simulate::make_injection(options.injection);
  require_peak(injection, loads.front());
  const Settings settings = resolve_settings(options, given).settings;
  Common common = given;
  common.seed = settings.seed;
  RoutingSource source = routing.source;
  if (source.by_engine() && routing.lanes_given->count() == 0 && settings.vcs > 0)
    source.virtual_lanes = std::min<std::uint32_t>(settings.vcs, kMaxLanes);
  return simulate_failures({options.fabric, options.faults, source, options.failures, options.reroute_after,
                            options.traffic, injection, loads.front(), !routing.no_proof},
                           settings, common);
}

Answer simulate_command(const SimulateOptions& options, const Common& given) {
  if (!options.failures.empty()) return failures_command(options, given);
  if (!options.schedule.empty()) return schedule_command(options, given);
  if (!options.transition.empty()) return transition_command(options, given);
  FileGroup files;  // all appear together, or none
  Work work = simulate_prepare(options, given);
  if (work.watch) work.run.watch = &*work.watch;
  Common common = given;
  common.seed = work.settings.settings.seed;
  PlannedRouting routing;
  std::optional<MessagesRun> messages;
  Outcome outcome;
  Settings settings;
  {
    ProgressBar bar(common);
    routing = plan_simulated_routing(work.network, options.routing,
                                     lanes_for_engine(work.settings.settings, options.messages), common, bar);
    if (routing.plan.hosts && (!options.workload.empty() || !options.packets.empty()))
      throw InputError("simulate: several addresses of a host are for --load and --saturation");
    if (routing.plan.hosts && work.watch)
      throw InputError("simulate: --watch follows packets between hosts of one address each");
    messages = plan_simulated_messages(routing, options.messages, bar);
    settings = for_lanes(work.settings.settings, routing.plan.lanes_needed);
    check_packets(routing.plan, settings, work.packets, options.packets);
    if (routing.proof && !routing.proof->deadlock_free)
      note(common, "simulate: the routing is " + routing.proof->statement);
    if (!options.workload.empty()) {
      outcome = simulate_workload(options, common, work, routing.plan, settings, bar);
    } else if (!options.packets.empty()) {
      outcome = simulate_packets(options, work, routing.plan, settings, bar);
    } else {
      outcome = simulate_loads(options, common, work, routing.plan, settings, bar);
    }
  }
  if (work.watch) write_events(routing.plan, *work.watch, settings.speedup, options, common);
  if (!options.utilisation.empty()) write_utilisation(work.network, outcome.utilisation, options.utilisation);
  const std::vector<std::pair<std::string, std::string>> rows =
      facts(options, work, routing, messages, settings);
  if (!options.plot.empty())
    write_file(options.plot, load_plot(options.fabric, rows, outcome.curve, options.saturation));
  files.commit();
  if (common.json) {
    Json document;
    add_fabric(document, options.fabric, work.network);
    if (!options.faults.empty()) document["fail"] = options.faults;
    add_simulated_routing(document, options.routing, routing);
    if (messages) add_simulated_messages(document, *messages);
    if (const StatedLinks stated = stated_latencies(work.network); stated.any())
      document["stated_latencies"] = {{"channels", stated.channels}, {"terminals", stated.terminals}};
    if (const StatedLinks stated = stated_capacities(work.network);
        stated.any() && settings.speeds == simulate::Speeds::stated) {
      document["stated_speeds"] = {{"channels", stated.channels}, {"terminals", stated.terminals}};
    }
    document["vcs"] = settings.vcs;
    document["preset"] = options.settings.preset.empty() ? Json() : Json(options.settings.preset);
    document["seed"] = settings.seed;
    document["cycle_ns"] = settings.cycle_ns;
    document.update(outcome.json);
    if (options.busiest > 0)
      document["busiest_channels"] = busiest_json(work.network, outcome.utilisation, options.busiest);
    document["notes"] = work.settings.notes;
    document["settings"] = settings_json(settings);
    document["settings_file"] = simulate::settings_text(settings);
    return {outcome.answer, std::move(document), {}};
  }
  if (on_standard_output(options)) return {outcome.answer};
  return {
      outcome.answer,
      {},
      heading(options, work, rows) + outcome.text +
          (options.busiest == 0 ? ""
                                : "\n" + busiest_text(work.network, outcome.utilisation, options.busiest))};
}

Action declare_simulate(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<SimulateOptions>();
  add_simulate_options(app, *options);
  return [options, &common] { return simulate_command(*options, common); };
}

}  // namespace

Command simulate_row() {
  return {
      .name = "simulate",
      .summary =
          "Simulate a network flit by flit: latency and accepted load, completion of exchanges, deadlocks",
      .details =
          R"(Latencies are in cycles (the time of a flit on a link), from the creation of a packet to the arrival of its last
flit. The lanes that packets keep to are proven deadlock-free first; a routing that is not is simulated all
the same. A deadlock is found while it is simulated, named, and ends the run. See docs/simulation.md; for --messages, hosts that
answer, docs/messages.md.

--json: points [{load, offered, accepted, latency_mean, latency_p99, hops_mean, saturated, deadlock, classes, ...}];
workloads completion_time (cycles), completion_time_ns, effective_throughput; schedules completion_time, held_up,
steps [{transfers, cycles, alone_cycles, held_up}]; transitions state, deadlock_step, lost_in_the_end, safe,
steps [{step, begins, waited, arrived, lost}]. Exit code 0: done; 1: a deadlock, packets that were not
delivered though the network keeps up, an exchange that did not complete, a message of a schedule that was
held up, or packets lost when all steps of a transition are in force. --failures-during: phases and intervals
[{begins, created, delivered, lost, late, latency_mean, latency_p99, latency_max}], lost, undelivered, unanswered
(cycles of failures whose tables would come after the traffic).)",
      .examples = {"unknot simulate torus:4x4,p=2 --engine dfsssp --load 0.1:0.3:0.1 --set measure=1000",
                   "unknot simulate slimfly:q=3,p=2 --paths ugal --lane-scheme hop --traffic worst-case "
                   "--load 0.4 --set measure=1000",
                   "unknot simulate torus:4x4,p=2 --engine dfsssp --workload all-to-all:bytes=64"},
      .declare = declare_simulate};
}

}  // namespace unknot::cli
