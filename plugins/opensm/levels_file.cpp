// SPDX-License-Identifier: Apache-2.0
#include "levels_file.hpp"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

#include "level_matrix.hpp"
#include "line_reader.hpp"

namespace unknot::opensm {

namespace {

/// Nodes a GUID stands for: the adapter's port of that GUID, else all ports of the adapter of that GUID, else
/// the switch.
using SourceMap = std::unordered_map<std::uint64_t, std::vector<std::uint32_t>>;

SourceMap map_sources(const unknot_fabric& fabric) {
  SourceMap sources;
  for (std::uint32_t i = 0; i < fabric.adapters.size(); ++i) {
    sources[fabric.adapters[i].port_guid] = {i};
  }
  for (std::uint32_t i = 0; i < fabric.adapters.size(); ++i) {
    const unknot_fabric::Adapter& a = fabric.adapters[i];
    if (a.node_guid == a.port_guid) continue;
    std::vector<std::uint32_t>& ports = sources[a.node_guid];
    const bool is_port = !ports.empty() && fabric.adapters[ports[0]].port_guid == a.node_guid;
    if (!is_port) ports.push_back(i);
  }
  for (std::uint32_t s = 0; s < fabric.switches.size(); ++s)
    sources.try_emplace(fabric.switches[s].guid, 1, static_cast<std::uint32_t>(fabric.adapters.size()) + s);
  return sources;
}

}  // namespace

std::vector<std::uint8_t> read_levels_file(const std::string& path, const unknot_fabric& fabric,
                                           const TablesFile& tables,
                                           std::span<const std::uint32_t> column_of_file_lid,
                                           std::uint32_t columns) {
  const SourceMap sources = map_sources(fabric);
  std::vector<std::uint8_t> levels((fabric.adapters.size() + fabric.switches.size()) * std::size_t{columns},
                                   LevelMatrix::kMissing);
  LineReader lines(path);
  std::string_view line;
  std::uint64_t last_guid = 0;
  const std::vector<std::uint32_t>* rows = nullptr;
  while (lines.next(line)) {
    skip_blanks(line);
    if (line.empty() || line.front() == '#') continue;
    lines.expect_whole_line();
    std::uint64_t guid = 0;
    std::uint64_t lid = 0;
    std::uint64_t level = 0;
    if (!take_number(line, guid) || !take_number(line, lid) || !take_number(line, level)) {
      throw lines.misfit("expected '0x<source guid> <destination lid> <service level>'");
    }
    if (level > 15) throw lines.misfit(fmt::format("service level {} is beyond 15", level));
    if (lid >= column_of_file_lid.size() || !tables.has_lid(static_cast<unsigned>(lid))) {
      throw lines.misfit(fmt::format("LID {} is in no row of {}", lid, tables.path));
    }
    // Lines come sorted by source.
    if (guid != last_guid) {
      const auto found = sources.find(guid);
      rows = found == sources.end() ? nullptr : &found->second;
      last_guid = guid;
    }
    const std::uint32_t column = column_of_file_lid[lid];
    if (rows == nullptr || column == LevelMatrix::kNone) continue;  // a node that is away now
    for (const std::uint32_t row : *rows) {
      std::uint8_t& entry = levels[std::size_t{row} * columns + column];
      if (entry != LevelMatrix::kMissing && entry != level) {
        throw lines.misfit(fmt::format("service level {} for a path that had level {} before", level, entry));
      }
      entry = static_cast<std::uint8_t>(level);
    }
  }
  return levels;
}

}  // namespace unknot::opensm
