// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fabric.hpp"
#include "tables_file.hpp"

namespace unknot::opensm {

/// The service level of each path of the live fabric: rows of sources, columns of destination LIDs, one byte
/// an entry. Sources with equal rows share one: an engine that gives one row a switch costs switches * LIDs
/// bytes.
class LevelMatrix {
 public:
  static constexpr std::uint8_t kMissing = 0xFF;
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  [[nodiscard]] std::uint8_t get(std::uint16_t source_lid, std::uint16_t destination_lid) const {
    if (source_lid >= row_of_lid.size() || destination_lid >= column_of_lid.size()) return kMissing;
    const std::uint32_t row = row_of_lid[source_lid];
    const std::uint32_t column = column_of_lid[destination_lid];
    return row == kNone || column == kNone ? kMissing : levels[std::size_t{row} * columns + column];
  }

  std::uint32_t columns = 0;
  std::vector<std::uint32_t> row_of_lid;     ///< by live LID of the source
  std::vector<std::uint32_t> column_of_lid;  ///< by live LID of the destination
  std::vector<std::uint8_t> levels;
};

/// Reads lines "0x<source node or port guid> <destination LID of the tables> <level>". `column_of_file_lid`
/// tells the column of each LID of the tables file, kNone where no live port has it; rows are the fabric's
/// adapters. Entries that no line names stay kMissing. Throws Misfit.
std::vector<std::uint8_t> read_levels_file(const std::string& path, const unknot_fabric& fabric,
                                           const TablesFile& tables,
                                           std::span<const std::uint32_t> column_of_file_lid,
                                           std::uint32_t columns);

}  // namespace unknot::opensm
