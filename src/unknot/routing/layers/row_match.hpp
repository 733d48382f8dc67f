// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace unknot {

/// Positions at which row_a holds `a` and row_b holds `b`, in order: the destinations whose paths go from one
/// channel into another. Writes them to `matches`, which has room for `size`, and returns how many there are.
/// Uses AVX2 for byte entries where the machine has it. O(size).
std::uint32_t match_rows(const std::uint8_t* row_a, std::uint8_t a, const std::uint8_t* row_b, std::uint8_t b,
                         std::uint32_t size, std::uint32_t* matches);
std::uint32_t match_rows(const std::uint16_t* row_a, std::uint16_t a, const std::uint16_t* row_b,
                         std::uint16_t b, std::uint32_t size, std::uint32_t* matches);

}  // namespace unknot
