// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/trees/lightest_tree.hpp"

#include <bit>

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
constexpr std::uint32_t kMost = 64;  // more candidates than this at a position: plain code

/// The least of the eight numbers, in all eight places.
__attribute__((target("avx2"))) inline __m256i least_of(__m256i v) {
  v = _mm256_min_epu32(v, _mm256_permute2x128_si256(v, v, 1));
  v = _mm256_min_epu32(v, _mm256_shuffle_epi32(v, _MM_SHUFFLE(1, 0, 3, 2)));
  return _mm256_min_epu32(v, _mm256_shuffle_epi32(v, _MM_SHUFFLE(2, 3, 0, 1)));
}

/// values[index[0]], ... values[index[7]]. Eight plain loads: on the processors tried the gather instruction
/// is slower.
__attribute__((target("avx2"))) inline __m256i eight_of(const std::uint32_t* values,
                                                        const std::uint32_t* index) {
  const auto at = [&](int i) { return static_cast<int>(values[index[i]]); };
  return _mm256_setr_epi32(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7));
}

__attribute__((target("avx2"))) inline __m256i load(const std::uint32_t* values) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values));
}

__attribute__((target("avx2"))) void sweep_avx2(const PathDag& dag, const std::uint32_t* weight,
                                                std::uint32_t* distance, std::uint32_t* pick) {
  distance[dag.root] = 0;
  const std::uint32_t* first = dag.first.data();
  const std::uint32_t* channel = dag.channel.data();
  const std::uint32_t* to = dag.to.data();
  const std::uint32_t* order = dag.order.data();
  const PathDag::Shape* shape = dag.shape.data();
  const std::uint32_t positions = dag.positions();
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  alignas(32) std::uint32_t sums[kMost];
  for (std::uint32_t i = 0; i < positions; ++i) {
    const std::uint32_t begin = first[i];
    const std::uint32_t size = first[i + 1] - begin;
    std::uint32_t best = begin;
    std::uint32_t least = 0;
    if (shape[i] == PathDag::Shape::few || size > kMost) {
      least = distance[to[begin]] + weight[channel[begin]];
      for (std::uint32_t c = begin + 1; c < begin + size; ++c) {
        const std::uint32_t sum = distance[to[c]] + weight[channel[c]];
        best = sum < least ? c : best;
        least = sum < least ? sum : least;
      }
    } else {
      const bool near_adjacent = shape[i] != PathDag::Shape::scattered;
      const bool far_adjacent = shape[i] == PathDag::Shape::straight;
      const std::uint32_t* const near_first = weight + channel[begin];
      const std::uint32_t* const far_first = distance + to[begin];
      __m256i least_sum = _mm256_set1_epi32(-1);
      for (std::uint32_t k = 0; k < size; k += kLanes) {
        const __m256i far = far_adjacent ? load(far_first + k) : eight_of(distance, to + begin + k);
        const __m256i near = near_adjacent ? load(near_first + k) : eight_of(weight, channel + begin + k);
        // Lanes past the end become the largest number, which no sum is.
        const __m256i beyond = _mm256_cmpgt_epi32(lane, _mm256_set1_epi32(static_cast<int>(size - 1 - k)));
        const __m256i sum = _mm256_or_si256(_mm256_add_epi32(far, near), beyond);
        _mm256_store_si256(reinterpret_cast<__m256i*>(sums + k), sum);
        least_sum = _mm256_min_epu32(least_sum, sum);
      }
      least_sum = least_of(least_sum);
      least = static_cast<std::uint32_t>(_mm256_cvtsi256_si32(least_sum));
      // The first that has it. Looking at all avoids a branch that none could foresee.
      std::uint64_t equal = 0;
      for (std::uint32_t k = 0; k < size; k += kLanes) {
        const __m256i same = _mm256_cmpeq_epi32(load(sums + k), least_sum);
        const auto bits = static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(same)));
        equal |= std::uint64_t{bits} << k;
      }
      best = begin + static_cast<std::uint32_t>(std::countr_zero(equal));
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
