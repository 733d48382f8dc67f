// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/lightest_tree.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#define UNKNOT_AVX2 1
#endif

namespace unknot {
namespace {

template <class Weight>
void sweep(const PathDag& dag, const Weight* weight, Weight* distance, std::uint32_t* pick) {
  distance[dag.root] = 0;
  const std::uint32_t positions = dag.positions();
  for (std::uint32_t i = 0; i < positions; ++i) {
    std::uint32_t best = dag.first[i];
    Weight least = distance[dag.to[best]] + weight[dag.channel[best]];
    for (std::uint32_t c = best + 1; c < dag.first[i + 1]; ++c) {
      const Weight sum = distance[dag.to[c]] + weight[dag.channel[c]];
      best = sum < least ? c : best;
      least = sum < least ? sum : least;
    }
    pick[i] = best;
    distance[dag.order[i]] = least;
  }
}

#ifdef UNKNOT_AVX2

constexpr std::uint32_t kLanes = 8;
constexpr std::uint32_t kShort = 6;  // fewer candidates than this: plain code is faster

__attribute__((target("avx2"))) inline std::uint32_t least_of(__m256i v) {
  __m128i m = _mm_min_epu32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  m = _mm_min_epu32(m, _mm_shuffle_epi32(m, _MM_SHUFFLE(1, 0, 3, 2)));
  m = _mm_min_epu32(m, _mm_shuffle_epi32(m, _MM_SHUFFLE(2, 3, 0, 1)));
  return static_cast<std::uint32_t>(_mm_cvtsi128_si32(m));
}

/// values[index[0]], ... values[index[7]]. Eight plain loads: on the processors tried the gather instruction is slower.
__attribute__((target("avx2"))) inline __m256i eight_of(const std::uint32_t* values, const std::uint32_t* index) {
  const auto at = [&](int i) { return static_cast<int>(values[index[i]]); };
  return _mm256_setr_epi32(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7));
}

__attribute__((target("avx2"))) void sweep_avx2(const PathDag& dag, const std::uint32_t* weight,
                                                std::uint32_t* distance, std::uint32_t* pick) {
  distance[dag.root] = 0;
  const std::uint32_t* first = dag.first.data();
  const std::uint32_t* channel = dag.channel.data();
  const std::uint32_t* to = dag.to.data();
  const std::uint32_t* order = dag.order.data();
  const std::uint32_t positions = dag.positions();
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const __m256i all_ones = _mm256_set1_epi32(-1);
  for (std::uint32_t i = 0; i < positions; ++i) {
    const std::uint32_t begin = first[i];
    const std::uint32_t end = first[i + 1];
    std::uint32_t best = begin;
    std::uint32_t least = distance[to[begin]] + weight[channel[begin]];
    if (end - begin < kShort) {
      for (std::uint32_t c = begin + 1; c < end; ++c) {
        const std::uint32_t sum = distance[to[c]] + weight[channel[c]];
        best = sum < least ? c : best;
        least = sum < least ? sum : least;
      }
    } else {
      // Upward channels of a router are usually neighbours in memory: then the weights need no gather.
      const bool consecutive = channel[end - 1] - channel[begin] == end - 1 - begin;
      __m256i least_sum = all_ones;
      __m256i least_index = _mm256_setzero_si256();
      for (std::uint32_t c = begin; c < end; c += kLanes) {
        const __m256i far = eight_of(distance, to + c);
        __m256i near;
        if (consecutive) {
          near = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weight + channel[begin] + (c - begin)));
        } else {
          near = eight_of(weight, channel + c);
        }
        const __m256i index = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(c)), lane);
        const __m256i beyond = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(end)), index);
        // Lanes past the end become the largest number: they can tie only with a sum that cannot occur.
        const __m256i sum =
            _mm256_or_si256(_mm256_add_epi32(far, near), _mm256_andnot_si256(beyond, all_ones));
        const __m256i smaller = _mm256_min_epu32(sum, least_sum);
        const __m256i keep = _mm256_cmpeq_epi32(smaller, least_sum);  // equal keeps the earlier index
        least_index = _mm256_blendv_epi8(index, least_index, keep);
        least_sum = smaller;
      }
      least = least_of(least_sum);
      const __m256i winners = _mm256_cmpeq_epi32(least_sum, _mm256_set1_epi32(static_cast<int>(least)));
      best = least_of(_mm256_or_si256(least_index, _mm256_andnot_si256(winners, all_ones)));
    }
    pick[i] = best;
    distance[order[i]] = least;
  }
}

#endif

}  // namespace

void lightest_tree(const PathDag& dag, const std::uint32_t* weight, std::uint32_t* distance,
                   std::uint32_t* pick) {
#ifdef UNKNOT_AVX2
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  if (has_avx2) {
    sweep_avx2(dag, weight, distance, pick);
    return;
  }
#endif
  sweep(dag, weight, distance, pick);
}

void lightest_tree(const PathDag& dag, const std::uint64_t* weight, std::uint64_t* distance,
                   std::uint32_t* pick) {
  sweep(dag, weight, distance, pick);
}

void lightest_tree_portable(const PathDag& dag, const std::uint32_t* weight, std::uint32_t* distance,
                            std::uint32_t* pick) {
  sweep(dag, weight, distance, pick);
}

}  // namespace unknot
