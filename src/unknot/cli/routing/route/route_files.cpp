// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/route/route_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "unknot/cli/fabric/format_choice.hpp"
#include "unknot/cli/fabric/rails.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/routing/class_run.hpp"
#include "unknot/cli/routing/files/opensm_conf.hpp"
#include "unknot/formats/opensm/qos_policy.hpp"
#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {
namespace {

std::string format_of(const RouteFiles& files, const Routing& routing) {
  return files.format.empty() ? std::string(default_table_format(routing)) : files.format;
}

OpensmOptions opensm_files(const RouteFiles& files) {
  OpensmOptions named;
  named.tables = files.tables;
  named.service_levels = files.lanes;
  named.lane_map = files.lane_map;
  named.multicast = files.multicast;
  named.qos_policy = files.qos_policy;
  named.classes = files.classes;
  return named;
}

/// Refuses what a format cannot hold, before the first file is written.
void require_writable(const Network& network, const Routing& routing, const RouteFiles& files) {
  if (!files.opensm_conf.empty()) require_tables(routing, "lines for opensm.conf (--opensm-conf)");
  require_opensm_conf(files.opensm_conf, opensm_files(files), format_of(files, routing));
  if (!files.lanes.empty()) require_tables(routing, "a file of service levels (--lanes)");
  if (!files.lane_map.empty()) require_tables(routing, "a file of SL-to-VL tables (--sl2vl)");
  if (!files.qos_policy.empty()) require_tables(routing, "a QoS policy (--qos-policy)");
  if (!files.lanes.empty() || !files.lane_map.empty() || !files.qos_policy.empty())
    require_data_lanes(network, routing);
  if (files.tables.empty()) return;
  const TableFormat& format = table_format(format_of(files, routing));
  require_content(format, routing);
  require_lanes_kept(format, routing, !files.lanes.empty() || !files.qos_policy.empty(),
                     !files.lane_map.empty(), files.force);
}

/// With several classes of service.
void require_classes_fit(const RouteFiles& files) {
  if (files.classes.classes.size() < 2) return;
  if (!files.qos_policy.empty()) {
    throw InputError(
        "route: a QoS policy of one class of service is no policy for --qos; use --lanes and the plug-in");
  }
  if (!files.lane_map.empty()) {
    throw InputError(
        "route: with --qos each service level is a lane of its own, without SL-to-VL tables (--sl2vl); "
        "--opensm-conf has the line that says so");
  }
  if (!files.certificate.empty()) {
    throw InputError(
        "route: a certificate is of one class of service; --qos and --certificate do not go together");
  }
  std::error_code error;
  if (files.lanes == "-" || (std::filesystem::exists(files.lanes, error) &&
                             !std::filesystem::is_regular_file(files.lanes, error))) {
    throw InputError(
        "route: with --qos each class has a file of levels beside --lanes, which must be a file");
  }
}

}  // namespace

std::vector<std::string> write_route_files(const Network& network, const EngineRun& run,
                                           const RouteFiles& files) {
  const ManagedRun* const management = run.management.get();
  const FileContent all = file_content(network, *run.routing, management, run.addressed.get());
  std::vector<std::string> notes;
  const auto wrote = [&](const std::string& what, const std::string& path) {
    if (path != "-") notes.push_back(fmt::format("wrote {} to {}", what, path));
  };
  require_writable(all.network, all.routing, files);
  // Lanes that the levels of trees and classes of service need beside those of the tables.
  const std::uint32_t more_lanes =
      std::max(run.multicast ? run.multicast->lanes() : 0, files.classes.lanes());
  if (!files.qos_policy.empty()) {
    write_qos_policy(all.network, all.routing, files.qos_policy);
    wrote("QoS policy", files.qos_policy);
  }
  if (!files.tables.empty()) {
    write_tables_with(network, *run.routing, management, run.addressed.get(), more_lanes,
                      format_of(files, *run.routing), files.tables);
    wrote("tables", files.tables);
    const std::string guid2lid = guid2lid_beside(files.tables);
    if (!guid2lid.empty() && format_of(files, *run.routing).starts_with("opensm"))
      wrote("the LIDs of the tables", guid2lid);
  }
  if (!files.lanes.empty()) {
    for (const std::string& path : write_levels_of_classes(all.network, all.routing, files.classes,
                                                           files.lanes, files.lanes_format.form()))
      wrote("service levels", path);
    if (run.routing->lane_map && files.lane_map.empty()) {
      notes.push_back(
          fmt::format("the levels of {} are no lanes: its SL-to-VL tables (--sl2vl FILE) belong to them, "
                      "and OpenSM loads none; dor:sl2vl=0 needs none",
                      run.engine));
    }
  }
  if (!files.lane_map.empty()) {
    write_lane_map(all.network, all.routing, files.lane_map);
    wrote("SL-to-VL tables", files.lane_map);
  }
  const bool no_trees = run.multicast && run.multicast->tables.groups.empty();
  if (no_trees)
    notes.push_back(fmt::format("no group has a member here: {} is not written", files.multicast));
  if (run.multicast && !no_trees) {
    write_multicast_tables(all.network, run.multicast->tables, files.multicast);
    wrote("multicast tables", files.multicast);
  }
  if (!files.opensm_conf.empty()) {
    OpensmOptions named = opensm_files(files);
    named.lmc = run.addressed ? run.addressed->lmc : network.labels().lmc;
    if (no_trees) named.multicast.clear();
    write_opensm_conf(files.opensm_conf, std::move(named), all.network, all.routing, more_lanes);
    wrote("lines for opensm.conf", files.opensm_conf);
  }
  if (!files.certificate.empty()) {
    if (run.verdict.certificate) {
      // The checker's network has each terminal once.
      write_certificate(management != nullptr ? management->managed.network : network,
                        *run.verdict.certificate, files.certificate);
      wrote("certificate", files.certificate);
    } else {
      notes.push_back(
          fmt::format("no certificate written: the tables of {} are not deadlock-free", run.engine));
    }
  }
  return notes;
}

std::vector<std::string> RouteFiles::paths() const {
  std::vector<std::string> all = {tables, lane_map, qos_policy, certificate, multicast, opensm_conf};
  for (std::string& path : paths_of_classes(classes, lanes)) all.push_back(std::move(path));
  return all;
}

bool RouteFiles::any() const {
  const std::vector<std::string> all = paths();
  return std::any_of(all.begin(), all.end(), [](const std::string& path) { return !path.empty(); });
}

bool RouteFiles::to_standard_output() const {
  const std::vector<std::string> all = paths();
  return std::find(all.begin(), all.end(), "-") != all.end();
}

void check_route_files(const RouteFiles& files) {
  require_classes_fit(files);
  check_outputs(files.paths());
  // The tables' LIDs go beside them.
  const std::string guid2lid = guid2lid_beside(files.tables);
  const bool dump = !files.tables.empty() && !guid2lid.empty() &&
                    (files.format.empty() || files.format.starts_with("opensm"));
  for (const std::string& path : files.paths()) {
    if (dump && path != files.tables && path != "-" && !path.empty()) check_outputs({path, guid2lid});
  }
  if (!files.format.empty()) (void)table_format(files.format);  // refuses a wrong name before any work
}

RouteFiles files_of_rail(const RouteFiles& files, std::uint32_t rail) {
  RouteFiles moved = files;
  for (std::string* path : {&moved.tables, &moved.lanes, &moved.lane_map, &moved.qos_policy,
                            &moved.certificate, &moved.multicast, &moved.opensm_conf})
    *path = rail_path(*path, rail);
  return moved;
}

}  // namespace unknot::cli
