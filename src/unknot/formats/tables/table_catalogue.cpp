// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "unknot/formats/chips/constellation.hpp"
#include "unknot/formats/chips/floogen.hpp"
#include "unknot/formats/chips/floogen_routing.hpp"
#include "unknot/formats/chips/garnet.hpp"
#include "unknot/formats/chips/route_csv.hpp"
#include "unknot/formats/routes/angara_tables.hpp"
#include "unknot/formats/tables/further_lids.hpp"
#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/formats/tables/table_formats.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/parameters.hpp"

namespace unknot {

namespace {

/// To all addresses.
std::uint32_t highest_level(const Routing& routing) {
  std::uint32_t highest = 0;
  for (const Routing* one : tables_to_addresses(routing))
    highest = std::max<std::uint32_t>(highest, one->service_levels.highest());
  return highest;
}

/// The same for all addresses.
void take_lanes(Routing& routing, std::uint32_t lanes) {
  routing.virtual_lanes = routing.lanes_needed = lanes;
  for (Routing& further : routing.further) take_lanes(further, lanes);
}

/// The format that a file's first bytes tell; null where they tell none.
const TableFormat* recognised_format(std::string_view head) {
  for (const TableFormat& format : table_formats()) {
    if (format.recognises && format.recognises(head.substr(0, kRecogniseBytes))) return &format;
  }
  return nullptr;
}

/// The same; InputError where they tell none.
const TableFormat& format_of(std::string_view head, const std::string& path) {
  if (head.empty()) throw InputError(fmt::format("{}: the file is empty, expected routing tables", path));
  if (const TableFormat* format = recognised_format(head)) return *format;
  std::vector<std::string> names;
  for (const TableFormat& format : table_formats()) {
    if (format.recognises) names.push_back(format.name);
  }
  if (recognises_router_csv(head.substr(0, kRecogniseBytes))) {
    throw InputError(
        fmt::format("{}: a table of one router, expected the folder that has a file for each, or "
                    "one file with a column 'router'",
                    path));
  }
  // As its lines start: "0x<source guid> ...".
  const bool levels = head.starts_with("0x");
  throw InputError(fmt::format("{}: no routing tables of a known form (one of {}){}", path,
                               fmt::join(names, ", "),
                               levels ? "; a file of service levels is named with --lanes" : ""));
}

/// What tables or routes of a network can take with all their comments: a long line for an entry or a
/// pair, and more for a route as long as routes can be.
std::uint64_t most_bytes(const Network& network) {
  constexpr double kEntry = 192;
  constexpr double kHop = 16;
  constexpr double kMostLids = 49'152;
  const double routers = network.router_count();
  const double terminals = network.terminal_count();
  const double entries = routers * std::max(kMostLids, routers + terminals);
  const double most = kEntry * (entries + terminals * terminals) + kHop * terminals * terminals * routers;
  return ReadLimits::kMebi + static_cast<std::uint64_t>(std::min(most, 1e18));
}

}  // namespace

const std::vector<TableFormat>& table_formats() {
  static const std::vector<TableFormat> formats = {
      {"opensm", "LFT dump of OpenSM (opensm-lfts.dump); reads dump_lfts, ibroute and bare rows too",
       recognises_lft_dump, read_lft_dump, write_lft_dump, false, TableContent::forwarding_tables, true,
       true},
      {"opensm-bare", "shortest rows that OpenSM's file engine takes; read as opensm", nullptr, nullptr,
       write_lft_bare, false, TableContent::forwarding_tables, true, true},
      {"fdbs", "opensm.fdbs: LID, port and hops", recognises_fdbs, read_fdbs, nullptr, false,
       TableContent::forwarding_tables, true},
      {"json", "tables or source routes, and lanes, for scripts", recognises_table_json, read_table_json,
       write_table_json, true, TableContent::either, false, true},
      {"binary", "tables and lanes, compact and with a checksum", recognises_table_binary, read_table_binary,
       write_table_binary, true, TableContent::forwarding_tables, false, true},
      {"angara", "source routes of a torus as its adapters take them, a section a node", recognises_angara,
       read_angara, write_angara, false, TableContent::source_routes},
      {"csv", "a row for each router and destination, by name, with port and next hop", recognises_route_csv,
       read_route_csv, write_route_csv},
      {.name = "csv-folder",
       .summary = "the same in a folder, with a file for each router",
       .write = write_route_csv_folder,
       .read_folder = read_route_csv_folder},
      {.name = "floogen",
       .summary = "what FlooGen makes of route_algo in its YAML",
       .recognises = looks_like_floogen,
       .read = [](const Network& network, std::string_view text,
                  const std::string& name) { return read_floogen_routing(network, text, name).routing; },
       .holds = TableContent::either},
      {"garnet", "topology for gem5's Garnet in Python, whose weights give the tables", nullptr, nullptr,
       [](const Network& network, const Routing& routing, const std::string& path) {
         write_garnet_topology(network, routing, path);
       }},
      {"constellation", "topology and routing relation for Constellation in Scala, read as it is written",
       looks_like_constellation, read_constellation_tables, write_constellation, true},
  };
  return formats;
}

namespace {

/// A file of tables and what it is in.
struct TableText {
  const TableFormat* format = nullptr;
  std::string text;
};

/// The format of a folder of tables; null for what is none.
const TableFormat* folder_format(const std::string& path) {
  std::error_code ignored;
  if (path == "-" || !std::filesystem::is_directory(path, ignored)) return nullptr;
  const std::vector<TableFormat>& all = table_formats();
  return &*std::find_if(all.begin(), all.end(),
                        [](const TableFormat& format) { return bool(format.read_folder); });
}

TableText read_table_text(const Network& network, const std::string& path) {
  TableText file;
  file.format = folder_format(path);
  if (file.format != nullptr) return file;  // its files are read one by one
  ReadLimits limits;
  limits.most = limits.most_streamed = most_bytes(network);
  limits.text = false;  // one of the formats is none
  limits.judge = [&](std::string_view head) { file.format = &format_of(head, path); };
  file.text = read_file(path, limits);
  return file;
}

Routing parse_tables(const Network& network, const TableText& file, const std::string& path) {
  Routing routing = file.format->read_folder ? file.format->read_folder(network, path, most_bytes(network))
                                             : file.format->read(network, file.text, path);
  limit_lanes(routing, LaneMap::kDrop);  // the next lane is for management
  return routing;
}

}  // namespace

bool tables_have_switches(const std::string& path) {
  std::string head(kRecogniseBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  const TableFormat* format = recognised_format(head);
  return format != nullptr && format->has_switches;
}

Routing read_tables(const Network& network, const std::string& path) {
  return parse_tables(network, read_table_text(network, path), path);
}

Routing read_routing(const Network& network, const std::string& tables, const std::string& service_levels,
                     const std::string& lane_map, std::optional<LidMap>* told) {
  TableText file = read_table_text(network, tables);
  Routing routing = parse_tables(network, file, tables);
  std::optional<LidMap> in_file;
  if ((told != nullptr || !service_levels.empty()) && !file.format->read_folder)
    in_file = told_lids(network, file.text, tables, !routing.further.empty());
  file.text = {};
  if (told != nullptr) *told = in_file;
  if (!service_levels.empty()) {
    const LidMap lids = in_file ? *in_file : LidMap::of(network);
    routing.service_levels = read_service_levels(network, service_levels, &lids);
    std::uint32_t rank = 0;
    for (Routing& further : routing.further) {
      const LidMap ranked = lids.ranked(++rank);
      further.service_levels = read_service_levels(network, service_levels, &ranked);
    }
    take_lanes(routing, highest_level(routing) + 1);
  }
  if (lane_map.empty() && routing.lane_map == nullptr && !service_levels.empty()) {
    if (highest_level(routing) == LaneMap::kDrop) {
      throw InputError(
          fmt::format("{}: service level {} has no lane for data without SL-to-VL tables (--sl2vl)",
                      service_levels, LaneMap::kDrop));
    }
  }
  if (!lane_map.empty()) {
    routing.lane_map = std::make_shared<const LaneMap>(read_lane_map(network, lane_map));
    for (Routing& further : routing.further) further.lane_map = routing.lane_map;
    // Levels are no lanes now.
    take_lanes(routing, lanes_in_use(network, routing));
  }
  return routing;
}

void write_tables(const Network& network, const Routing& routing, std::string_view format,
                  const std::string& path) {
  std::vector<std::string> names;
  for (const TableFormat& row : table_formats()) {
    if (!row.write) continue;
    if (row.name == format) {
      require_content(row, routing);
      if (row.has_switches && !routing.further.empty()) {
        const OnEveryAddress all = on_every_lid(network, routing);
        row.write(all.network, all.routing, path);
      } else {
        row.write(network, routing, path);
      }
      return;
    }
    names.push_back(row.name);
  }
  throw InputError(
      fmt::format("tables cannot be written as '{}'; {}", format, near_or_all_names(format, names)));
}

void require_content(const TableFormat& format, const Routing& routing) {
  const auto wanted =
      routing.routes() != nullptr ? TableContent::source_routes : TableContent::forwarding_tables;
  if (format.holds == TableContent::either || format.holds == wanted) return;
  std::vector<std::string> others;
  for (const TableFormat& row : table_formats()) {
    if (row.write && (row.holds == TableContent::either || row.holds == wanted)) others.push_back(row.name);
  }
  throw InputError(
      routing.routes() != nullptr
          ? fmt::format("format {} holds forwarding tables by destination, and {} gives each pair a route of "
                        "its own: take one of {}",
                        format.name, routing.engine, fmt::join(others, ", "))
          : fmt::format("format {} holds source routes, and {} gives forwarding tables by destination: take "
                        "one of {}",
                        format.name, routing.engine, fmt::join(others, ", ")));
}

std::string_view default_table_format(const Routing& routing) {
  if (routing.routes() == nullptr) return "opensm";
  return routing.flow_control == FlowControl::bubble ? "angara" : "json";
}

}  // namespace unknot
