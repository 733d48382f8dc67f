// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/bulk_vector.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

namespace unknot {
namespace {

TEST(BulkVector, HoldsWhatIsPutThereSmallOrLarge) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{9} << 20}) {
    BulkVector<std::uint16_t> values;
    values.resize(size);
    for (std::size_t i = 0; i < size; ++i) values[i] = static_cast<std::uint16_t>(i * 7);
    const BulkVector<std::uint16_t> copy = values;
    EXPECT_EQ(copy, values);
    const BulkVector<std::uint16_t> moved = std::move(values);
    EXPECT_EQ(copy, moved);
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(moved[i], static_cast<std::uint16_t>(i * 7));
  }
}

TEST(BulkVector, GrowsAcrossTheSizeFromWhichPagesAreHuge) {
  BulkVector<std::uint8_t> values;
  for (std::uint32_t i = 0; i < 5'000'000; ++i) values.push_back(static_cast<std::uint8_t>(i % 251));
  for (std::uint32_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], i % 251);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values.data()) % (std::uintptr_t{2} << 20), 0U);
  values.assign(3, 9);
  EXPECT_EQ(values, BulkVector<std::uint8_t>(3, 9));
}

}  // namespace
}  // namespace unknot
