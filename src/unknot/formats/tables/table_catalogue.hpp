// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {

/// What a file of routing tables holds.
enum class TableContent : std::uint8_t { forwarding_tables, source_routes, either };

/// One outside format of routing tables.
struct TableFormat {
  std::string name;
  std::string summary;
  std::function<bool(std::string_view head)> recognises = nullptr;  ///< null where it cannot be read
  std::function<Routing(const Network&, std::string_view text, const std::string& name)> read = nullptr;
  /// Writes `path` and whatever belongs beside it.
  std::function<void(const Network&, const Routing&, const std::string& path)> write = nullptr;
  bool holds_lanes = false;  ///< service levels are part of the file
  TableContent holds = TableContent::forwarding_tables;
  /// Rows by LID, those of the switches themselves among them: holds tables of a network with management too.
  bool has_switches = false;
  /// Holds the tables to several addresses of a terminal: with rows of switches, one for each LID; else those
  /// of Routing::further.
  bool several_addresses = false;
  /// Reads a folder, of at most `most` bytes of files; null for formats of files.
  std::function<Routing(const Network&, const std::string& path, std::uint64_t most)> read_folder = nullptr;
  [[nodiscard]] bool can_be_read() const { return read != nullptr || read_folder != nullptr; }
};

const std::vector<TableFormat>& table_formats();
/// Whether a regular file holds tables in a format with rows of switches, by its first bytes.
bool tables_have_switches(const std::string& path);

/// Tables from a file, the format told by its content, or from a folder (csv-folder); lanes come with it
/// where the format holds them.
Routing read_tables(const Network& network, const std::string& path);
/// The same with service levels and SL-to-VL tables from files of their own, where these names are not empty.
/// The levels' LIDs are those of the tables. `told` (optional) gets the LIDs that the tables go by, where
/// they tell any (told_lids()).
Routing read_routing(const Network& network, const std::string& tables, const std::string& service_levels,
                     const std::string& lane_map, std::optional<LidMap>* told = nullptr);
/// Throws InputError, before anything is written, where the format cannot hold the routing.
void write_tables(const Network& network, const Routing& routing, std::string_view format,
                  const std::string& path);
/// InputError that names the formats that can, where `format` holds forwarding tables and the routing is
/// source routes, or the other way round.
void require_content(const TableFormat& format, const Routing& routing);
/// The format that a routing is written in where nobody asks for another: opensm; for source routes angara
/// where rings have bubble flow control, else json.
std::string_view default_table_format(const Routing& routing);

/// How a file of service levels is written. Readers take both, also in one file.
enum class LevelForm : std::uint8_t {
  plain,    ///< a line for each pair: what ibdmchk and other tools take
  compact,  ///< a row for each source, or the name of one with the same row: "0x<source guid>
            ///< <sl>:<lid>-<lid>,..."
};

/// Path service levels: lines "0x<source node or port guid> <destination lid> <sl>", or compact ones. A line
/// with the node GUID of an adapter with several ports counts for all of them, except where a line with a
/// port's own GUID says otherwise. LIDs are those of `lids`, best taken from the tables that belong to the
/// file (told_lids()); null: lid_map_beside(path). Rows come by router where the terminals of no router
/// differ, else by terminal. Throws InputError when a pair of distinct terminals is missing (names the first,
/// counts all).
ServiceLevels read_service_levels(const Network& network, const std::string& path,
                                  const LidMap* lids = nullptr);
/// The LIDs of LidMap::of(network); the port GUID for adapters with several ports, else the node GUID.
void write_service_levels(const Network& network, const Routing& routing, const std::string& path,
                          LevelForm form = LevelForm::plain);

/// SL-to-VL tables: OpenSM's dump or the lines ibdmchk takes. What the file says of an adapter counts for its
/// terminal, as far as it is clear which. Throws InputError when a pair of connected ports of a router is
/// missing, ports of terminals included.
LaneMap read_lane_map(const Network& network, const std::string& path);
/// In the lines ibdmchk takes; without SL-to-VL tables, level l on lane l modulo virtual_lanes.
void write_lane_map(const Network& network, const Routing& routing, const std::string& path);

/// 1 + the highest lane that a level in use may travel on between routers, to any address. O(pairs + squares
/// of the numbers of ports).
std::uint32_t lanes_in_use(const Network& network, const Routing& routing);
/// InputError where a path's level would travel on lane 15: switches of InfiniBand drop data there. To be
/// called before lanes are written in InfiniBand's forms. O(pairs + squares of the numbers of ports).
void require_data_lanes(const Network& network, const Routing& routing);

void write_certificate(const Network& network, const Certificate& certificate, const std::string& path);
/// Throws InputError when the file is malformed or was made for another network.
Certificate read_certificate(const Network& network, const std::string& path);

}  // namespace unknot
