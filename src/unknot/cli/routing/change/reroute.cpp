// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/reroute/reroute.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/command/command.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/fabric/fault_option.hpp"
#include "unknot/cli/fabric/format_choice.hpp"
#include "unknot/cli/fabric/guidance_option.hpp"
#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/routing/change/check_transition.hpp"
#include "unknot/cli/routing/change/fabric_change.hpp"
#include "unknot/cli/routing/change/managed_entries.hpp"
#include "unknot/cli/routing/change/transition_report.hpp"
#include "unknot/cli/routing/change/upkeep_option.hpp"
#include "unknot/cli/routing/class_run.hpp"
#include "unknot/cli/routing/files/level_form_option.hpp"
#include "unknot/cli/routing/files/opensm_conf.hpp"
#include "unknot/cli/routing/managed_run.hpp"
#include "unknot/cli/routing/tables_input.hpp"
#include "unknot/cli/routing/verdict_report.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/formats/opensm/qos_policy.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/routing/reroute/clos_reroute.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/files/temporary_file.hpp"
#include "unknot/tables/carry_over.hpp"
#include "unknot/verify/transition/plan_check.hpp"

namespace unknot::cli {
namespace {

struct RerouteOptions {
  std::string fabric;
  TablesInput input;
  std::string faults;
  std::string changed_fabric;
  std::string engine;  ///< whose tables these are; "": as their file says
  UpkeepChoice upkeep;
  std::uint32_t virtual_lanes = 8;
  const CLI::App* app = nullptr;  ///< tells what was given
  std::string tables;
  std::string format = "opensm";
  std::string new_lanes;
  LevelFormChoice lanes_format;
  std::string qos_policy;
  bool force = false;
  std::string certificate;
  std::string opensm_conf;
  std::string qos;         ///< as it is given
  ServiceClasses classes;  ///< the same, parsed
  std::string no_transit;
  std::string transition;
  ManagementChoice management;
  MulticastChoice multicast;
  std::string check_transition;  ///< steps to look at; "": tables are made
};

/// What the command found, for the report.
struct Findings {
  Rerouted rerouted;
  double seconds = 0;
  Verdict verdict;  ///< with_proof_of() where management is covered
  std::shared_ptr<const ManagedRun> management;
  std::shared_ptr<const MulticastRun> multicast;
  std::optional<ClassRun> classes;
  std::optional<TransitRun> transit;
  std::optional<Transition> transition;
  [[nodiscard]] int code() const {
    const bool closed = !transit || transit->check.pairs == 0;
    return verdict.usable() && closed && (!multicast || multicast->complete()) &&
                   (!classes || classes->usable())
               ? kYes
               : kNo;
  }
};

std::vector<std::string> outputs(const RerouteOptions& options) {
  std::vector<std::string> all = {options.tables,     options.qos_policy,       options.certificate,
                                  options.transition, options.multicast.tables, options.opensm_conf};
  for (std::string& path : paths_of_classes(options.classes, options.new_lanes))
    all.push_back(std::move(path));
  return all;
}

OpensmOptions opensm_files(const RerouteOptions& options) {
  OpensmOptions files;
  files.tables = options.tables;
  files.service_levels = options.new_lanes;
  files.multicast = options.multicast.tables;
  files.qos_policy = options.qos_policy;
  files.classes = options.classes;
  return files;
}

/// What --check-transition does not look at.
void refuse_beside_check(const RerouteOptions& options) {
  constexpr std::array kUnused{"--management-hosts", "--management-lanes", "--engine", "--upkeep", "--qos",
                               "--format",           "--lanes-format",     "--force"};
  refuse_unused(*options.app, kUnused, "--check-transition");
  if (options.app->count("--traffic") > 0 && options.management.wanted()) {
    throw InputError(
        "--check-transition: steps are proven for data alone, --traffic data; unknot verify proves "
        "management with the tables that they end with");
  }
}

void reroute_check_options(const RerouteOptions& options, const Common& common) {
  if (!options.check_transition.empty()) refuse_beside_check(options);
  if (options.faults.empty() == options.changed_fabric.empty()) {
    throw InputError("reroute: give what has changed: either --fail SPEC or --to FABRIC");
  }
  const std::vector<std::string> paths = outputs(options);
  check_outputs(paths);
  if (common.json && std::find(paths.begin(), paths.end(), "-") != paths.end()) {
    throw InputError("reroute: --json and a file '-' cannot both have standard output");
  }
  if (!options.check_transition.empty() &&
      std::any_of(paths.begin(), paths.end(), [](const std::string& path) { return !path.empty(); }))
    throw InputError("--check-transition: no tables are made, and nothing is written");
  require_multicast(options.multicast, "reroute");
  require_management(options.management, "reroute");
  require_transit_of_pairs(options.no_transit, options.multicast.wanted(), "reroute");
  require_opensm_conf(options.opensm_conf, opensm_files(options), options.format);
  if (options.classes.classes.size() > 1 &&
      (!options.transition.empty() || !options.check_transition.empty() || !options.certificate.empty())) {
    throw InputError(
        "reroute: steps and certificates are of one class of service; --qos goes without --transition, "
        "--check-transition and --certificate");
  }
  if (options.classes.classes.size() > 1 && options.new_lanes == "-") {
    throw InputError(
        "reroute: with --qos each class has a file of levels beside --new-lanes, which must be a file");
  }
  if (options.classes.classes.size() > 1 && !options.qos_policy.empty())
    throw InputError("reroute: a QoS policy of one class of service is no policy for --qos; use --new-lanes");
  if (!options.no_transit.empty() && !options.check_transition.empty())
    throw InputError("--check-transition: --no-transit is for tables that are made; see unknot verify");
  if (options.multicast.wanted() && !options.check_transition.empty())
    throw InputError("--check-transition: the steps are of tables alone, without --multicast");
  if (!options.engine.empty()) (void)find_engine(options.engine);
  (void)table_format(options.format);  // refuses a wrong name before any work
}

Findings run(const Network& before, const Routing& old, const Network& after, const RerouteOptions& options,
             const Common& common) {
  ProgressBar bar(common);
  Findings found;
  const Stopwatch time;
  const ServiceClasses& classes = options.classes;
  const std::uint32_t budget = classes.wanted() ? classes.levels : options.virtual_lanes;
  const std::string& engine = options.engine.empty() ? old.engine : options.engine;
  require_clos(options.upkeep, engine, "reroute");
  found.rerouted =
      engine == "clos"
          ? ClosReroute({options.upkeep.upkeep(), common.threads}).reroute(before, old, after, {}, bar)
          : reroute(before, old, after, compare_networks(before, after), budget, bar);
  found.seconds = time.seconds();
  stop_if_interrupted();
  VerifyOptions checks;
  checks.threads = common.threads;
  checks.certificate = !options.certificate.empty() && !options.management.wanted();
  const std::uint32_t lanes = std::min(budget, found.rerouted.routing.data_lanes);
  MulticastChoice multicast = options.multicast;
  multicast.classes = classes;
  if (options.changed_fabric.empty()) multicast.whole = &before;  // another fabric names its own nodes
  if (options.multicast.wanted() && !options.management.wanted()) {
    Routing routing = found.rerouted.routing;  // the steps between tables go without
    found.multicast = make_multicast(after, routing, multicast, lanes, bar);
    found.verdict = verify(after, routing, checks, bar);
  } else {
    found.verdict = verify(after, found.rerouted.routing, checks, bar);
  }
  if (options.management.wanted()) {
    checks.certificate = !options.certificate.empty();
    const bool levels_lost =
        !options.tables.empty() && options.new_lanes.empty() && options.qos_policy.empty();
    found.management = managed_run(after, found.rerouted.routing, nullptr,
                                   levels_lost ? without_levels(options.management) : options.management,
                                   multicast, lanes, checks, bar);
    take_from_management(after, *found.management, found.rerouted);
    found.multicast = found.management->multicast;
    found.verdict = with_proof_of(found.management->managed, found.verdict, found.management->verdict);
  }
  if (classes.wanted()) {
    const ManagedRun* const managed = found.management.get();
    found.classes = check_classes(after, managed == nullptr ? nullptr : &managed->managed,
                                  routings_of_classes(after, found.rerouted.routing, managed, classes,
                                                      found.multicast ? &found.multicast->tables : nullptr),
                                  common.threads, bar);
  }
  if (!options.no_transit.empty()) {
    found.transit = transit_run(after, found.rerouted.routing,
                                read_guidance(after, {.no_transit = options.no_transit}, common));
    if (found.management) {
      add_management_transit(found.management->managed.network, found.management->result.routing,
                             found.transit);
    }
  }
  if (options.transition.empty() || !found.verdict.deadlock_free) return found;
  found.transition =
      plan_transition(after, found.rerouted, [&](const Routing& from, std::span<const TransitionStep> steps) {
        stop_if_interrupted();
        return verify_plan(after, from, steps, common.threads, bar).first_unsafe();
      });
  return found;
}

void reroute_write_outputs(const Network& network, const Findings& found, const RerouteOptions& options,
                           const Common& common) {
  FileGroup files;  // all appear, or none
  std::vector<std::string> notes;
  const auto wrote = [&](const char* what, const std::string& path) {
    if (path != "-") notes.push_back(fmt::format("wrote {} to {}", what, path));
  };
  const FileContent all = file_content(network, found.rerouted.routing, found.management.get());
  if (!options.new_lanes.empty() || !options.qos_policy.empty()) require_data_lanes(all.network, all.routing);
  const ServiceClasses& classes = options.classes;
  const std::uint32_t more_lanes = std::max(found.multicast ? found.multicast->lanes() : 0, classes.lanes());
  if (!options.tables.empty()) {
    require_lanes_kept(table_format(options.format), all.routing,
                       !options.new_lanes.empty() || !options.qos_policy.empty(), false, options.force);
    write_tables_with(network, found.rerouted.routing, found.management.get(), nullptr, more_lanes,
                      options.format, options.tables);
    wrote("tables", options.tables);
  }
  if (!options.new_lanes.empty()) {
    for (const std::string& path : write_levels_of_classes(all.network, all.routing, classes,
                                                           options.new_lanes, options.lanes_format.form()))
      wrote("service levels", path);
  }
  if (!options.qos_policy.empty()) {
    write_qos_policy(all.network, all.routing, options.qos_policy);
    wrote("QoS policy", options.qos_policy);
  }
  const bool no_trees = found.multicast && found.multicast->tables.groups.empty();
  if (no_trees)
    notes.push_back(fmt::format("no group has a member here: {} is not written", options.multicast.tables));
  if (found.multicast && !no_trees) {
    write_multicast_tables(all.network, found.multicast->tables, options.multicast.tables);
    wrote("multicast tables", options.multicast.tables);
  }
  if (!options.opensm_conf.empty()) {
    OpensmOptions named = opensm_files(options);
    if (no_trees) named.multicast.clear();
    write_opensm_conf(options.opensm_conf, std::move(named), all.network, all.routing, more_lanes);
    wrote("lines for opensm.conf", options.opensm_conf);
  }
  if (found.verdict.certificate) {
    write_certificate(all.network, *found.verdict.certificate, options.certificate);
    wrote("certificate", options.certificate);
  }
  if (found.transition) {
    write_file(options.transition, transition_json(network, *found.transition).dump(1) + "\n");
    wrote("transition", options.transition);
  } else if (!options.transition.empty()) {
    notes.emplace_back("no transition written: the new tables are not deadlock-free");
  }
  files.commit();
  for (const std::string& one : notes) note(common, one);
}

Json reroute_json_report(const RerouteOptions& options, const Network& network, const Findings& found) {
  Json document;
  add_fabric(document, options.fabric, network);
  if (!options.faults.empty()) add_faults(document, options.faults, network);
  if (!options.changed_fabric.empty()) document["to"] = options.changed_fabric;
  document["tables"] = options.input.tables;
  document["seconds"] = found.seconds;
  document["entries_changed"] = found.rerouted.entries.size();
  document["entries_minimum"] = found.rerouted.entries_minimum;
  document["levels_changed"] = found.rerouted.levels.size();
  document["destinations_touched"] = found.rerouted.destinations;
  document["destinations_detoured"] = found.rerouted.detoured;
  document["destinations_displaced"] = found.rerouted.displaced;
  document["virtual_lanes"] =
      file_content(network, found.rerouted.routing, found.management.get()).routing.virtual_lanes;
  add_verdict(document, found.management ? found.management->managed.network : network, found.verdict);
  add_management(document, found.verdict, found.management.get());
  if (found.management) {
    add_management_cost(document, *found.management);
    document["management"]["entries_to_hosts"] =
        made_for_management(network, found.rerouted, found.management.get());
  }
  const Network& named = found.management ? found.management->managed.network : network;
  add_multicast(document, named, found.verdict);
  if (found.multicast) add_multicast_cost(document, named, *found.multicast);
  if (found.classes) add_classes(document, *found.classes, options.classes);
  add_transit(document, network, found.transit);
  if (found.transition) document["transition"] = transition_summary(*found.transition);
  return document;
}

std::string reroute_text_report(const RerouteOptions& options, const Network& network,
                                const Findings& found) {
  const Rerouted& r = found.rerouted;
  const Network& named = found.management ? found.management->managed.network : network;
  std::string text = fabric_line(options.fabric, network) +
                     traffic_line(found.management != nullptr, found.multicast != nullptr);
  if (!options.faults.empty()) {
    const std::string parts = disconnection_sentence(network);
    if (!parts.empty()) text += fmt::format("--fail {}: {}\n", options.faults, parts);
  }
  std::vector<std::pair<std::string, std::string>> rows{
      {"entries changed",
       fmt::format("{}, at least {}", grouped(r.entries.size()), grouped(r.entries_minimum))},
      {"destinations touched",
       fmt::format("{} of {}{}", grouped(r.destinations), grouped(network.terminal_count()),
                   r.detoured > 0
                       ? fmt::format(", {} with longer paths to keep their lanes", grouped(r.detoured))
                       : "")},
      {"levels changed", grouped(r.levels.size())},
      {"virtual lanes",
       std::to_string(file_content(network, r.routing, found.management.get()).routing.virtual_lanes)},
      {"every pair delivered",
       found.verdict.complete() ? "yes"
                                : fmt::format("NO, {} of {} are not", grouped(found.verdict.unroutable_pairs),
                                              grouped(found.verdict.pairs))},
      {"deadlock-free", found.verdict.deadlock_free ? "yes" : "NO, " + deadlock_cell(found.verdict)},
      {"shortest paths", found.verdict.longer_pairs == 0 ? "yes"
                                                         : fmt::format("NO, {} pairs take longer ones",
                                                                       grouped(found.verdict.longer_pairs))},
      {"rerouted in", duration(found.seconds)}};
  if (found.transit) {
    rows.insert(rows.end() - 1, {"closed to transit", transit_answer(network, *found.transit)});
  }
  if (const std::uint64_t entries = made_for_management(network, found.rerouted, found.management.get());
      entries > 0) {
    rows.insert(rows.begin() + 1,
                {"for management", fmt::format("{} entries to hosts made anew, which no host's packet meets",
                                               grouped(entries))});
  }
  text += "\n" + key_values(rows);
  if (found.transition) text += "\n" + transition_text(*found.transition);
  std::string more = explain(named, found.verdict);
  if (found.transit && found.transit->check.pairs > 0) {
    more +=
        transit_text(network, *found.transit) +
        "  Old paths stay where they can; unknot route --no-transit makes tables anew that avoid the closed "
        "routers.\n";
  }
  if (found.management) more += management_text(*found.management);
  if (found.multicast) more += multicast_text(named, *found.multicast);
  if (found.classes) {
    more += classes_text(found.management ? &found.management->managed : nullptr, network, *found.classes,
                         options.classes);
  }
  return more.empty() ? text : text + "\n" + more;
}

Answer reroute_command(RerouteOptions options, const Common& common) {
  if (!options.qos.empty())
    options.classes = parse_service_classes(options.qos, options.virtual_lanes, "--qos");
  reroute_check_options(options, common);
  FabricChange change =
      read_change("reroute", options.fabric, options.input, options.faults, options.changed_fabric, common);
  // Without --vls what the tables declare counts, as for verify.
  if (options.app->count("--vls") > 0) limit_lanes(change.old, options.virtual_lanes);
  const auto& [before, after, old] = change;
  stop_if_interrupted();
  if (!options.check_transition.empty()) {
    return check_transition(options.fabric, after,
                            carry_over(before, old, after, compare_networks(before, after)),
                            options.check_transition, common);
  }
  Findings found;
  try {
    found = run(before, old, after, options, common);
  } catch (const RoutingFailure& failure) {
    if (common.json) return {kNo, {{"fabric", options.fabric}, {"failure", failure.what()}}, {}};
    message(failure.what());
    return {kNo};
  }
  reroute_write_outputs(after, found, options, common);
  if (common.json) {
    return {found.code(), reroute_json_report(options, after, found), {}};
  }
  if (const auto paths = outputs(options); std::find(paths.begin(), paths.end(), "-") == paths.end()) {
    return {found.code(), {}, reroute_text_report(options, after, found)};
  }
  return {found.code()};
}

Action declare_reroute(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<RerouteOptions>();
  options->app = &app;
  add_fabric_argument(app, options->fabric);
  app.add_option("--tables", options->input.tables, "The tables in force, their format told by their content")
      ->required()
      ->type_name("FILE");
  app.add_option("--lanes", options->input.lanes, "The service levels in force")->type_name("FILE");
  app.add_option("--sl2vl", options->input.lane_map, "The SL-to-VL tables in force")->type_name("FILE");
  add_fault_option(app, options->faults);
  app.add_option("--to", options->changed_fabric, "The fabric as it is now, after failures or repairs")
      ->type_name("FABRIC");
  app.add_option(
         "--engine,-E", options->engine,
         fmt::format("Engine whose tables these are, where their file does not say so: those of clos are "
                     "mended by its own rule; one of {}",
                     row_names("engines")))
      ->type_name("NAME");
  add_upkeep_option(app, options->upkeep);
  app.add_option(
         "--vls", options->virtual_lanes,
         "Virtual lanes the hardware has: tables that use more are refused; with --check-transition "
         "a pair on another is not delivered. Where it is not given, those that the tables declare count")
      ->check(whole_number(1, kMaxLanes))
      ->type_name("N")
      ->capture_default_str();
  add_management_options(app, options->management);
  add_multicast_options(app, options->multicast);
  add_class_option(app, options->qos);
  add_transit_option(app, options->no_transit);
  CLI::Option* const output =
      app.add_option("--output,-o", options->tables, "Write the new tables to FILE, - for standard output")
          ->type_name("FILE");
  app.add_option("--format", options->format,
                 fmt::format("Format of the tables: {}", writable_table_formats()))
      ->capture_default_str()
      ->needs(output);
  app.add_option("--new-lanes", options->new_lanes, "Write the new service level of each path")
      ->type_name("FILE");
  add_level_form_option(app, options->lanes_format, "--new-lanes");
  app.add_option("--qos-policy", options->qos_policy,
                 "Write the new service levels as a QoS policy for OpenSM's stock file engine")
      ->type_name("FILE");
  add_opensm_conf_option(app, options->opensm_conf);
  app.add_flag("--force", options->force, "Write tables even where the format drops lanes that they need");
  app.add_option("--certificate", options->certificate, "Write the proof of deadlock freedom")
      ->type_name("FILE");
  app.add_option("--transition", options->transition,
                 "Write the steps from the old tables to the new ones, each proven safe, as JSON")
      ->type_name("FILE");
  app.add_option("--check-transition", options->check_transition,
                 "Make no tables, but prove the third-party steps of FILE, and the tables they end with")
      ->type_name("FILE");
  return [options, &common] { return reroute_command(*options, common); };
}

}  // namespace

Command reroute_row() {
  return {
      .name = "reroute",
      .summary = "New tables after a failure or a repair that change as few entries as possible",
      .details =
          R"(Of the old tables, what the change does not touch stays; paths stay shortest where they were, and lanes are
assigned anew for the paths that change only. --transition gives the steps that lead from the old tables to the
new ones: during each, old and new entries may be in force in any mixture, packets of earlier steps may be
on the way, and no deadlock is possible. A step that waits begins a packet's lifetime after the one before.
--check-transition proves the steps of such a file, a third-party one too.

Exit code 0: every pair is delivered, every member of a multicast group has a place in a tree, no deadlock is
possible, and no pair of hosts passes through a router of --no-transit; 1: not so, or no routing was found that keeps
to the lanes.)",
      // reads what the example of route has written
      .examples = {"unknot reroute torus:4x4x2,p=2 --tables tables --lanes lanes --fail cables=S-0-S-1 -o "
                   "new --new-lanes new-lanes --transition steps",
                   "unknot reroute torus:4x4x2,p=2 --tables tables --lanes lanes --fail cables=S-0-S-1 "
                   "--check-transition steps"},
      .declare = declare_reroute};
}

}  // namespace unknot::cli
