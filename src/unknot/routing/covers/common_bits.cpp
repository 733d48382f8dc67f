// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/covers/common_bits.hpp"

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

__attribute__((target("avx512f,avx512vpopcntdq"))) void add_wide(const std::uint64_t* set,
                                                                 const std::uint64_t* row, std::uint32_t rows,
                                                                 std::uint32_t words, std::uint32_t* counts) {
  for (std::uint32_t i = 0; i < rows; ++i, row += words) {
    __m512i sum = _mm512_setzero_si512();
    for (std::uint32_t w = 0; w < words; w += 8) {
      const __m512i common = _mm512_and_si512(_mm512_loadu_si512(set + w), _mm512_loadu_si512(row + w));
      sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(common));
    }
    counts[i] += static_cast<std::uint32_t>(_mm512_reduce_add_epi64(sum));
  }
}

#endif

}  // namespace

void add_common_bits_portable(const std::uint64_t* set, const std::uint64_t* row, std::uint32_t rows,
                              std::uint32_t words, std::uint32_t* counts) {
  for (std::uint32_t i = 0; i < rows; ++i, row += words) {
    std::uint32_t sum = 0;
    for (std::uint32_t w = 0; w < words; ++w) sum += bits_of(set[w] & row[w]);
    counts[i] += sum;
  }
}

void add_common_bits(const std::uint64_t* set, const std::uint64_t* row, std::uint32_t rows,
                     std::uint32_t words, std::uint32_t* counts) {
#ifdef UNKNOT_COUNTS_BITS
  static const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vpopcntdq");
  if (wide) {
    add_wide(set, row, rows, words, counts);
    return;
  }
#endif
  add_common_bits_portable(set, row, rows, words, counts);
}

}  // namespace unknot
