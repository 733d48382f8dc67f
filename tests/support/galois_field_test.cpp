// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/solve/galois_field.hpp"

#include <gtest/gtest.h>

#include <map>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

TEST(PrimePowers, AreTold) {
  EXPECT_TRUE(is_prime(2));
  EXPECT_FALSE(is_prime(1));
  EXPECT_FALSE(is_prime(91));
  EXPECT_EQ(as_prime_power(27).prime, 3U);
  EXPECT_EQ(as_prime_power(27).exponent, 3U);
  for (const std::uint32_t none : {0U, 1U, 6U, 12U, 100U}) EXPECT_FALSE(as_prime_power(none)) << none;
}

TEST(GaloisField, HasTheSmallestModulusAndPrimitiveElement) {
  // the convention of the reference values: polynomial, smallest primitive element
  const std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> expected{
      {4, {7, 2}},   {8, {11, 2}}, {9, {10, 4}}, {16, {19, 2}}, {25, {27, 6}},
      {27, {34, 3}}, {5, {5, 2}},  {7, {7, 3}},  {23, {23, 5}}, {2, {2, 1}}};
  for (const auto& [q, of] : expected) {
    const GaloisField field(q);
    EXPECT_EQ(field.modulus(), of.first) << q;
    EXPECT_EQ(field.smallest_primitive(), of.second) << q;
    EXPECT_TRUE(field.is_primitive(of.second)) << q;
  }
}

TEST(GaloisField, KeepsTheLawsOfAField) {
  for (std::uint32_t q = 2; q <= 32; ++q) {
    if (!as_prime_power(q)) continue;
    const GaloisField f(q);
    for (std::uint32_t a = 0; a < q; ++a) {
      EXPECT_EQ(f.add(a, 0), a);
      EXPECT_EQ(f.multiply(a, 1), a);
      EXPECT_EQ(f.subtract(a, a), 0U);
      EXPECT_EQ(f.power(a, q), a);  // Fermat
      if (a != 0) {
        EXPECT_EQ(f.multiply(a, f.inverse(a)), 1U);
      }
      for (std::uint32_t b = 0; b < q; ++b) {
        EXPECT_EQ(f.add(a, b), f.add(b, a));
        EXPECT_EQ(f.subtract(f.add(a, b), b), a);
        EXPECT_EQ(f.multiply(a, b), f.multiply(b, a));
        if (a != 0 && b != 0) {
          EXPECT_NE(f.multiply(a, b), 0U);
        }
        for (std::uint32_t c = 0; c < q; ++c) {
          ASSERT_EQ(f.multiply(a, f.add(b, c)), f.add(f.multiply(a, b), f.multiply(a, c))) << q;
          ASSERT_EQ(f.multiply(a, f.multiply(b, c)), f.multiply(f.multiply(a, b), c)) << q;
          ASSERT_EQ(f.add(a, f.add(b, c)), f.add(f.add(a, b), c)) << q;
        }
      }
    }
    std::uint32_t characteristic = 0;
    std::uint32_t sum = 0;
    do {
      sum = f.add(sum, 1);
      ++characteristic;
    } while (sum != 0);
    EXPECT_EQ(characteristic, f.characteristic());
  }
}

TEST(GaloisField, IsMadeForLargeOrdersToo) {
  const GaloisField f(3125);
  EXPECT_EQ(f.degree(), 5U);
  EXPECT_EQ(f.multiply(f.inverse(3124), 3124), 1U);
  EXPECT_EQ(GaloisField(65'537).smallest_primitive(), 3U);
}

TEST(GaloisField, RefusesOtherOrders) {
  for (const std::uint32_t none : {0U, 1U, 6U, 4'000'037U})
    EXPECT_THROW(GaloisField{none}, InputError) << none;
}

}  // namespace
}  // namespace unknot
