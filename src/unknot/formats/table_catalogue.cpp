// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "unknot/formats/catalogue.hpp"
#include "unknot/formats/table_formats.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/file.hpp"
#include "unknot/support/parameters.hpp"

namespace unknot {

const std::vector<TableFormat>& table_formats() {
  static const std::vector<TableFormat> formats = {
      {"opensm", "LFT dump of OpenSM (opensm-lfts.dump); reads dump_lfts, ibroute and bare rows too",
       recognises_lft_dump, read_lft_dump, write_lft_dump},
      {"opensm-bare", "shortest rows that OpenSM's file engine takes; read as opensm", nullptr, nullptr,
       write_lft_bare},
      {"fdbs", "opensm.fdbs: LID, port and hops", recognises_fdbs, read_fdbs, nullptr},
      {"json", "tables and lanes for scripts", recognises_table_json, read_table_json, write_table_json,
       true},
      {"binary", "tables and lanes, compact and with a checksum", recognises_table_binary, read_table_binary,
       write_table_binary, true},
  };
  return formats;
}

Routing read_tables(const Network& network, const std::string& path) {
  const std::string text = read_file(path);
  if (text.empty()) throw InputError(fmt::format("{}: the file is empty, expected routing tables", path));
  const std::string_view head = std::string_view(text).substr(0, kRecogniseBytes);
  std::vector<std::string> names;
  for (const TableFormat& format : table_formats()) {
    if (!format.recognises) continue;
    if (format.recognises(head)) return format.read(network, text, path);
    names.push_back(format.name);
  }
  throw InputError(
      fmt::format("{}: no routing tables of a known form (one of {})", path, fmt::join(names, ", ")));
}

void write_tables(const Network& network, const Routing& routing, std::string_view format,
                  const std::string& path) {
  std::vector<std::string> names;
  for (const TableFormat& row : table_formats()) {
    if (!row.write) continue;
    if (row.name == format) {
      row.write(network, routing, path);
      return;
    }
    names.push_back(row.name);
  }
  const std::string near = near_names(format, names);
  throw InputError(
      fmt::format("tables cannot be written as '{}'; {}", format,
                  near.empty() ? fmt::format("expected one of {}", fmt::join(names, ", ")) : near));
}

}  // namespace unknot
