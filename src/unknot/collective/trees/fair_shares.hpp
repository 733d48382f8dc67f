// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace unknot {

/// What goes into a switch by one neighbour and out to another.
struct Crossing {
  std::uint32_t in = 0, out = 0;  ///< numbers of neighbours: places in the lists given
  std::uint64_t amount = 0;
};

/// At most so much crosses, of the pairs of neighbours that a cut has on one side.
struct CrossingLimit {
  std::vector<std::uint8_t> in, out;  ///< by place in the lists: whether a pair of such is limited
  std::uint64_t most = 0;
};

/// Who enters a switch and how much, and who leaves it.
struct SwitchPorts {
  std::vector<std::uint32_t> in_vertex, out_vertex;
  std::vector<std::uint64_t> in, out;  ///< amounts
};

/// Divides what enters among what leaves, in proportion to `weights` (by in, then out) as far as sums and
/// limits let it, in whole numbers; nothing turns back to the neighbour that it came from. What finds no
/// place is left out. Iterated proportional fitting, then rounding, the largest rests first. O(rounds * in *
/// out).
std::vector<Crossing> fair_shares(const SwitchPorts& ports, std::span<const double> weights,
                                  std::span<const CrossingLimit> limits);

}  // namespace unknot
