// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/layers/row_match.hpp"

#include <bit>

#if defined(__x86_64__)
#include <immintrin.h>
#define UNKNOT_AVX2 1
#endif

namespace unknot {
namespace {

template <class Entry>
std::uint32_t match_plain(const Entry* row_a, Entry a, const Entry* row_b, Entry b, std::uint32_t size,
                          std::uint32_t* matches) {
  std::uint32_t found = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    matches[found] = i;
    found += row_a[i] == a && row_b[i] == b ? 1 : 0;
  }
  return found;
}

#ifdef UNKNOT_AVX2
constexpr std::uint32_t kBytes = 32;

/// For rows of kBytes or more.
__attribute__((target("avx2"))) std::uint32_t match_avx2(const std::uint8_t* row_a, std::uint8_t a,
                                                         const std::uint8_t* row_b, std::uint8_t b,
                                                         std::uint32_t size, std::uint32_t* matches) {
  const __m256i all_a = _mm256_set1_epi8(static_cast<char>(a));
  const __m256i all_b = _mm256_set1_epi8(static_cast<char>(b));
  const auto both_at = [&](std::uint32_t i) __attribute__((target("avx2"))) {
    const __m256i in_a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row_a + i));
    const __m256i in_b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row_b + i));
    const __m256i both = _mm256_and_si256(_mm256_cmpeq_epi8(in_a, all_a), _mm256_cmpeq_epi8(in_b, all_b));
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(both));
  };
  std::uint32_t found = 0;
  std::uint32_t i = 0;
  for (; i + kBytes <= size; i += kBytes) {
    for (std::uint32_t bits = both_at(i); bits != 0; bits &= bits - 1) {
      matches[found++] = i + static_cast<std::uint32_t>(std::countr_zero(bits));
    }
  }
  if (i == size) return found;
  // The rest, together with some that have been looked at.
  const std::uint32_t last = size - kBytes;
  for (std::uint32_t bits = both_at(last) & ~0U << (i - last); bits != 0; bits &= bits - 1) {
    matches[found++] = last + static_cast<std::uint32_t>(std::countr_zero(bits));
  }
  return found;
}
#endif

}  // namespace

std::uint32_t match_rows(const std::uint8_t* row_a, std::uint8_t a, const std::uint8_t* row_b, std::uint8_t b,
                         std::uint32_t size, std::uint32_t* matches) {
#ifdef UNKNOT_AVX2
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  if (has_avx2 && size >= kBytes) return match_avx2(row_a, a, row_b, b, size, matches);
#endif
  return match_plain(row_a, a, row_b, b, size, matches);
}

std::uint32_t match_rows(const std::uint16_t* row_a, std::uint16_t a, const std::uint16_t* row_b,
                         std::uint16_t b, std::uint32_t size, std::uint32_t* matches) {
  return match_plain(row_a, a, row_b, b, size, matches);
}

}  // namespace unknot
