// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/core/bit_scan.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "unknot/support/random.hpp"

namespace unknot::simulate {
namespace {

bool has(const std::array<std::uint64_t, 2>& mask, std::uint32_t i) {
  return (mask[i / 64] >> (i % 64) & 1U) != 0;
}

/// Masks of one to three bits and of many, in one word or both.
std::array<std::uint64_t, 2> some_mask(Random& random) {
  std::array<std::uint64_t, 2> mask{};
  const std::uint32_t bits = random.below(4) == 0 ? 40 : 1 + random.below(3);
  for (std::uint32_t i = 0; i < bits; ++i) {
    const std::uint32_t bit = random.below(128);
    mask[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
  return mask;
}

TEST(BitScan, TwoWordsAreScannedAroundFromAnyBit) {
  Random random(1, 0);
  for (int i = 0; i < 300; ++i) {
    const std::array<std::uint64_t, 2> mask = some_mask(random);
    for (std::uint32_t from = 0; from < 128; ++from) {
      std::uint32_t expected = from;
      while (!has(mask, expected)) expected = (expected + 1) % 128;
      ASSERT_EQ(Mask<2>::first_from(mask.data(), 2, from), expected);
      ASSERT_EQ(Mask<0>::first_from(mask.data(), 2, from), expected);
    }
  }
}

TEST(BitScan, TellsWhetherExactlyOneBitIsSet) {
  Random random(2, 0);
  const std::array<std::uint64_t, 2> none{};
  EXPECT_FALSE(Mask<2>::one(none.data(), 2));
  for (int i = 0; i < 1000; ++i) {
    const std::array<std::uint64_t, 2> mask = some_mask(random);
    int bits = 0;
    for (std::uint32_t bit = 0; bit < 128; ++bit) bits += has(mask, bit) ? 1 : 0;
    ASSERT_EQ(Mask<2>::one(mask.data(), 2), bits == 1);
    ASSERT_EQ(Mask<0>::one(mask.data(), 2), bits == 1);
  }
}

}  // namespace
}  // namespace unknot::simulate
