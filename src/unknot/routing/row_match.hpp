// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace unknot {

/// Positions at which row_a holds `a` and row_b holds `b`, in order: the destinations whose paths go from one
/// channel into another. Appends to `matches`. Uses AVX2 for byte entries where the machine has it. O(size).
void match_rows(const std::uint8_t* row_a, std::uint8_t a, const std::uint8_t* row_b, std::uint8_t b,
                std::uint32_t size, std::vector<std::uint32_t>& matches);
void match_rows(const std::uint16_t* row_a, std::uint16_t a, const std::uint16_t* row_b, std::uint16_t b,
                std::uint32_t size, std::vector<std::uint32_t>& matches);

}  // namespace unknot
