// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/fabric/rails.hpp"
#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/routing/adaptive/adaptive_report.hpp"
#include "unknot/cli/routing/adaptive/adaptive_run.hpp"
#include "unknot/cli/routing/engine_list.hpp"
#include "unknot/cli/routing/engine_run.hpp"
#include "unknot/cli/routing/port_lanes.hpp"
#include "unknot/cli/routing/route/route_options.hpp"
#include "unknot/cli/routing/verdict_report.hpp"
#include "unknot/formats/adaptive/adaptive_catalogue.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/formats/tables/lids_in_force.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/temporary_file.hpp"

namespace unknot::cli {
namespace {

/// A network, and what the engines gave on it.
struct Routed {
  Rail rail;  ///< number 0: the whole fabric
  std::vector<EngineRun> runs;
  std::optional<AdaptiveRun> adaptive;  ///< groups around the tables of the only run, where asked for

  [[nodiscard]] bool good() const {
    if (adaptive && !adaptive->good()) return false;
    return std::any_of(runs.begin(), runs.end(), [](const EngineRun& run) { return run.good(); });
  }
};

void add_runs(Json& document, const Routed& routed) {
  if (routed.runs.size() == 1) {
    document.update(engine_run_json(routed.rail.network, routed.runs.front()));
    return;
  }
  Json rows = Json::array();
  for (const EngineRun& run : routed.runs) rows.push_back(engine_run_json(routed.rail.network, run));
  document["engines"] = std::move(rows);
}

Json adaptive_json(const Network& network, const AdaptiveRun& run) {
  Json document = {{"rule", run.rule}};
  add_adaptive_verdict(document, network, run.verdict);
  document["seconds"] = run.seconds;
  document["verify_seconds"] = run.verify_seconds;
  return document;
}

std::string adaptive_text(const Network& network, const AdaptiveRun& run) {
  auto rows = adaptive_rows(run.verdict);
  rows.insert(rows.begin(), {"adaptive groups", run.rule});
  rows.emplace_back("made and checked in",
                    fmt::format("{}, {}", duration(run.seconds), duration(run.verify_seconds)));
  const std::string explanation = explain_adaptive(network, run.verdict);
  return "\n" + key_values(rows) + (explanation.empty() ? "" : "\n" + explanation);
}

/// What to do about an engine that does not route the fabric, as the end of the sentence that says so.
std::string next_step(const EngineRun& run, const RouteOptions& options) {
  if (run.lanes_needed == 0) return "; unknot route FABRIC --engine all shows which engines do";
  const bool makes_do = run.engine.starts_with("nue") || run.engine.starts_with("unknot");
  const std::size_t classes = std::max<std::size_t>(1, options.files.classes.classes.size());
  std::string step;
  if (const std::size_t lanes = run.lanes_needed * classes;
      lanes > options.virtual_lanes && lanes <= kMaxLanes)
    step = fmt::format("; --vls {} allows as many{}", lanes, classes > 1 ? " for each class" : "");
  if (!makes_do) step += "; the engines unknot and nue make do with fewer";
  return step;
}

Answer answer_of(const Routed& routed, const RouteOptions& options, const Common& common) {
  const int code = routed.good() ? kYes : kNo;
  const Network& network = routed.rail.network;
  if (common.json) {
    Json document;
    add_fabric(document, options.fabric, network);
    add_scope(document, options.scope, network);
    add_runs(document, routed);
    if (routed.adaptive) document["adaptive"] = adaptive_json(network, *routed.adaptive);
    return {code, std::move(document), {}};
  }
  if (routed.runs.size() == 1 && !routed.runs.front().routing) {
    message(routed.runs.front().failure + next_step(routed.runs.front(), options));
    return {code};
  }
  if (options.files.to_standard_output()) return {code};
  return {code,
          {},
          fabric_line(options.fabric, network) + scope_line(options.scope, network) +
              traffic_line(routed.runs, options.management.wanted(), options.multicast.wanted()) + "\n" +
              engine_runs_text(network, routed.runs) +
              (routed.adaptive ? adaptive_text(network, *routed.adaptive) : std::string())};
}

/// All rails in one report: yes only where each of them has tables that are good.
Answer answer_of(const std::vector<Routed>& all, std::uint64_t shared_hosts, const RouteOptions& options,
                 const Common& common) {
  const bool good = std::all_of(all.begin(), all.end(), [](const Routed& one) { return one.good(); });
  if (common.json) {
    Json document = {{"fabric", options.fabric}, {"hosts_in_several_rails", shared_hosts}};
    Json rails = Json::array();
    for (const Routed& one : all) {
      Json rail = {{"rail", one.rail.number}, {"first_router", one.rail.network.router_name(RouterId(0))}};
      add_fabric(rail, options.fabric, one.rail.network);
      add_runs(rail, one);
      rails.push_back(std::move(rail));
    }
    document["rails"] = std::move(rails);
    return {good ? kYes : kNo, std::move(document), {}};
  }
  std::string text = fmt::format(
      "{}: {} rails, {} hosts are in more than one\n{}", options.fabric, all.size(), grouped(shared_hosts),
      traffic_line(all.front().runs, options.management.wanted(), options.multicast.wanted()));
  for (const Routed& one : all)
    text += "\n" + rail_line(one.rail) + "\n\n" + engine_runs_text(one.rail.network, one.runs);
  return {good ? kYes : kNo, {}, std::move(text)};
}

/// A comparison needs the measures only; the tables of a large fabric are hundreds of megabytes.
void drop_tables(EngineRun& run) {
  if (!run.routing) return;
  run.routing->paths = {};
  run.routing->service_levels = {};
}

/// Under the LIDs that devices have had, with those of ports that are gone kept for them.
Network keep_lids(Network network, const std::string& guid2lid, const Common& common) {
  std::size_t kept = 0;
  network = with_guid2lid(std::move(network), guid2lid, kept);
  if (kept > 0) {
    note(common, fmt::format("{}: the LIDs of {} port{} that the fabric does not have are kept for {}",
                             guid2lid, kept, kept == 1 ? "" : "s", kept == 1 ? "it" : "them"));
  }
  return network;
}

/// What is routed, each rail by itself. `all`: what files may name, where that is more.
std::vector<Rail> networks(const RouteOptions& options, const Common& common, Network& all) {
  if (options.rails) {
    all = read_fabric_in_parts(options.fabric);
    std::vector<Rail> rails = rails_of(all);
    if (rails.empty()) require_terminals(Network(), options.fabric);
    return rails;
  }
  Network network = load_rail(options.scope, options.fabric);
  if (!options.scope.whole()) all = network;
  network = within(options.scope, std::move(network), common);
  if (!options.guid2lid.empty() && network.labels().lmc > 0 && options.lmc == 0) {
    throw InputError(
        fmt::format("route: hosts of {} have {} LIDs each (LMC {}); with --guid2lid give --lmc {}, so that "
                    "they stay ranges",
                    options.fabric, 1U << network.labels().lmc, network.labels().lmc, network.labels().lmc));
  }
  if (!options.guid2lid.empty()) network = keep_lids(std::move(network), options.guid2lid, common);
  std::vector<Rail> whole;
  whole.push_back({0, std::move(network)});
  return whole;
}

const char* trouble(const EngineRun& run) {
  if (!run.verdict.complete()) return "do not deliver every pair";
  if (!run.verdict.usable() || (run.classes && !run.classes->usable()) ||
      (run.ports && !run.ports->deadlock_free))
    return "can deadlock";
  if (run.multicast && !run.multicast->complete()) return "leave members of multicast groups out";
  return "pass through routers of --no-transit";
}

void write_files(const std::vector<Routed>& all, const RouteOptions& options, const Common& common) {
  FileGroup group;  // all appear, or none
  std::vector<std::string> notes;
  for (const Routed& one : all) {
    const EngineRun& run = one.runs.front();
    if (!run.routing) continue;
    RouteFiles files = options.files;
    if (options.rails) {
      files = files_of_rail(files, one.rail.number);
      for (const std::string& path : files.paths()) {
        std::error_code failed;
        if (!path.empty())
          std::filesystem::create_directory(std::filesystem::path(path).parent_path(), failed);
        if (failed) throw InputError(fmt::format("{}: cannot make its folder: {}", path, failed.message()));
      }
    }
    for (std::string& text : write_route_files(one.rail.network, run, files))
      notes.push_back(std::move(text));
    if (one.adaptive) {
      const AdaptiveFormat& form = written_adaptive_format(options.adaptive_format);
      (void)form.write(one.rail.network, one.adaptive->routing, options.adaptive_groups);
    }
  }
  group.commit();
  for (const std::string& one : notes) note(common, one);
  for (const Routed& one : all) {
    const EngineRun& run = one.runs.front();
    if (one.adaptive && !one.adaptive->good()) {
      note(common,
           fmt::format("warning: the adaptive groups {}",
                       one.adaptive->verdict.delivers() ? "can deadlock" : "do not deliver every packet"));
    }
    if (!run.routing || run.good()) continue;
    note(common,
         fmt::format("warning: the tables of {}{} {}", run.engine,
                     options.rails ? fmt::format(" for rail {}", one.rail.number) : "", trouble(run)));
  }
}

/// Levels of pairs that the form of the groups has no place for belong into a file of their own: without them
/// the groups are not what has been proven.
void require_levels_kept(const RouteOptions& options, const AdaptiveRun& run) {
  if (written_adaptive_format(options.adaptive_format).holds_levels || !options.files.lanes.empty() ||
      run.routing.service_levels.empty() || run.routing.service_levels.all_zero())
    return;
  throw InputError(fmt::format(
      "route: {} files have no service levels of pairs, which these groups need: give --lanes FILE, too",
      options.adaptive_format));
}

/// Groups around the tables, where the engine has given any that they can be made of.
void add_adaptive(Routed& routed, const Common& common) {
  EngineRun& run = routed.runs.front();
  if (!run.routing || !run.verdict.complete()) return;
  ProgressBar bar(common);
  routed.adaptive = make_adaptive(routed.rail.network, run.engine, *run.routing,
                                  run.verdict.certificate ? &*run.verdict.certificate : nullptr, common, bar);
}

Answer route_command(RouteOptions options, const Common& common) {
  options.files.multicast = options.multicast.tables;
  if (!options.classes.empty())
    options.files.classes = parse_service_classes(options.classes, options.virtual_lanes, "--qos");
  const ServiceClasses& classes = options.files.classes;
  const std::vector<std::string> engines = split_engines(options.engines);
  const bool several = engines.size() > 1;
  check_route_options(options, several, common);
  if (!several) require_heeded(engines.front(), options.guidance);  // several are compared, with a note
  Network whole;
  std::vector<Rail> rails = networks(options, common, whole);
  const std::uint64_t shared_hosts = options.rails ? hosts_in_several(rails) : 0;
  std::vector<Routed> all;
  all.reserve(rails.size());
  for (Rail& rail : rails) all.push_back({std::move(rail), {}, {}});
  EngineRunOptions run_options;
  run_options.virtual_lanes = classes.wanted() ? classes.levels : options.virtual_lanes;
  run_options.classes = classes;
  run_options.lmc = options.lmc;
  run_options.samples = options.samples.value_or(several ? kComparisonSamples : 0);
  run_options.certificate = !options.files.certificate.empty() || !options.adaptive_groups.empty();
  run_options.memory = options.memory;
  const bool levels_lost =
      !options.files.tables.empty() && options.files.lanes.empty() && options.files.qos_policy.empty();
  run_options.management = levels_lost ? without_levels(options.management) : options.management;
  run_options.multicast = options.multicast;
  if (whole.router_count() > 0) run_options.multicast.whole = &whole;
  run_options.multicast.classes = classes;
  if (options.rails) {
    // By GUID: what a file says of one rail means nothing to the others.
    run_options.guidance = read_guidance(whole, options.guidance, common);
  } else {
    run_options.guidance = read_guidance(all.front().rail.network, options.guidance, common);
  }
  {
    ProgressBar bar(common);
    for (Routed& one : all) {
      const Network& network = one.rail.network;
      std::vector<std::uint8_t> lanes;  // by channel, where ports differ
      if (!options.port_lanes.empty()) lanes = read_lanes_of_channels(network, options.port_lanes, common);
      for (const std::string& engine : engines) {
        stop_if_interrupted();
        one.runs.push_back(options.port_lanes.empty()
                               ? measured_engine(network, engine, run_options, common, bar)
                               : measured_on_ports(network, engine, run_options, lanes, common, bar));
        if (several) drop_tables(one.runs.back());
      }
    }
  }
  stop_if_interrupted();
  if (!options.adaptive_groups.empty()) {
    add_adaptive(all.front(), common);
    if (all.front().adaptive) require_levels_kept(options, *all.front().adaptive);
  }
  if (options.files.any() || !options.adaptive_groups.empty()) write_files(all, options, common);
  return options.rails ? answer_of(all, shared_hosts, options, common)
                       : answer_of(all.front(), options, common);
}

Action declare_route(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<RouteOptions>();
  add_route_options(app, *options);
  return [options, &common] { return route_command(*options, common); };
}

}  // namespace

Command route_row() {
  return {
      .name = "route",
      .summary =
          "Compute routing tables, prove them and measure them, with one engine or several side by side",
      .details =
          R"(Load is the number of pairs whose path takes a channel, over all channels; sigma4 its deviation of order 4.
eBB is the mean rate of a flow under random bisections, 1 where no channel is shared. 'lanes' are in use,
'needed' were needed before spare ones were used for balance; 'checked' is the time the proof took.

Every table passes through the independent checker. Exit code 0: every pair is delivered, every
member of a multicast group has a place in a tree, no deadlock is possible, and nothing passes through a
router of --no-transit (several engines: for at least one of them); 1: not so, or the engine found no routing.
Tables that
can deadlock are written all the same, with a warning; a certificate is not.)",
      .examples =
          {"unknot route torus:4x4x2,p=2 --engine minhop,updn,sssp,dfsssp",
           "unknot route torus:4x4x2,p=2 --engine dfsssp -o tables --lanes lanes --certificate proof"},
      .declare = declare_route};
}

}  // namespace unknot::cli
