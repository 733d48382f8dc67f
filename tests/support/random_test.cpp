// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/random.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace unknot {
namespace {

TEST(Random, FillsAsItDraws) {
  // 65,535 refuses a half now and then, 40,000 more than every third one.
  for (const std::uint32_t bound : {1U, 2U, 50U, 40'000U, 65'535U, 65'536U}) {
    for (const std::uint32_t before : {0U, 1U, 7U}) {
      for (const std::size_t count :
           {std::size_t{0}, std::size_t{5}, std::size_t{127}, std::size_t{128}, std::size_t{1000}}) {
        Random one(bound, 3), other(bound, 3);
        for (std::uint32_t i = 0; i < before; ++i) ASSERT_EQ(one.below16(9), other.below16(9));
        std::vector<std::uint16_t> numbers(count);
        one.fill_below16(bound, numbers);
        for (const std::uint16_t number : numbers)
          ASSERT_EQ(number, other.below16(bound)) << bound << ' ' << count;
        for (std::uint32_t i = 0; i < 9; ++i) ASSERT_EQ(one.below16(1000), other.below16(1000));
        ASSERT_EQ(one.next32(), other.next32());
      }
    }
  }
}

}  // namespace
}  // namespace unknot
