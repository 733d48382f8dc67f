// SPDX-License-Identifier: Apache-2.0
// Deals by AVX-512: the weights of all candidates are added up at once, and the places of a destination are
// the bytes of one register.
#include "unknot/routing/dealing/row_of_deals.hpp"

#if defined(__x86_64__)
#if defined(__GNUC__) && !defined(__clang__)
// Its header makes values that nobody sets on purpose (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#define UNKNOT_AVX512 1
#endif

namespace unknot {

#ifdef UNKNOT_AVX512

namespace {

#define UNKNOT_WIDE \
  __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi,bmi2,popcnt")))

constexpr std::uint32_t kPlaces = 64;  // bytes of a register
constexpr std::uint32_t kLanes = 16;   // weights of a register

/// Sums of all lanes up to each.
UNKNOT_WIDE inline __m512i sums_up_to(__m512i v) {
  const __m512i zero = _mm512_setzero_si512();
  v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 15));
  v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 14));
  v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 12));
  return _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 8));
}

UNKNOT_WIDE inline __m512i bytes_in_order() {
  return _mm512_set_epi64(0x3F3E3D3C3B3A3938, 0x3736353433323130, 0x2F2E2D2C2B2A2928, 0x2726252423222120,
                          0x1F1E1D1C1B1A1918, 0x1716151413121110, 0x0F0E0D0C0B0A0908, 0x0706050403020100);
}

/// Bytes that are 0 become the largest of the `by` before them.
UNKNOT_WIDE inline __m512i fill_forward(__m512i bytes, std::uint32_t by) {
  const __m512i from = _mm512_sub_epi8(bytes_in_order(), _mm512_set1_epi8(static_cast<char>(by)));
  return _mm512_max_epu8(bytes, _mm512_maskz_permutexvar_epi8(~std::uint64_t{0} << by, from, bytes));
}

/// What deal_out() writes for at most kPlaces terminals, and candidates within kVectors * kLanes ports.
template <std::uint32_t kVectors>
UNKNOT_WIDE inline __m512i deal_wide(const Deal& deal, std::uint64_t ports, const std::uint32_t* weights) {
  const auto first = static_cast<std::uint32_t>(std::countr_zero(ports));
  const std::uint64_t set = ports >> first;
  __m512i weight[kVectors];
  __m512i sum[kVectors];
  for (std::uint32_t v = 0; v < kVectors; ++v) {
    weight[v] =
        _mm512_maskz_loadu_epi32(static_cast<__mmask16>(set >> v * kLanes), weights + first + v * kLanes);
    sum[v] = sums_up_to(weight[v]);
    if (v > 0)
      sum[v] = _mm512_add_epi32(sum[v], _mm512_permutexvar_epi32(_mm512_set1_epi32(kLanes - 1), sum[v - 1]));
  }
  const auto total =
      static_cast<std::uint32_t>(_mm_extract_epi32(_mm512_extracti32x4_epi32(sum[kVectors - 1], 3), 3));
  const __m512i each = _mm512_set1_epi32(static_cast<int>((deal.count << deal.shift) / total));
  const __m512i offset = _mm512_set1_epi32(static_cast<int>(deal.offset));
  const __m128i shift = _mm_cvtsi32_si128(static_cast<int>(deal.shift));
  // Where the stretches begin that are not empty: a bit for each, and the ports in that order.
  std::uint64_t filled = std::uint64_t{1} << (63 - std::countl_zero(set));  // the last takes all that is left
  __m512i begin[kVectors];
  for (std::uint32_t v = 0; v < kVectors; ++v) {
    const __m512i before = _mm512_sub_epi32(sum[v], weight[v]);
    begin[v] = _mm512_srl_epi32(_mm512_add_epi32(_mm512_mullo_epi32(before, each), offset), shift);
    const __m512i end = _mm512_srl_epi32(_mm512_add_epi32(_mm512_mullo_epi32(sum[v], each), offset), shift);
    filled |= std::uint64_t{_mm512_cmpneq_epi32_mask(begin[v], end)} << v * kLanes;
  }
  __m512i low = _mm512_setzero_si512();
  __m512i high = low;
  const __m512i one = _mm512_set1_epi32(1);
  for (std::uint32_t v = 0; v < kVectors; ++v) {
    const __m512i bit = _mm512_maskz_mov_epi32(static_cast<__mmask16>(filled >> v * kLanes), one);
    low = _mm512_or_si512(low, _mm512_sllv_epi32(bit, begin[v]));
    high = _mm512_or_si512(high, _mm512_sllv_epi32(bit, _mm512_sub_epi32(begin[v], _mm512_set1_epi32(32))));
  }
  const auto begins = static_cast<std::uint64_t>(_mm512_reduce_or_epi64(
      _mm512_or_si512(_mm512_unpacklo_epi32(low, high), _mm512_unpackhi_epi32(low, high))));
  const __m512i order = bytes_in_order();
  const __m512i in_order =
      _mm512_maskz_compress_epi8(filled, _mm512_add_epi8(order, _mm512_set1_epi8(static_cast<char>(first))));
  __m512i places = _mm512_maskz_expand_epi8(begins, in_order);
  // Ports ascend: the largest so far is the one whose stretch it is.
  std::uint64_t known = begins;
  for (std::uint32_t by = 1; by < kPlaces && ~known << (64 - deal.count) != 0; by *= 2) {
    places = fill_forward(places, by);
    known |= known << by;
  }
  __m512i from = _mm512_add_epi8(order, _mm512_set1_epi8(static_cast<char>(deal.count - deal.turn)));
  const __m512i count = _mm512_set1_epi8(static_cast<char>(deal.count));
  from = _mm512_mask_sub_epi8(from, _mm512_cmpge_epu8_mask(from, count), from, count);
  return _mm512_permutexvar_epi8(from, places);
}

/// Those of one destination of at most kPlaces terminals.
UNKNOT_WIDE inline __m512i entries_wide(const RowOfDeals& deals, const Destination& d, std::uint64_t set) {
  if ((set & (set - 1)) != 0) {
    const std::uint32_t* weights = deals.weights + std::size_t{d.group} * 64;
    if (set >> std::countr_zero(set) >> 2 * kLanes == 0) return deal_wide<2>(deals.deal(d), set, weights);
    return deal_wide<4>(deals.deal(d), set, weights);
  }
  std::uint8_t entry = ForwardingTable::none<std::uint8_t>;
  if (d.router == deals.router) {
    entry = ForwardingTable::here<std::uint8_t>;
  } else if (set != 0) {
    entry = static_cast<std::uint8_t>(std::countr_zero(set));
  }
  return _mm512_set1_epi8(static_cast<char>(entry));
}

}  // namespace

bool can_deal_wide() {
  static const bool can = __builtin_cpu_supports("avx512bw") != 0 &&
                          __builtin_cpu_supports("avx512vl") != 0 &&
                          __builtin_cpu_supports("avx512vbmi") != 0 &&
                          __builtin_cpu_supports("avx512vbmi2") != 0 && __builtin_cpu_supports("bmi2") != 0;
  return can;
}

UNKNOT_WIDE void deal_row_wide(const RowOfDeals& deals, std::uint32_t most, std::uint8_t* places,
                               std::uint8_t* row) {
  std::uint8_t* const aside = places + 2 * (std::size_t{most} + Deal::kOverrun);
  const std::uint64_t* ports = deals.ports;
  for (const Destination& d : deals.destinations) {
    const std::uint64_t set = *ports++;
    const bool last = d.first + d.count + Deal::kOverrun > deals.terminals;
    std::uint8_t* const out = last ? aside : row + d.first;
    if (d.count > kPlaces) {
      deal_destination(deals, d, &set, places, out);
    } else {
      _mm512_storeu_si512(out, entries_wide(deals, d, set));
    }
    if (last) std::copy_n(aside, d.count, row + d.first);
  }
}

UNKNOT_WIDE void redeal_wide(const RowOfDeals& deals, std::span<const std::uint32_t> chosen,
                             std::span<const std::uint32_t> places, const std::uint8_t* row,
                             std::uint8_t* fresh, std::uint64_t* differing) {
  for (const std::uint32_t index : chosen) {
    const Destination& d = deals.destinations[index];
    const __m512i entries = entries_wide(deals, d, deals.ports[places[index]]);
    const std::uint64_t there = ~std::uint64_t{0} >> (kPlaces - d.count);
    *differing++ =
        _mm512_mask_cmpneq_epu8_mask(there, entries, _mm512_maskz_loadu_epi8(there, row + d.first));
    _mm512_storeu_si512(fresh, entries);
    fresh += kPlaces;
  }
}

#undef UNKNOT_WIDE

#else

bool can_deal_wide() {
  return false;
}

void deal_row_wide(const RowOfDeals& deals, std::uint32_t most, std::uint8_t* places, std::uint8_t* row) {
  deal_row(deals, most, places, row);
}

void redeal_wide(const RowOfDeals& /*deals*/, std::span<const std::uint32_t> /*chosen*/,
                 std::span<const std::uint32_t> /*places*/, const std::uint8_t* /*row*/,
                 std::uint8_t* /*fresh*/, std::uint64_t* /*differing*/) {}

#endif

}  // namespace unknot
