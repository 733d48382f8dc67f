// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/random.hpp"

#include <array>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace unknot {
namespace {

using Philox = r123::Philox4x32;
constexpr std::uint32_t kBlocks = 16;  // made at once

/// What so many blocks are, in the order in which their halves of words are drawn.
using Halves = std::array<std::uint16_t, std::size_t{8} * kBlocks>;

void make_blocks(const Philox::ctr_type& first, const Philox::key_type& key, Halves& halves) {
  Philox philox;
  Philox::ctr_type counter = first;
  std::size_t at = 0;
  for (std::uint32_t i = 0; i < kBlocks; ++i) {
    const Philox::ctr_type block = philox(counter, key);
    ++counter[0];
    for (std::size_t w = 4; w > 0; --w) {
      halves[at++] = static_cast<std::uint16_t>(block[w - 1] & 0xFFFFU);
      halves[at++] = static_cast<std::uint16_t>(block[w - 1] >> 16U);
    }
  }
}

#ifdef __x86_64__
/// Four blocks side by side, four times: a word in the low half of each 64-bit lane, anything in the high
/// one.
__attribute__((target("avx2"))) void make_blocks_avx2(const Philox::ctr_type& first,
                                                      const Philox::key_type& key, Halves& halves) {
  constexpr std::uint32_t kGroups = kBlocks / 4;
  __m256i word[4][kGroups];
  for (std::uint32_t g = 0; g < kGroups; ++g) {
    const std::int64_t start = std::int64_t{4} * g;
    word[0][g] = _mm256_add_epi64(_mm256_set1_epi64x(first[0]),
                                  _mm256_set_epi64x(start + 3, start + 2, start + 1, start));
    for (std::size_t w = 1; w < 4; ++w) word[w][g] = _mm256_set1_epi64x(first[w]);
  }
  const __m256i factor0 = _mm256_set1_epi64x(PHILOX_M4x32_0), factor1 = _mm256_set1_epi64x(PHILOX_M4x32_1);
  std::uint32_t key0 = key[0], key1 = key[1];
  for (std::uint32_t round = 0; round < philox4x32_rounds; ++round) {
    for (std::uint32_t g = 0; g < kGroups; ++g) {
      const __m256i product0 = _mm256_mul_epu32(word[0][g], factor0);
      const __m256i product1 = _mm256_mul_epu32(word[2][g], factor1);
      word[0][g] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product1, 32), word[1][g]),
                                    _mm256_set1_epi64x(key0));
      word[2][g] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product0, 32), word[3][g]),
                                    _mm256_set1_epi64x(key1));
      word[1][g] = product1;
      word[3][g] = product0;
    }
    key0 += PHILOX_W32_0;
    key1 += PHILOX_W32_1;
  }
  auto* const out = reinterpret_cast<__m256i*>(halves.data());
  const __m256i low = _mm256_set1_epi64x(0xFFFFFFFFU);
  for (std::uint32_t g = 0; g < kGroups; ++g) {
    // The last word of a block is drawn first.
    const __m256i front =
        _mm256_or_si256(_mm256_and_si256(word[3][g], low), _mm256_slli_epi64(word[2][g], 32));
    const __m256i back =
        _mm256_or_si256(_mm256_and_si256(word[1][g], low), _mm256_slli_epi64(word[0][g], 32));
    const __m256i even = _mm256_unpacklo_epi64(front, back), odd = _mm256_unpackhi_epi64(front, back);
    _mm256_storeu_si256(out + 2 * g, _mm256_permute2x128_si256(even, odd, 0x20));
    _mm256_storeu_si256(out + 2 * g + 1, _mm256_permute2x128_si256(even, odd, 0x31));
  }
}
#endif

void make_quickly(const Philox::ctr_type& first, const Philox::key_type& key, Halves& halves) {
#ifdef __x86_64__
  static const bool avx2 = __builtin_cpu_supports("avx2") != 0;
  if (avx2) {
    make_blocks_avx2(first, key, halves);
    return;
  }
#endif
  make_blocks(first, key, halves);
}

}  // namespace

void Random::fill_below16(std::uint32_t bound, std::span<std::uint16_t> numbers) {
  const auto draw = [&] { return static_cast<std::uint16_t>(below16(bound)); };
  std::size_t done = 0;
  while (done < numbers.size() && !at_border()) numbers[done++] = draw();
  const std::uint32_t threshold = (0x10000U - bound) % bound;
  Halves halves;
  while (numbers.size() - done >= halves.size() && counter_[0] < 0xFFFFFFFFU - kBlocks) {
    make_quickly(counter_, key_, halves);
    counter_[0] += kBlocks;
    // A half that is refused counts for nothing: the next one takes its place.
    for (const std::uint16_t half : halves) {
      const std::uint32_t product = half * bound;
      numbers[done] = static_cast<std::uint16_t>(product >> 16U);
      done += (product & 0xFFFFU) >= threshold ? 1 : 0;
    }
  }
  while (done < numbers.size()) numbers[done++] = draw();
}

}  // namespace unknot
