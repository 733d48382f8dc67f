// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/row_match.hpp"

#include <bit>

#if defined(__x86_64__)
#include <immintrin.h>
#define UNKNOT_AVX2 1
#endif

namespace unknot {
namespace {

template <class Entry>
void match_from(std::uint32_t from, const Entry* row_a, Entry a, const Entry* row_b, Entry b,
                std::uint32_t size, std::vector<std::uint32_t>& matches) {
  for (std::uint32_t i = from; i < size; ++i) {
    if (row_a[i] == a && row_b[i] == b) matches.push_back(i);
  }
}

#ifdef UNKNOT_AVX2
constexpr std::uint32_t kBytes = 32;

/// Returns how many entries it has looked at: the whole vectors.
__attribute__((target("avx2"))) std::uint32_t match_avx2(const std::uint8_t* row_a, std::uint8_t a,
                                                         const std::uint8_t* row_b, std::uint8_t b,
                                                         std::uint32_t size,
                                                         std::vector<std::uint32_t>& matches) {
  const __m256i all_a = _mm256_set1_epi8(static_cast<char>(a));
  const __m256i all_b = _mm256_set1_epi8(static_cast<char>(b));
  std::uint32_t i = 0;
  for (; i + kBytes <= size; i += kBytes) {
    const __m256i in_a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row_a + i));
    const __m256i in_b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row_b + i));
    const __m256i both = _mm256_and_si256(_mm256_cmpeq_epi8(in_a, all_a), _mm256_cmpeq_epi8(in_b, all_b));
    auto bits = static_cast<std::uint32_t>(_mm256_movemask_epi8(both));
    for (; bits != 0; bits &= bits - 1)
      matches.push_back(i + static_cast<std::uint32_t>(std::countr_zero(bits)));
  }
  return i;
}
#endif

}  // namespace

void match_rows(const std::uint8_t* row_a, std::uint8_t a, const std::uint8_t* row_b, std::uint8_t b,
                std::uint32_t size, std::vector<std::uint32_t>& matches) {
  std::uint32_t done = 0;
#ifdef UNKNOT_AVX2
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  if (has_avx2) done = match_avx2(row_a, a, row_b, b, size, matches);
#endif
  match_from(done, row_a, a, row_b, b, size, matches);
}

void match_rows(const std::uint16_t* row_a, std::uint16_t a, const std::uint16_t* row_b, std::uint16_t b,
                std::uint32_t size, std::vector<std::uint32_t>& matches) {
  match_from(0, row_a, a, row_b, b, size, matches);
}

}  // namespace unknot
