// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {

/// One outside format of fabrics. A row reads, writes, or both.
struct FabricFormat {
  std::string name;
  std::string summary;
  /// True when the text can only be of this format, judged by its first few kilobytes. Null where it cannot
  /// be read.
  std::function<bool(std::string_view head)> recognises;
  /// Null where it cannot be read. `name` is the file's, for messages.
  std::function<Network(std::string_view text, const std::string& name)> read;
  /// The text of a network. Null where it cannot be written. Throws InputError where the format cannot hold
  /// the network.
  std::function<std::string(const Network&)> write;
};

const std::vector<FabricFormat>& fabric_formats();

/// A network from a spec ("torus:4x4") or a file ("-": standard input), the format told by its content.
Network read_fabric(const std::string& spec_or_path);
/// Writes through a temporary file and a rename; "-" is standard output.
void write_fabric(const Network& network, std::string_view format, const std::string& path);

/// One outside format of routing tables.
struct TableFormat {
  std::string name;
  std::string summary;
  std::function<bool(std::string_view head)> recognises;  ///< null where it cannot be read
  std::function<Routing(const Network&, std::string_view text, const std::string& name)> read;
  /// Writes `path` and whatever belongs beside it.
  std::function<void(const Network&, const Routing&, const std::string& path)> write;
};

const std::vector<TableFormat>& table_formats();

/// Tables from a file, the format told by its content; lanes come with it where the format holds them.
Routing read_tables(const Network& network, const std::string& path);
void write_tables(const Network& network, const Routing& routing, std::string_view format,
                  const std::string& path);

/// Path service levels: lines "0x<source node or port guid> <destination lid> <sl>". Throws InputError when a
/// pair of distinct terminals is missing (names the first, counts all).
ServiceLevels read_service_levels(const Network& network, const std::string& path);
void write_service_levels(const Network& network, const Routing& routing, const std::string& path);

/// SL-to-VL tables: OpenSM's dump or the lines ibdmchk takes.
LaneMap read_lane_map(const Network& network, const std::string& path);
void write_lane_map(const Network& network, const Routing& routing, const std::string& path);

void write_certificate(const Network& network, const Certificate& certificate, const std::string& path);
/// Throws InputError when the file is malformed or was made for another network.
Certificate read_certificate(const Network& network, const std::string& path);

}  // namespace unknot
