// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bandwidth/fraction.hpp"

#include <fmt/format.h>

#include <cassert>
#include <numeric>
#include <utility>

namespace unknot {

Fraction::Fraction(std::uint64_t over, std::uint64_t under) {
  assert(under > 0);
  const std::uint64_t common = std::gcd(over, under);
  over_ = over / common;
  under_ = under / common;
}

std::string Fraction::text() const {
  return under_ == 1 ? std::to_string(over_) : fmt::format("{}/{}", over_, under_);
}

std::strong_ordering Fraction::operator<=>(const Fraction& other) const {
  // Whole parts first, then the reciprocals of what is left, as for continued fractions: no product is made.
  std::uint64_t a = over_, b = under_, c = other.over_, d = other.under_;
  while (true) {
    const std::uint64_t left = a / b, right = c / d;
    if (left != right) return left <=> right;
    a %= b;
    c %= d;
    if (a == 0 || c == 0) return a == c ? std::strong_ordering::equal : a <=> c;
    std::swap(a, d);  // a/b < c/d where d/c < b/a
    std::swap(b, c);
  }
}

}  // namespace unknot
