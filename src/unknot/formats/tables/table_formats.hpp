// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// Ends the sentence about a device of the tables that the fabric does not have.
constexpr const char* kOfAnotherFabric =
    ": the tables are of another fabric, or of this one before a change (unknot watch and reroute --to take "
    "both)";

// The formats of routing tables that table_catalogue.cpp lists, one file each.

/// How much of a file is looked at to tell its format.
inline constexpr std::size_t kRecogniseBytes = 8192;

/// LFT dump of OpenSM, dump_lfts and ibroute, and the bare lines that OpenSM's `file` engine takes. Rows are
/// matched by port GUID where they carry one, else by LID (lid_map_beside()). Rows of switches and service
/// nodes are checked and passed over; of a device with several LIDs, the lowest counts. A switch that the
/// dump does not hold has no routes.
bool recognises_lft_dump(std::string_view head);
Routing read_lft_dump(const Network& network, std::string_view text, const std::string& name);
/// As OpenSM itself writes it, for every LID of the fabric (see management_routes.hpp for switches), and
/// `guid2lid` in the same folder. A route that is missing or stray has no row. Throws InputError where
/// InfiniBand cannot hold it: a LID above 49151, a port above 254.
void write_lft_dump(const Network& network, const Routing& routing, const std::string& path);
/// The same with the shortest rows that OpenSM's `file` engine takes.
void write_lft_bare(const Network& network, const Routing& routing, const std::string& path);

/// opensm.fdbs: LID, port, hops. LIDs as lid_map_beside() finds them.
bool recognises_fdbs(std::string_view head);
Routing read_fdbs(const Network& network, std::string_view text, const std::string& name);

/// This project's JSON, for scripts: docs/table-formats.md.
bool recognises_table_json(std::string_view head);
Routing read_table_json(const Network& network, std::string_view text, const std::string& name);
/// The LIDs that it states of its terminals, after read_table_json(); nothing where it states none.
std::optional<LidMap> table_json_lids(const Network& network, std::string_view text, const std::string& name);
void write_table_json(const Network& network, const Routing& routing, const std::string& path);

/// This project's compact form, with lanes and a checksum: docs/table-formats.md.
bool recognises_table_binary(std::string_view head);
Routing read_table_binary(const Network& network, std::string_view text, const std::string& name);
/// The LIDs of its terminals, after read_table_binary().
LidMap table_binary_lids(const Network& network, std::string_view text, const std::string& name);
void write_table_binary(const Network& network, const Routing& routing, const std::string& path);

}  // namespace unknot
