// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/command/command.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/fabric/format_choice.hpp"
#include "unknot/cli/fabric/scope_option.hpp"
#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/routing/engine_list.hpp"
#include "unknot/cli/routing/engine_run.hpp"
#include "unknot/cli/routing/level_form_option.hpp"
#include "unknot/cli/routing/opensm_conf.hpp"
#include "unknot/cli/routing/verdict_report.hpp"
#include "unknot/formats/opensm/qos_policy.hpp"
#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/temporary_file.hpp"

namespace unknot::cli {
namespace {

constexpr std::uint32_t kMaxSamples = 1'000'000;
// Enough for a standard error of a percent or so on every fabric of some hundred endpoints.
constexpr std::uint32_t kComparisonSamples = 200;

struct RouteOptions {
  std::string fabric;
  Scope scope;
  std::string engines = "unknot";
  std::uint32_t virtual_lanes = 8;
  std::optional<std::uint32_t> samples;
  std::string tables;
  std::string format;  ///< "": the one that suits the routing
  std::string lanes;
  LevelFormChoice lanes_format;
  std::string lane_map;
  std::string qos_policy;
  std::string certificate;
  std::string opensm_conf;
  std::string classes;
  ManagementChoice management;
  MulticastChoice multicast;
  bool force = false;
  bool memory = false;
};

ServiceClasses classes_of(const RouteOptions& options) {
  if (options.classes.empty()) return {};
  return parse_service_classes(options.classes, options.virtual_lanes, "--qos");
}

std::vector<std::string> outputs(const RouteOptions& options) {
  std::vector<std::string> all = {options.tables,      options.lane_map,         options.qos_policy,
                                  options.certificate, options.multicast.tables, options.opensm_conf};
  for (std::string& path : paths_of_classes(classes_of(options), options.lanes))
    all.push_back(std::move(path));
  return all;
}

/// Lanes that the levels of trees and classes of service need beside those of the tables.
std::uint32_t lanes_beside(const EngineRun& run, const ServiceClasses& classes) {
  return std::max(run.multicast ? run.multicast->lanes() : 0, classes.lanes());
}

OpensmOptions opensm_files(const RouteOptions& options) {
  OpensmOptions files;
  files.tables = options.tables;
  files.service_levels = options.lanes;
  files.lane_map = options.lane_map;
  files.multicast = options.multicast.tables;
  files.qos_policy = options.qos_policy;
  files.classes = classes_of(options);
  return files;
}

std::string format_of(const RouteOptions& options, const Routing& routing) {
  return options.format.empty() ? std::string(default_table_format(routing)) : options.format;
}

/// Refuses what a format cannot hold, before the first file is written.
void require_writable(const Network& network, const Routing& routing, const RouteOptions& options) {
  if (!options.opensm_conf.empty()) require_tables(routing, "lines for opensm.conf (--opensm-conf)");
  require_opensm_conf(options.opensm_conf, opensm_files(options), format_of(options, routing));
  if (!options.lanes.empty()) require_tables(routing, "a file of service levels (--lanes)");
  if (!options.lane_map.empty()) require_tables(routing, "a file of SL-to-VL tables (--sl2vl)");
  if (!options.qos_policy.empty()) require_tables(routing, "a QoS policy (--qos-policy)");
  if (!options.lanes.empty() || !options.lane_map.empty() || !options.qos_policy.empty())
    require_data_lanes(network, routing);
  if (options.tables.empty()) return;
  const TableFormat& format = table_format(format_of(options, routing));
  require_content(format, routing);
  require_lanes_kept(format, routing, !options.lanes.empty() || !options.qos_policy.empty(),
                     !options.lane_map.empty(), options.force);
}

/// Writes what was asked for, all of it or none: tables without the lanes they need can deadlock. One note a
/// file.
void route_write_outputs(const Network& network, const EngineRun& run, const RouteOptions& options,
                         const Common& common) {
  const ManagedRun* const management = run.management.get();
  const FileContent all = file_content(network, *run.routing, management);
  FileGroup files;
  std::vector<std::string> notes;
  const auto wrote = [&](const std::string& what, const std::string& path) {
    if (path != "-") notes.push_back(fmt::format("wrote {} to {}", what, path));
  };
  require_writable(all.network, all.routing, options);
  const ServiceClasses classes = classes_of(options);
  const std::uint32_t more_lanes = lanes_beside(run, classes);
  if (!options.qos_policy.empty()) {
    write_qos_policy(all.network, all.routing, options.qos_policy);
    wrote("QoS policy", options.qos_policy);
  }
  if (!options.tables.empty()) {
    write_tables_with(network, *run.routing, management, more_lanes, format_of(options, *run.routing),
                      options.tables);
    wrote("tables", options.tables);
    if (options.tables != "-" && format_of(options, *run.routing).starts_with("opensm"))
      wrote("the LIDs of the tables", guid2lid_beside(options.tables));
  }
  if (!options.lanes.empty()) {
    for (const std::string& path : write_levels_of_classes(all.network, all.routing, classes, options.lanes,
                                                           options.lanes_format.form()))
      wrote("service levels", path);
    if (run.routing->lane_map && options.lane_map.empty()) {
      notes.push_back(
          fmt::format("the levels of {} are no lanes: its SL-to-VL tables (--sl2vl FILE) belong to them, "
                      "and OpenSM loads none; dor:sl2vl=0 needs none",
                      run.engine));
    }
  }
  if (!options.lane_map.empty()) {
    write_lane_map(all.network, all.routing, options.lane_map);
    wrote("SL-to-VL tables", options.lane_map);
  }
  if (run.multicast) {
    write_multicast_tables(all.network, run.multicast->tables, options.multicast.tables);
    wrote("multicast tables", options.multicast.tables);
  }
  if (!options.opensm_conf.empty()) {
    write_opensm_conf(options.opensm_conf, opensm_files(options), all.network, all.routing, more_lanes);
    wrote("lines for opensm.conf", options.opensm_conf);
  }
  if (!options.certificate.empty()) {
    if (run.verdict.certificate) {
      write_certificate(all.network, *run.verdict.certificate, options.certificate);
      wrote("certificate", options.certificate);
    } else {
      notes.push_back(
          fmt::format("no certificate written: the tables of {} are not deadlock-free", run.engine));
    }
  }
  files.commit();
  for (const std::string& one : notes) note(common, one);
}

/// What to do about an engine that does not route the fabric, as the end of the sentence that says so.
std::string next_step(const EngineRun& run, std::uint32_t lanes) {
  if (run.lanes_needed == 0) return "; unknot route FABRIC --engine all shows which engines do";
  const bool makes_do = run.engine.starts_with("nue") || run.engine.starts_with("unknot");
  std::string step;
  if (run.lanes_needed > lanes && run.lanes_needed <= kMaxLanes)
    step = fmt::format("; --vls {} allows as many", run.lanes_needed);
  if (!makes_do) step += "; the engines unknot and nue make do with fewer";
  return step;
}

Answer answer_of(const Network& network, const std::vector<EngineRun>& runs, const RouteOptions& options,
                 const Common& common, bool several) {
  const int code =
      std::any_of(runs.begin(), runs.end(), [](const EngineRun& run) { return run.good(); }) ? kYes : kNo;
  if (common.json) {
    Json document;
    add_fabric(document, options.fabric, network);
    add_scope(document, options.scope, network);
    if (several) {
      Json rows = Json::array();
      for (const EngineRun& run : runs) rows.push_back(engine_run_json(network, run));
      document["engines"] = std::move(rows);
    } else {
      document.update(engine_run_json(network, runs.front()));
    }
    return {code, std::move(document), {}};
  }
  if (!several && !runs.front().routing) {
    message(runs.front().failure + next_step(runs.front(), options.virtual_lanes));
    return {code};
  }
  const std::vector<std::string> paths = outputs(options);
  if (std::find(paths.begin(), paths.end(), "-") != paths.end()) return {code};  // standard output is taken
  return {code,
          {},
          fabric_line(options.fabric, network) + scope_line(options.scope, network) +
              traffic_line(options.management.wanted(), options.multicast.wanted()) + "\n" +
              engine_runs_text(network, runs)};
}

/// A comparison needs the measures only; the tables of a large fabric are hundreds of megabytes.
void drop_tables(EngineRun& run) {
  if (!run.routing) return;
  run.routing->paths = {};
  run.routing->service_levels = {};
}

Answer route_command(const RouteOptions& options, const Common& common) {
  const std::vector<std::string> engines = split_engines(options.engines);
  const std::vector<std::string> paths = outputs(options);
  const bool several = engines.size() > 1;
  const bool writes =
      std::any_of(paths.begin(), paths.end(), [](const std::string& path) { return !path.empty(); });
  if (several && writes) {
    throw InputError("route: files can be written for one engine only, not for a comparison");
  }
  if (options.memory && !common.json)
    throw InputError("route: --memory is a field of --json, which is missing");
  require_multicast(options.multicast, "route");
  const ServiceClasses classes = classes_of(options);
  if (classes.classes.size() > 1 && !options.qos_policy.empty())
    throw InputError(
        "route: a QoS policy of one class of service is no policy for --qos; use --lanes and the plug-in");
  check_outputs(paths);
  // The tables' LIDs go there too.
  const bool dump = !options.tables.empty() && options.tables != "-" &&
                    (options.format.empty() || options.format.starts_with("opensm"));
  for (const std::string& path : paths) {
    if (dump && path != options.tables && path != "-" && !path.empty())
      check_outputs({path, guid2lid_beside(options.tables)});
  }
  if (common.json && std::find(paths.begin(), paths.end(), "-") != paths.end()) {
    throw InputError("route: --json and a file '-' cannot both have standard output");
  }
  if (!options.format.empty()) (void)table_format(options.format);  // refuses a wrong name before any work

  const Network whole = load_fabric(options.fabric);
  std::optional<Network> part;
  if (!options.scope.whole()) part = within(options.scope, whole, common);
  const Network& network = part ? *part : whole;
  EngineRunOptions run_options;
  run_options.virtual_lanes = classes.wanted() ? classes.levels : options.virtual_lanes;
  run_options.classes = classes;
  run_options.samples = options.samples.value_or(several ? kComparisonSamples : 0);
  run_options.certificate = !options.certificate.empty();
  run_options.memory = options.memory;
  const bool levels_lost = !options.tables.empty() && options.lanes.empty() && options.qos_policy.empty();
  run_options.management = levels_lost ? without_levels(options.management) : options.management;
  run_options.multicast = options.multicast;
  run_options.multicast.whole = &whole;
  run_options.multicast.classes = classes;
  std::vector<EngineRun> runs;
  {
    ProgressBar bar(common);
    for (const std::string& engine : engines) {
      stop_if_interrupted();
      runs.push_back(measured_engine(network, engine, run_options, common, bar));
      if (several) drop_tables(runs.back());
    }
  }
  stop_if_interrupted();
  const EngineRun& first = runs.front();
  if (writes && first.routing) {
    route_write_outputs(network, first, options, common);
    if (!first.verdict.usable()) {
      note(common, fmt::format("warning: the tables of {} {}", first.engine,
                               first.verdict.complete() ? "can deadlock" : "do not deliver every pair"));
    }
  }
  return answer_of(network, runs, options, common, several);
}

Action declare_route(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<RouteOptions>();
  add_fabric_argument(app, options->fabric);
  app.add_option(
         "--engine,-E,--engines", options->engines,
         fmt::format("Engine, as NAME or NAME:key=value,...; several joined by commas, or 'all', give a "
                     "comparison. One of {}; see unknot list engines",
                     row_names("engines")))
      ->capture_default_str();
  add_scope_options(app, options->scope);
  app.add_option("--vls", options->virtual_lanes, "Virtual lanes the hardware has")
      ->check(whole_number(1, kMaxLanes))
      ->type_name("N")
      ->capture_default_str();
  app.add_option(
         "--samples", options->samples,
         fmt::format("Random bisections that measure the effective bisection bandwidth (default {} for "
                     "several engines, 0 for one)",
                     kComparisonSamples))
      ->check(whole_number(0, kMaxSamples))
      ->type_name("N");
  add_class_option(app, options->classes);
  add_management_options(app, options->management);
  add_multicast_options(app, options->multicast);
  app.add_option("--output,-o", options->tables,
                 "Write the tables or source routes to FILE, - for standard output")
      ->type_name("FILE");
  app.add_option("--format", options->format,
                 fmt::format("Format of the tables: {} (default opensm, for source routes angara)",
                             writable_table_formats()));
  app.add_option("--lanes", options->lanes,
                 "Write the service level of each path: 0x<source node guid> <destination lid> <sl>")
      ->type_name("FILE");
  add_level_form_option(app, options->lanes_format, "--lanes");
  app.add_option("--sl2vl", options->lane_map, "Write the SL-to-VL tables")->type_name("FILE");
  app.add_option("--qos-policy", options->qos_policy,
                 "Write the service levels as a QoS policy for OpenSM's stock file engine")
      ->type_name("FILE");
  add_opensm_conf_option(app, options->opensm_conf);
  app.add_flag("--force", options->force, "Write tables even where the format drops lanes that they need");
  app.add_flag("--memory", options->memory,
               "With --json: peak_mib, the most memory that reading and the engine took, which differs from "
               "run to run");
  app.add_option("--certificate", options->certificate,
                 "Write the proof of deadlock freedom, which unknot verify re-checks")
      ->type_name("FILE");
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
member of a multicast group has a place in a tree, and no deadlock is possible (several engines: for at least
one of them); 1: not so, or the engine found no routing. Tables that
can deadlock are written all the same, with a warning; a certificate is not.)",
      .examples =
          {"unknot route torus:4x4x2,p=2 --engine minhop,updn,sssp,dfsssp",
           "unknot route torus:4x4x2,p=2 --engine dfsssp -o tables --lanes lanes --certificate proof"},
      .declare = declare_route};
}

}  // namespace unknot::cli
