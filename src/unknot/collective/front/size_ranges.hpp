// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace unknot {

/// Seconds of a schedule by the size of a message: what it takes in any case, and for each byte.
struct LineCost {
  double fixed = 0, byte = 0;
};

/// From how many bytes on, 1 at least, each of several is the quickest; nothing for one that never is, up to
/// 2^50 bytes. Of equal ones the first. O(lines^2).
std::vector<std::optional<std::uint64_t>> first_sizes(const std::vector<LineCost>& lines);

/// The quickest for a size; of equal ones the first. At least one line.
std::size_t cheapest(const std::vector<LineCost>& lines, std::uint64_t bytes);

}  // namespace unknot
