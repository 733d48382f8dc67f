// SPDX-License-Identifier: Apache-2.0
#include "unknot/play/combination.hpp"

#include <algorithm>
#include <bit>

#include "unknot/support/catalogue.hpp"

namespace unknot::play {

const std::vector<CombinationRow>& combinations() {
  static const std::vector<CombinationRow> rows = {
      {"sum", "sum of whole numbers of 64 bits", Combination::sum},
      {"sum-double", "sum of floating-point numbers of 64 bits", Combination::sum_double},
      {"xor", "exclusive or of 64 bits", Combination::exclusive_or},
      {"max", "greatest of whole numbers of 64 bits", Combination::maximum},
  };
  return rows;
}

const CombinationRow& find_combination(std::string_view name) {
  return find_row(combinations(), "operation", name);
}

std::uint64_t combined(Combination combination, std::uint64_t a, std::uint64_t b) {
  switch (combination) {
    case Combination::sum:
      return a + b;
    case Combination::sum_double:
      return std::bit_cast<std::uint64_t>(std::bit_cast<double>(a) + std::bit_cast<double>(b));
    case Combination::exclusive_or:
      return a ^ b;
    case Combination::maximum:
      break;
  }
  return static_cast<std::uint64_t>(std::max(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b)));
}

}  // namespace unknot::play
