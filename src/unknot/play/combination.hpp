// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace unknot::play {

/// How reductions combine words of eight bytes.
enum class Combination : std::uint8_t { sum, sum_double, exclusive_or, maximum };

struct CombinationRow {
  std::string name;
  std::string summary;
  Combination combination;
};

const std::vector<CombinationRow>& combinations();
/// InputError with the near names where there is none of that name.
const CombinationRow& find_combination(std::string_view name);

/// Words are of type std::int64_t, or double (sum_double), and combined as such.
std::uint64_t combined(Combination combination, std::uint64_t a, std::uint64_t b);

}  // namespace unknot::play
