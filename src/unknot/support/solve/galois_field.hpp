// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace unknot {

/// A prime power, or nothing.
struct PrimePower {
  std::uint32_t prime = 0;  ///< 0: the number is no prime power
  std::uint32_t exponent = 0;
  explicit operator bool() const { return prime != 0; }
};
PrimePower as_prime_power(std::uint32_t number);
bool is_prime(std::uint32_t number);

/// The finite field of q elements, q a prime power. An element is a number 0 .. q-1 whose digits to the base
/// of the characteristic are the coefficients of a polynomial, the constant one the lowest; 0 and 1 are the
/// field's. The modulus is the monic irreducible polynomial of the smallest such number (4: 7, 8: 11, 9: 10,
/// 16: 19), the numbers modulo q where q is a prime. FLINT finds it; products go through logarithms to the
/// base of the smallest primitive element. 12 bytes an element; every operation O(1), sums O(exponent).
class GaloisField {
 public:
  static constexpr std::uint32_t kMostElements = 1U << 20U;

  /// InputError where `order` is no prime power or beyond kMostElements. O(q) products of polynomials.
  explicit GaloisField(std::uint32_t order);

  [[nodiscard]] std::uint32_t order() const { return order_; }
  [[nodiscard]] std::uint32_t characteristic() const { return characteristic_; }
  [[nodiscard]] std::uint32_t degree() const { return degree_; }
  /// Number of the modulus; q itself where q is a prime.
  [[nodiscard]] std::uint32_t modulus() const { return modulus_; }
  /// Smallest element whose powers are all the others but 0.
  [[nodiscard]] std::uint32_t smallest_primitive() const { return power_.size() > 1 ? power_[1] : 1; }
  [[nodiscard]] bool is_primitive(std::uint32_t element) const;

  [[nodiscard]] std::uint32_t add(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] std::uint32_t subtract(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] std::uint32_t multiply(std::uint32_t a, std::uint32_t b) const {
    return a == 0 || b == 0 ? 0 : power_[(std::uint64_t{log_[a]} + log_[b]) % power_.size()];
  }
  /// `exponent` may be any number; 0 to the power of 0 is 1.
  [[nodiscard]] std::uint32_t power(std::uint32_t a, std::uint64_t exponent) const;
  /// Of an element other than 0.
  [[nodiscard]] std::uint32_t inverse(std::uint32_t a) const {
    return power_[(power_.size() - log_[a]) % power_.size()];
  }

 private:
  std::uint32_t order_ = 0, characteristic_ = 0, degree_ = 0, modulus_ = 0;
  std::vector<std::uint32_t> power_;  // q - 1: powers of the smallest primitive element
  std::vector<std::uint32_t> log_;    // q; [0] unused
};

}  // namespace unknot
