// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "unknot/tables/adaptive/adaptive_plane.hpp"

namespace unknot {

// The lines of ibdiagnet2.far, each for itself: what they say, before anybody asks whether a fabric has it.

/// "0  1  0  1,2,5,": a sub-group of a group of ports; a group may have several.
struct FarGroupRow {
  std::uint32_t group = 0;
  std::uint32_t sub_group = 0;
  std::vector<std::uint16_t> ports;
};
/// Takes the row into `row`, whose memory is used again; false for what is none.
bool parse_far_group(std::string_view line, FarGroupRow& row);

/// "0x0012  005  Free  0": where packets to a LID go.
struct FarLidRow {
  static constexpr std::uint32_t kNoPort = 255;  ///< as static port: no route
  std::uint32_t lid = 0;
  std::uint32_t port = 0;
  ChoiceKind kind = ChoiceKind::fixed;
  std::uint32_t group = 0;
};
/// False for what is no such row.
bool parse_far_lid(const char* p, const char* end, FarLidRow& row);

/// "PLFT_NUM: 1, top: 0x0040": the rows that follow are of this private table.
std::optional<std::uint32_t> far_plane(std::string_view line);

/// A mask of service levels, "en_sl_mask: 0x0001" in whatever is told of the switch; nothing where it is not
/// told.
std::optional<std::uint16_t> far_level_mask(std::string_view line);

}  // namespace unknot
