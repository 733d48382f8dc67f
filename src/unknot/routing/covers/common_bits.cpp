// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/covers/common_bits.hpp"

#include <algorithm>

#if defined(__x86_64__)
#if defined(__GNUC__) && !defined(__clang__)
// Its header makes values that nobody sets on purpose (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#define UNKNOT_COUNTS_BITS 1
#endif

namespace unknot {
namespace {

/// Bits that are set, by sums of pairs, of fours and of bytes [Warren, Hacker's Delight, 5-1]: without a
/// processor to be sure of, the compiler calls a function.
inline std::uint32_t bits_of(std::uint64_t word) {
  word -= word >> 1 & 0x5555555555555555U;
  word = (word & 0x3333333333333333U) + (word >> 2 & 0x3333333333333333U);
  word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0FU;
  return static_cast<std::uint32_t>(word * 0x0101010101010101U >> 56);
}

#ifdef UNKNOT_COUNTS_BITS

__attribute__((target("avx512f,avx512vpopcntdq"))) void count_wide(const BitLines& set,
                                                                   std::span<const std::uint64_t* const> rows,
                                                                   std::uint32_t* counts) {
  for (const std::uint64_t* const row : rows) {
    __m512i sum = _mm512_setzero_si512();
    for (std::uint32_t i = 0; i < set.size(); ++i) {
      const __m512i common =
          _mm512_and_si512(_mm512_loadu_si512(set.line(i)), _mm512_loadu_si512(row + set.at(i)));
      sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(common));
    }
    *counts++ = static_cast<std::uint32_t>(_mm512_reduce_add_epi64(sum));
  }
}

#endif

}  // namespace

void BitLines::take(const std::uint64_t* words, std::uint32_t count) {
  at_.clear();
  words_.resize(count);
  for (std::uint32_t w = 0; w < count; w += kWords) {
    const std::uint64_t* const line = words + w;
    if (std::all_of(line, line + kWords, [](std::uint64_t word) { return word == 0; })) continue;
    std::copy_n(line, kWords, words_.begin() + size() * kWords);
    at_.push_back(w);
  }
}

void count_common_bits_portable(const BitLines& set, std::span<const std::uint64_t* const> rows,
                                std::uint32_t* counts) {
  for (const std::uint64_t* const row : rows) {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < set.size(); ++i) {
      for (std::uint32_t w = 0; w < BitLines::kWords; ++w)
        sum += bits_of(set.line(i)[w] & row[set.at(i) + w]);
    }
    *counts++ = sum;
  }
}

void count_common_bits(const BitLines& set, std::span<const std::uint64_t* const> rows,
                       std::uint32_t* counts) {
#ifdef UNKNOT_COUNTS_BITS
  static const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vpopcntdq");
  if (wide) {
    count_wide(set, rows, counts);
    return;
  }
#endif
  count_common_bits_portable(set, rows, counts);
}

}  // namespace unknot
