// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/route/route_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <system_error>
#include <vector>

#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/fabric/format_choice.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/routing/files/opensm_conf.hpp"
#include "unknot/cli/routing/port_lanes.hpp"
#include "unknot/formats/adaptive/adaptive_catalogue.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {
namespace {

constexpr std::uint32_t kMaxSamples = 1'000'000;

/// Several addresses of a host, and what goes without.
void require_lmc_fits(const RouteOptions& options) {
  if (options.lmc == 0) return;
  const auto refuse = [](const char* option) {
    throw InputError(fmt::format("route: --lmc and {} do not go together", option));
  };
  if (options.multicast.wanted()) refuse("--multicast");
  if (options.files.classes.wanted()) refuse("--qos");
  if (!options.port_lanes.empty()) refuse("--port-lanes");
  if (!options.guidance.no_transit.empty()) refuse("--no-transit");
  if (!options.files.qos_policy.empty()) refuse("--qos-policy");
  if (!options.files.format.empty()) require_several_addresses(options.files.format);
}

/// What adaptive groups go without.
void require_adaptive_fits(const RouteOptions& options, bool several) {
  if (options.adaptive_groups.empty()) return;
  (void)written_adaptive_format(options.adaptive_format);
  const auto refuse = [](const char* option) {
    throw InputError(fmt::format("route: --adaptive-groups and {} do not go together", option));
  };
  if (several) throw InputError("route: files can be written for one engine only, not for a comparison");
  if (options.rails) refuse("--rails");
  if (options.lmc > 0) refuse("--lmc");
  if (options.files.classes.wanted()) refuse("--qos");
  if (!options.port_lanes.empty()) refuse("--port-lanes");
  if (options.multicast.wanted()) refuse("--multicast");
  std::vector<std::string> outputs = options.files.paths();
  outputs.push_back(options.adaptive_groups);
  check_outputs(outputs);
}

}  // namespace

void check_route_options(const RouteOptions& options, bool several, const Common& common) {
  require_adaptive_fits(options, several);
  if (several && options.files.any()) {
    throw InputError("route: files can be written for one engine only, not for a comparison");
  }
  if (options.memory && !common.json)
    throw InputError("route: --memory is a field of --json, which is missing");
  require_multicast(options.multicast, "route");
  require_management(options.management, "route");
  require_lmc_fits(options);
  require_transit_of_pairs(options.guidance.no_transit, options.multicast.wanted(), "route");
  check_route_files(options.files);
  if (common.json && options.files.to_standard_output()) {
    throw InputError("route: --json and a file '-' cannot both have standard output");
  }
  if (!options.port_lanes.empty() && !options.files.lane_map.empty()) {
    throw InputError(
        "route: --port-lanes and --sl2vl do not go together: OpenSM cuts levels to the lanes of ports by "
        "tables of its own");
  }
  if (!options.port_lanes.empty() && options.files.classes.wanted()) {
    throw InputError(
        "route: --port-lanes and --qos do not go together: classes need lanes of their own on all ports");
  }
  if (!options.rails) return;
  for (const std::string& path : options.files.paths()) {
    std::error_code failed;
    if (!path.empty() && path != "-" && std::filesystem::exists(path, failed) &&
        !std::filesystem::is_regular_file(path, failed)) {
      throw InputError(
          fmt::format("{}: --rails makes a folder for each rail beside it, where it is to be a file", path));
    }
  }
  if (!options.port_lanes.empty())
    throw InputError("route: --port-lanes goes with --rail N, not with --rails");
  if (!options.scope.whole() || options.scope.rail > 0)
    throw InputError("route: --rails takes all of the fabric; --rail N goes with --fail and --nodes");
  if (!options.guid2lid.empty())
    throw InputError("route: LIDs are of one subnet each: --guid2lid goes with --rail N, not with --rails");
  if (options.files.to_standard_output())
    throw InputError("route: --rails writes files for each rail, which cannot all go to standard output");
}

void add_route_options(CLI::App& app, RouteOptions& options) {
  add_fabric_argument(app, options.fabric);
  app.add_option(
         "--engine,-E,--engines", options.engines,
         fmt::format("Engine, as NAME or NAME:key=value,...; several joined by commas, or 'all', give a "
                     "comparison. One of {}; see unknot list engines",
                     row_names("engines")))
      ->capture_default_str();
  add_scope_options(app, options.scope);
  app.add_flag(
      "--rails", options.rails,
      "A fabric in several parts that no cable joins: each is routed by itself, a subnet of its own; "
      "FILE is written as rail-N/FILE");
  app.add_option("--vls", options.virtual_lanes, "Virtual lanes the hardware has")
      ->check(whole_number(1, kMaxLanes))
      ->type_name("N")
      ->capture_default_str();
  app.add_option(
         "--samples", options.samples,
         fmt::format("Random bisections that measure the effective bisection bandwidth (default {} for "
                     "several engines, 0 for one)",
                     kComparisonSamples))
      ->check(whole_number(0, kMaxSamples))
      ->type_name("N");
  add_class_option(app, options.classes);
  add_port_lanes_option(app, options.port_lanes);
  add_management_options(app, options.management);
  add_multicast_options(app, options.multicast);
  app.add_option("--lmc", options.lmc,
                 "Each host has 2^N addresses (LIDs), with paths that differ as far as the fabric lets them")
      ->check(whole_number(0, 7))
      ->type_name("N")
      ->capture_default_str();
  add_guidance_options(app, options.guidance);
  app.add_option(
         "--guid2lid", options.guid2lid,
         "LIDs that devices have had, as OpenSM keeps them: they keep these, and nobody gets those of "
         "ports that are off")
      ->type_name("FILE");
  CLI::Option* const output =
      app.add_option("--output,-o", options.files.tables,
                     "Write the tables or source routes to FILE, - for standard output")
          ->type_name("FILE");
  app.add_option("--format", options.files.format,
                 fmt::format("Format of the tables: {} (default opensm; for source routes angara or json)",
                             writable_table_formats()))
      ->needs(output);
  app.add_option("--lanes", options.files.lanes,
                 "Write the service level of each path: 0x<source node guid> <destination lid> <sl>")
      ->type_name("FILE");
  add_level_form_option(app, options.files.lanes_format, "--lanes");
  app.add_option("--sl2vl", options.files.lane_map, "Write the SL-to-VL tables")->type_name("FILE");
  app.add_option("--qos-policy", options.files.qos_policy,
                 "Write the service levels as a QoS policy for OpenSM's stock file engine")
      ->type_name("FILE");
  add_opensm_conf_option(app, options.files.opensm_conf);
  app.add_flag("--force", options.files.force,
               "Write tables even where the format drops lanes that they need");
  app.add_flag("--memory", options.memory,
               "With --json: peak_mib, the most memory that reading and the engine took, which differs from "
               "run to run");
  app.add_option("--certificate", options.files.certificate,
                 "Write the proof of deadlock freedom, which unknot verify re-checks")
      ->type_name("FILE");
  CLI::Option* adaptive_groups = app.add_option(
      "--adaptive-groups", options.adaptive_groups,
      "Write groups of ports for adaptive switches, around the tables, as unknot verify --adaptive "
      "takes them");
  adaptive_groups->type_name("FILE");
  std::vector<std::string> adaptive_forms;
  for (const AdaptiveFormat& form : adaptive_formats()) {
    if (form.write) adaptive_forms.push_back(form.name);
  }
  app.add_option("--adaptive-format", options.adaptive_format,
                 fmt::format("Form of --adaptive-groups: {}", fmt::join(adaptive_forms, ", ")))
      ->type_name("FORM")
      ->needs(adaptive_groups)
      ->capture_default_str();
}

}  // namespace unknot::cli
