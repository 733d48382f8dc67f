// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace unknot::play {

/// Most bytes of one message: MPI counts in an int.
constexpr std::uint64_t kMostBytes = 1ULL << 30U;

/// Message sizes of "1000", "64K", "1M:8M" (doubled from the first as far as the second) or a list of these
/// with commas, in the order given; units as size_in() has them. InputError, one sentence, for anything else,
/// sizes of 0 or above kMostBytes.
std::vector<std::uint64_t> parse_sizes(std::string_view text);

}  // namespace unknot::play
