// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/dealing/changed_deals.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace unknot {
namespace {

/// Numbers of as many destinations; the compiler makes of them what the processor has.
template <std::uint32_t kLanes>
struct LanesOf;
template <>
struct LanesOf<16> {
  using Whole = std::uint32_t __attribute__((vector_size(64)));
  using Signed = std::int32_t __attribute__((vector_size(64)));
  using Double = double __attribute__((vector_size(128)));
};
template <>
struct LanesOf<8> {
  using Whole = std::uint32_t __attribute__((vector_size(32)));
  using Signed = std::int32_t __attribute__((vector_size(32)));
  using Double = double __attribute__((vector_size(64)));
};
template <>
struct LanesOf<4> {
  using Whole = std::uint32_t __attribute__((vector_size(16)));
  using Signed = std::int32_t __attribute__((vector_size(16)));
  using Double = double __attribute__((vector_size(32)));
};

/// count << shift by the sum of the weights, rounded down: whole numbers of 31 bits, which doubles divide as
/// exactly.
template <std::uint32_t kLanes, class Lanes>
__attribute__((always_inline)) inline void divide_lanes(Lanes& number, const Lanes& by) {
  using Signed = typename LanesOf<kLanes>::Signed;
  using Double = typename LanesOf<kLanes>::Double;
  Double share = __builtin_convertvector(__builtin_convertvector(number, Signed), Double);
  share /= __builtin_convertvector(__builtin_convertvector(by, Signed), Double);
  number = __builtin_convertvector(__builtin_convertvector(share, Signed), Lanes);
}

/// The numbers of some, and zeros.
template <class Lanes>
__attribute__((always_inline)) inline void numbers_from(const std::vector<std::uint32_t>& numbers,
                                                        std::uint32_t first, std::uint32_t count,
                                                        Lanes& lanes) {
  if (count * sizeof(numbers[0]) == sizeof(Lanes)) {
    std::memcpy(&lanes, numbers.data() + first, sizeof(Lanes));
  } else {
    lanes = Lanes{};
    std::memcpy(&lanes, numbers.data() + first, count * sizeof(numbers[0]));
  }
}

/// Of kLanes destinations from `first` on.
template <std::uint32_t kLanes>
__attribute__((always_inline)) inline std::uint32_t find_changed(const WeighedTwice& deals,
                                                                 std::uint32_t first) {
  using Lanes = typename LanesOf<kLanes>::Whole;
  const auto all = static_cast<std::uint32_t>(deals.group.destinations.size());
  const std::uint32_t count = all - first < kLanes ? all - first : kLanes;
  Lanes each_before;
  Lanes offset;
  Lanes shift;
  numbers_from(deals.group.whole, first, count, each_before);
  numbers_from(deals.group.dither, first, count, offset);
  numbers_from(deals.group.shift, first, count, shift);
  offset = (offset + deals.hash) >> (32U - shift);
  Lanes each_after = each_before;
  // Of a word of ports: half of it for each destination, and those that some destination has.
  Lanes low{};
  Lanes high{};
  std::uint64_t any = 0;
  const auto take_ports = [&](std::uint32_t word) __attribute__((always_inline)) {
    std::array<std::array<std::uint32_t, kLanes>, 2> halves{};
    any = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t set = deals.ports[(first + i) * deals.words + word];
      halves[0][i] = static_cast<std::uint32_t>(set);
      halves[1][i] = static_cast<std::uint32_t>(set >> 32);
      any |= set;
    }
    std::memcpy(&low, halves[0].data(), sizeof(Lanes));
    std::memcpy(&high, halves[1].data(), sizeof(Lanes));
  };
  // Each port that some have, with all bits of the lanes of those.
  const auto for_each_port = [&](const auto& visit) __attribute__((always_inline)) {
    for (std::uint32_t w = 0; w < deals.words; ++w) {
      if (deals.words > 1) take_ports(w);
      for (std::uint64_t left = any; left != 0; left &= left - 1) {
        const auto bit = static_cast<std::uint32_t>(std::countr_zero(left));
        const Lanes mask = 0U - ((bit < 32 ? low : high) >> bit % 32 & 1U);
        visit(mask, mask & deals.before[w * 64 + bit], mask & deals.after[w * 64 + bit]);
      }
    }
  };
  if (deals.words == 1) take_ports(0);
  Lanes before{};
  Lanes after{};
  for_each_port([&](const Lanes&, const Lanes& was, const Lanes& is) __attribute__((always_inline)) {
    before += was;
    after += is;
  });
  before |= __builtin_convertvector(before == 0U, Lanes) & 1U;  // those without candidates
  after |= __builtin_convertvector(after == 0U, Lanes) & 1U;
  divide_lanes<kLanes>(each_before, before);
  divide_lanes<kLanes>(each_after, after);
  before = after = Lanes{};
  Lanes changed{};
  for_each_port([&](const Lanes& mask, const Lanes& was, const Lanes& is) __attribute__((always_inline)) {
    changed |= mask & ((before * each_before + offset) >> shift ^ (after * each_after + offset) >> shift);
    before += was;
    after += is;
  });
  std::uint32_t bits = 0;
  for (std::uint32_t i = 0; i < count; ++i) bits |= (changed[i] != 0 ? 1U : 0U) << i;
  return bits;
}

template <std::uint32_t kLanes>
__attribute__((always_inline)) inline std::uint32_t find_all_changed(const WeighedTwice& deals,
                                                                     std::uint32_t first) {
  std::uint32_t bits = 0;
  for (std::uint32_t i = 0; i < kDealsAtOnce && first + i < deals.group.destinations.size(); i += kLanes)
    bits |= find_changed<kLanes>(deals, first + i) << i;
  return bits;
}

#ifdef __x86_64__
__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))) std::uint32_t changed_deals_wide(
    const WeighedTwice& deals, std::uint32_t first) {
  return find_all_changed<16>(deals, first);
}
__attribute__((target("avx2"))) std::uint32_t changed_deals_avx2(const WeighedTwice& deals,
                                                                 std::uint32_t first) {
  return find_all_changed<8>(deals, first);
}
#endif

}  // namespace

void GroupOfDeals::add(std::uint32_t index, const Destination& d) {
  destinations.push_back(index);
  shift.push_back(d.shift);
  whole.push_back(d.count << d.shift);
  dither.push_back(d.dither);
}

std::uint32_t changed_deals_portable(const WeighedTwice& deals, std::uint32_t first) {
  return find_all_changed<4>(deals, first);
}

std::uint32_t changed_deals(const WeighedTwice& deals, std::uint32_t first) {
#ifdef __x86_64__
  static const bool wide = __builtin_cpu_supports("avx512bw") != 0 &&
                           __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
  static const bool avx2 = __builtin_cpu_supports("avx2") != 0;
  if (wide) return changed_deals_wide(deals, first);
  if (avx2) return changed_deals_avx2(deals, first);
#endif
  return changed_deals_portable(deals, first);
}

}  // namespace unknot
