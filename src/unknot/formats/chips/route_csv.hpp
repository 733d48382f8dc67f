// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

/// Forwarding tables as comma-separated values, by name: docs/generators.md.
namespace unknot {

/// True when the first line has the columns "router" and "destination".
bool recognises_route_csv(std::string_view head);
/// True when the first line has the columns of one router's file: "destination", "port" or "next hop" or
/// both, and no "router".
bool recognises_router_csv(std::string_view head);
/// Columns by the names of the first line, in any order: router, destination (a terminal), and port or "next
/// hop" (or next_hop) or both; others are passed over. A pair without a row has no route. InputError with
/// file and line for an unknown name, a name that two devices have, a port that does not lead to the next
/// hop, a next hop that several links lead to where no port is given, and a pair that is listed twice.
Routing read_route_csv(const Network& network, std::string_view text, const std::string& name);

/// One file of several that hold the tables together.
struct RouteCsvFile {
  std::string router;  ///< whose rows these are where the file has no column "router"
  std::string path;
};
/// The same from several files, each of one router or with a column "router". InputError, too, for a router
/// that has neither a file nor a row: a file is missing more often than a router forwards nothing, and for
/// that one the first line is enough. `text_of` is asked for one file after the other.
Routing read_route_csv_files(const Network& network, const std::vector<RouteCsvFile>& files,
                             const std::function<std::string(const std::string& path)>& text_of,
                             const std::string& name);
/// The same from the files *.csv of a folder, NAME.csv for the router NAME; hidden files and others are
/// passed over. InputError for a folder without any, and for files of more than `most` bytes together.
Routing read_route_csv_folder(const Network& network, const std::string& path, std::uint64_t most);

/// All routers in one file, a row for each entry, those of the router of a terminal too; no next hop where
/// the port leads nowhere. InputError for two devices of one kind and name, a line break in a name, and
/// several addresses of a terminal.
void write_route_csv(const Network& network, const Routing& routing, const std::string& path);
/// `path`: a folder, which may be there already. A file NAME.csv for each router, without the column of the
/// router. InputError for names of routers that are no names of files.
void write_route_csv_folder(const Network& network, const Routing& routing, const std::string& path);

}  // namespace unknot
