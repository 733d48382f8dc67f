// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <optional>

#include "unknot/support/size.hpp"

namespace unknot {
namespace {

TEST(NumberIn, IsAllOfTheText) {
  EXPECT_EQ(number_in<std::uint64_t>("0"), 0U);
  EXPECT_EQ(number_in<std::uint64_t>("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(number_in<std::int64_t>("-7"), -7);
  EXPECT_EQ(number_in<std::uint64_t>("ff", 16), 255U);
  EXPECT_EQ(number_in<double>("1e-3"), 0.001);
  for (const char* text : {"", " 1", "1 ", "+1", "-1", "1,", "0x1", "1.0", "18446744073709551616", "f"}) {
    EXPECT_EQ(number_in<std::uint64_t>(text), std::nullopt) << text;
  }
  for (const char* text : {"", "1e", "1e999", "+1", "0,5", "one"})
    EXPECT_EQ(number_in<double>(text), std::nullopt) << text;
  EXPECT_EQ(number_in<std::uint64_t>("", 16), std::nullopt);
  EXPECT_EQ(number_in<std::uint64_t>("10000000000000000", 16), std::nullopt);
}

TEST(NumberIn, LeavesNoNumbersToTheCaller) {
  EXPECT_TRUE(std::isnan(number_in<double>("nan").value_or(0)));
  EXPECT_TRUE(std::isinf(number_in<double>("inf").value_or(0)));
}

TEST(SizeIn, IsInPowersOf1024) {
  EXPECT_EQ(size_in("0"), 0U);
  EXPECT_EQ(size_in("65536"), 65536U);
  for (const char* text : {"64K", "64KB", "64KiB"}) EXPECT_EQ(size_in(text), 65536U) << text;
  EXPECT_EQ(size_in("3M"), 3U << 20U);
  EXPECT_EQ(size_in("2G"), 2ULL << 30U);
  EXPECT_EQ(size_in("1T"), 1ULL << 40U);
  EXPECT_EQ(size_in("16777215T"), 16777215ULL << 40U);
  for (const char* text :
       {"", "K", "B", "iB", "64k", "6 4K", "64 K", "64KK", "-1K", "1.5K", "16777216T", "64Ki", "7B"})
    EXPECT_EQ(size_in(text), std::nullopt) << text;
}

}  // namespace
}  // namespace unknot
