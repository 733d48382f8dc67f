// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace unknot {

/// A fraction of whole numbers in lowest terms: what optima are said in, so that nothing is rounded.
class Fraction {
 public:
  constexpr Fraction() = default;
  /// `under` is positive.
  Fraction(std::uint64_t over, std::uint64_t under);

  [[nodiscard]] std::uint64_t over() const { return over_; }
  [[nodiscard]] std::uint64_t under() const { return under_; }
  [[nodiscard]] double value() const { return static_cast<double>(over_) / static_cast<double>(under_); }
  /// "15/13", or "3".
  [[nodiscard]] std::string text() const;

  bool operator==(const Fraction&) const = default;
  std::strong_ordering operator<=>(const Fraction& other) const;

 private:
  std::uint64_t over_ = 0;
  std::uint64_t under_ = 1;
};

}  // namespace unknot
