// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fabric.hpp"
#include "tables_file.hpp"
#include "target.hpp"

namespace unknot::opensm {

/// The service level of each path of the live fabric: rows of sources, columns of destination LIDs, one byte
/// an entry. Sources with equal rows share one: an engine that gives one row a switch costs switches * LIDs
/// bytes.
struct LevelMatrix {
  static constexpr std::uint8_t kMissing = 0xFF;

  [[nodiscard]] std::uint8_t get(std::uint16_t source_lid, std::uint16_t destination_lid) const {
    if (source_lid >= row_of_lid.size() || destination_lid >= column_of_lid.size()) return kMissing;
    const std::uint32_t row = row_of_lid[source_lid];
    const std::uint32_t column = column_of_lid[destination_lid];
    return row == kNone || column == kNone ? kMissing : levels[std::size_t{row} * columns + column];
  }

  std::uint32_t columns = 0;
  unsigned highest = 0;                      ///< level in use
  bool names_switches = false;               ///< the file has levels of paths from or to switches
  std::vector<std::uint32_t> row_of_lid;     ///< by live LID of the source
  std::vector<std::uint32_t> column_of_lid;  ///< by live LID of the destination
  std::vector<std::uint8_t> levels;
};

/// Reads the file of service levels and checks it: every ordered pair of adapters has a level. `rows`: output
/// ports by switch and live LID.
///
/// Switches and aggregation nodes that the file does not name take the levels of an adapter on the same
/// switch where their packets go the same way: as sources always, as destinations where the rows agree.
/// Throws Misfit.
LevelMatrix make_levels(const unknot_fabric& fabric, const unknot_options& options, const TablesFile& tables,
                        std::span<const Target> targets, std::span<const std::vector<std::uint8_t>> rows);

/// Whether each service level up to `highest` is a lane of its own on every cable between switches. Throws
/// Misfit.
void check_level_lanes(const unknot_fabric& fabric, const unknot_options& options, const unknot_sl2vl& sl2vl,
                       unsigned highest);

}  // namespace unknot::opensm
