// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace unknot {

/// Those of at most 64 entries that are `value`, a bit each. Eight at a time: trees towards terminals of one
/// router mostly look at the same places of memory.
inline std::uint64_t matching_places(const std::uint8_t* entries, std::uint32_t places, std::uint8_t value) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  constexpr std::uint64_t kLow = 0x7F7F7F7F7F7F7F7FU;
  std::uint64_t found = 0;
  std::uint32_t place = 0;
  if constexpr (std::endian::native == std::endian::little) {
    for (; place + 8 <= places; place += 8) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, entries + place, 8);
      eight ^= kOnes * value;
      const std::uint64_t zero = ~(((eight & kLow) + kLow) | eight | kLow) >> 7;  // a one in each byte
      found |= zero * 0x0102040810204080U >> 56 << place;
    }
  }
  for (; place < places; ++place) found |= std::uint64_t{entries[place] == value ? 1U : 0U} << place;
  return found;
}

/// All of so many places.
inline std::uint64_t all_places(std::uint32_t places) {
  return places == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << places) - 1;
}

}  // namespace unknot
