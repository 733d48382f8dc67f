// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fabric.hpp"
#include "tables_file.hpp"

namespace unknot::opensm {

/// Reads lines "0x<source node or port guid> <destination LID of the tables> <level>", and the compact ones
/// "0x<source> <level>:<lid>,<lid>-<lid>,... <level>:..." and "0x<source> = 0x<source of a compact line
/// above>". `column_of_file_lid` tells the column of each LID of the tables file, kNone where no
/// live port has it. The result has a row for each adapter, then for each switch; entries that no line names
/// are LevelMatrix::kMissing. Throws Misfit.
std::vector<std::uint8_t> read_levels_file(const std::string& path, const unknot_fabric& fabric,
                                           const TablesFile& tables,
                                           std::span<const std::uint32_t> column_of_file_lid,
                                           std::uint32_t columns);

}  // namespace unknot::opensm
