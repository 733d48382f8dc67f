// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/covers/order_place.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace unknot {
namespace {

constexpr std::uint32_t kFewNeighbours = 128;
constexpr std::uint32_t kSomeNeighbours = 16;  // they are looked at together

/// Between a place and the next one that is taken, or none.
std::uint32_t behind(std::uint32_t before, bool any_after, std::uint32_t after) {
  return any_after ? before + (after - before) / 2 : before + 1;
}

std::uint32_t in_front(std::uint32_t first) {
  return first - std::min(first, 1U);
}

/// sums[i]: of all that have the i-th place or one before it. Numbers count as signed here: vectors compare
/// those.
__attribute__((always_inline)) inline void add_up(const std::int32_t* place, const std::int32_t* gain,
                                                  std::uint32_t count, std::int32_t* sums) {
  for (std::uint32_t i = 0; i < count; i += kSomeNeighbours) {
    std::array<std::int32_t, kSomeNeighbours> sum{};
    for (std::uint32_t j = 0; j < count; ++j) {
      const std::int32_t before = place[j];
      const std::int32_t worth = gain[j];
      for (std::uint32_t k = 0; k < kSomeNeighbours; ++k) sum[k] += place[i + k] >= before ? worth : 0;
    }
    std::copy(sum.begin(), sum.end(), sums + i);
  }
}

#ifdef __x86_64__
__attribute__((target("avx2"))) void add_up_avx2(const std::int32_t* place, const std::int32_t* gain,
                                                 std::uint32_t count, std::int32_t* sums) {
  add_up(place, gain, count, sums);
}
#endif

void add_up_best(const std::int32_t* place, const std::int32_t* gain, std::uint32_t count,
                 std::int32_t* sums) {
#ifdef __x86_64__
  static const bool avx2 = __builtin_cpu_supports("avx2") != 0;
  if (avx2) {
    add_up_avx2(place, gain, count, sums);
    return;
  }
#endif
  add_up(place, gain, count, sums);
}

std::uint32_t better_place_of_few(std::uint32_t here, const OrderNeighbours& around) {
  constexpr std::uint32_t kSign = 0x80000000U;
  const auto count = around.count();
  std::array<std::int32_t, kFewNeighbours> place;
  std::array<std::int32_t, kFewNeighbours> gain;
  std::array<std::int32_t, kFewNeighbours> sums;
  const std::uint32_t filled = (count + kSomeNeighbours - 1) / kSomeNeighbours * kSomeNeighbours;
  std::int32_t now = 0;
  for (std::uint32_t i = 0; i < filled; ++i) {
    place[i] = i < count ? static_cast<std::int32_t>(around.place(i) ^ kSign) : INT32_MAX;
    gain[i] = i < count ? around.gain(i) : 0;
    now += i < count && around.place(i) < here ? gain[i] : 0;
  }
  add_up_best(place.data(), gain.data(), filled, sums.data());
  const std::int32_t most = std::max(0, *std::max_element(sums.begin(), sums.begin() + count));
  if (most <= now) return here;
  if (most == 0) {
    std::uint32_t first = around.place(0);
    for (std::uint32_t i = 1; i < count; ++i) first = std::min(first, around.place(i));
    return in_front(first);
  }
  std::uint32_t best = 0xFFFFFFFFU;
  for (std::uint32_t i = 0; i < count; ++i) best = std::min(best, sums[i] == most ? around.place(i) : best);
  std::uint32_t after = 0xFFFFFFFFU;
  bool any_after = false;
  for (std::uint32_t i = 0; i < count; ++i) {
    any_after = any_after || around.place(i) > best;
    if (around.place(i) > best) after = std::min(after, around.place(i));
  }
  return behind(best, any_after, after);
}

}  // namespace

std::uint32_t better_place_sorted(std::uint32_t here, const OrderNeighbours& around) {
  std::vector<std::uint64_t> keys(around.count());
  for (std::uint32_t i = 0; i < keys.size(); ++i) keys[i] = std::uint64_t{around.place(i)} << 32 | i;
  std::sort(keys.begin(), keys.end());
  const auto place_of = [&](std::size_t i) { return static_cast<std::uint32_t>(keys[i] >> 32); };
  std::int32_t sum = 0;
  std::int32_t most = 0;
  std::int32_t now = 0;
  std::size_t best = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    sum += around.gain(static_cast<std::uint32_t>(keys[i]));
    if (place_of(i) < here) now = sum;
    // Between two at one place there is none.
    if (sum <= most || (i + 1 < keys.size() && place_of(i + 1) == place_of(i))) continue;
    most = sum;
    best = i + 1;
  }
  if (most <= now) return here;
  if (best == 0) return in_front(place_of(0));
  return behind(place_of(best - 1), best < keys.size(), best < keys.size() ? place_of(best) : 0);
}

std::uint32_t better_place(std::uint32_t here, const OrderNeighbours& around) {
  if (around.count() == 0) return here;
  return around.count() <= kFewNeighbours ? better_place_of_few(here, around)
                                          : better_place_sorted(here, around);
}

}  // namespace unknot
