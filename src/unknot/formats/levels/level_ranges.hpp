// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/formats/text/line_scanner.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/service_levels.hpp"

namespace unknot {

// The compact form of the file of service levels. A line has a source, and LIDs by their level, or says that
// the source sends as one before it does:
//   0x0000000000000b10 0:11-13,20 3:14-19
//   0x0000000000000b20 = 0x0000000000000b10

constexpr const char* kLevelRangesExpected =
    "expected '<service level>:<lid>,<first lid>-<last lid>,...', LIDs ascending, or '= 0x<source guid>'";

/// Reads what follows the source, and calls visit(level, first, last) for each range; visit returns false to
/// stop. False where the text is malformed, or a visit was the last; `p` is where it stopped.
template <class Visit>
bool take_level_ranges(const char*& p, const char* end, const Visit& visit) {
  skip_blanks(p, end);
  if (p == end) return false;
  for (; p != end; skip_blanks(p, end)) {
    std::uint32_t level = 0;
    if (!take_decimal(p, end, level) || !take_text(p, end, ":")) return false;
    std::uint32_t before = 0;
    do {
      std::uint32_t first = 0;
      if (!take_decimal(p, end, first)) return false;
      std::uint32_t last = first;
      if (take_text(p, end, "-") && !take_decimal(p, end, last)) return false;
      if (first <= before || last < first) return false;
      before = last;
      if (!visit(level, first, last)) return false;
    } while (take_text(p, end, ","));
    if (p != end && !is_blank(*p)) return false;
  }
  return true;
}

/// Writes the levels in this form. Sources with equal levels share a row. O(rows * terminals) time, and one
/// row in memory beside the levels.
void write_level_ranges(const Network& network, const ServiceLevels& levels, const std::string& path);

}  // namespace unknot
