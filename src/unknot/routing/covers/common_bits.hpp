// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace unknot {

/// Adds to counts[i] how many bits the set has in common with the i-th of `rows` rows that lie one behind the
/// other. Sets and rows have `words` words, a multiple of eight. By AVX-512 where the machine has it; the
/// result is the same.
void add_common_bits(const std::uint64_t* set, const std::uint64_t* row, std::uint32_t rows,
                     std::uint32_t words, std::uint32_t* counts);
/// The portable form, for tests.
void add_common_bits_portable(const std::uint64_t* set, const std::uint64_t* row, std::uint32_t rows,
                              std::uint32_t words, std::uint32_t* counts);

}  // namespace unknot
