// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/core/divider.hpp"

#include <gtest/gtest.h>

#include "unknot/support/random.hpp"

namespace unknot::simulate {
namespace {

TEST(Divider, DividesWhereItSaysSo) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const std::uint32_t bound = 1 + random.below(1U << (1 + random.below(30)));
    const std::uint32_t divisor = 1 + random.below(1U << (1 + random.below(16)));
    if (!Divider::fits(bound, divisor)) continue;
    const Divider divide(bound, divisor);
    for (std::uint32_t k = 0; k < 50; ++k) {
      // Where it is hardest: next to multiples, and at the end.
      const std::uint32_t number = k == 0 ? bound - 1 : random.below(bound);
      ASSERT_EQ(divide(number), number / divisor) << number << '/' << divisor << " below " << bound;
      const std::uint32_t before = number / divisor * divisor;
      if (before > 0) {
        ASSERT_EQ(divide(before - 1), before / divisor - 1);
      }
      ASSERT_EQ(divide(before), before / divisor);
    }
  }
}

TEST(Divider, FitsWhatANetworkOfAMillionRoutersNeeds) {
  EXPECT_TRUE(Divider::fits(64'000'000, 64));
  EXPECT_TRUE(Divider::fits(1U << 24, 1U << 14));
  EXPECT_FALSE(Divider::fits(0xFFFFFFFFU, 1U << 16));
}

}  // namespace
}  // namespace unknot::simulate
