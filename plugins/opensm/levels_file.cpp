// SPDX-License-Identifier: Apache-2.0
#include "levels_file.hpp"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>
#include <utility>

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

class Reader {
 public:
  Reader(const std::string& path, const unknot_fabric& fabric, const TablesFile& tables,
         std::span<const std::uint32_t> column_of_file_lid, std::uint32_t columns)
      : sources_(map_sources(fabric)),
        tables_(tables),
        column_of_file_lid_(column_of_file_lid),
        columns_(columns),
        lines_(path),
        levels_((fabric.adapters.size() + fabric.switches.size()) * std::size_t{columns},
                LevelMatrix::kMissing) {}

  std::vector<std::uint8_t> run() {
    std::string_view line;
    while (lines_.next(line)) {
      skip_blanks(line);
      if (line.empty() || line.front() == '#') continue;
      lines_.expect_whole_line();
      std::uint64_t guid = 0;
      if (!take_number(line, guid)) throw lines_.misfit(kExpected);
      // Lines come sorted by source.
      if (guid != last_guid_) {
        const auto found = sources_.find(guid);
        rows_ = found == sources_.end() ? nullptr : &found->second;
        last_guid_ = guid;
      }
      skip_blanks(line);
      if (!line.empty() && line.front() == '=') {
        read_reference(line.substr(1));
      } else if (line.find(':') != std::string_view::npos) {
        read_ranges(line, told_.try_emplace(guid).first->second);
      } else {
        read_pair(line);
      }
    }
    return std::move(levels_);
  }

 private:
  struct Range {
    std::uint16_t first, last;
    std::uint8_t level;
  };

  static constexpr const char* kExpected = "expected '0x<source guid> <destination lid> <service level>'";
  static constexpr const char* kRangesExpected =
      "expected '<service level>:<lid>,<first lid>-<last lid>,...', LIDs ascending, or '= 0x<source guid>'";

  void read_pair(std::string_view line) {
    std::uint64_t lid = 0;
    std::uint64_t level = 0;
    if (!take_number(line, lid) || !take_number(line, level)) throw lines_.misfit(kExpected);
    take_level(lid, level);
  }

  /// 0:11-13,20 3:14-19
  void read_ranges(std::string_view line, std::vector<Range>& told) {
    const auto eat = [&](char c) {
      if (line.empty() || line.front() != c) return false;
      line.remove_prefix(1);
      return true;
    };
    for (; !line.empty(); skip_blanks(line)) {
      std::uint64_t level = 0;
      std::uint64_t before = 0;
      if (!take_number(line, level) || !eat(':')) throw lines_.misfit(kRangesExpected);
      do {
        std::uint64_t first = 0;
        if (!take_number(line, first)) throw lines_.misfit(kRangesExpected);
        std::uint64_t last = first;
        if (eat('-') && !take_number(line, last)) throw lines_.misfit(kRangesExpected);
        if (first <= before || last < first) throw lines_.misfit(kRangesExpected);
        before = last;
        for (std::uint64_t lid = first; lid <= last; ++lid) take_level(lid, level);
        told.push_back({static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(last),
                        static_cast<std::uint8_t>(level)});
      } while (eat(','));
      if (!line.empty() && line.front() != ' ' && line.front() != '\t') throw lines_.misfit(kRangesExpected);
    }
  }

  /// The ranges of a source above, be it away now.
  void read_reference(std::string_view line) {
    std::uint64_t guid = 0;
    if (!take_number(line, guid)) throw lines_.misfit(kRangesExpected);
    skip_blanks(line);
    if (!line.empty()) throw lines_.misfit(kRangesExpected);
    const auto found = told_.find(guid);
    if (found == told_.end()) {
      throw lines_.misfit(
          "expected a source whose levels are told as '<service level>:<lid>,...' on lines above");
    }
    for (const Range& range : found->second) {
      for (std::uint32_t lid = range.first; lid <= range.last; ++lid) take_level(lid, range.level);
    }
  }

  void take_level(std::uint64_t lid, std::uint64_t level) {
    if (level > 15) throw lines_.misfit(fmt::format("service level {} is beyond 15", level));
    if (lid >= column_of_file_lid_.size() || !tables_.has_lid(static_cast<unsigned>(lid))) {
      throw lines_.misfit(fmt::format("LID {} is in no row of {}", lid, tables_.path));
    }
    const std::uint32_t column = column_of_file_lid_[lid];
    if (rows_ == nullptr || column == kNone) return;  // a node that is away now
    for (const std::uint32_t row : *rows_) {
      std::uint8_t& entry = levels_[std::size_t{row} * columns_ + column];
      if (entry != LevelMatrix::kMissing && entry != level) {
        throw lines_.misfit(
            fmt::format("service level {} for a path that had level {} before", level, entry));
      }
      entry = static_cast<std::uint8_t>(level);
    }
  }

  const SourceMap sources_;
  const TablesFile& tables_;
  std::span<const std::uint32_t> column_of_file_lid_;
  std::uint32_t columns_;
  LineReader lines_;
  std::vector<std::uint8_t> levels_;
  std::unordered_map<std::uint64_t, std::vector<Range>> told_;  ///< by source, of those told in ranges
  std::uint64_t last_guid_ = 0;
  const std::vector<std::uint32_t>* rows_ = nullptr;  ///< of the current source
};

}  // namespace

std::vector<std::uint8_t> read_levels_file(const std::string& path, const unknot_fabric& fabric,
                                           const TablesFile& tables,
                                           std::span<const std::uint32_t> column_of_file_lid,
                                           std::uint32_t columns) {
  return Reader(path, fabric, tables, column_of_file_lid, columns).run();
}

}  // namespace unknot::opensm
