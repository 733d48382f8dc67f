// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace unknot::simulate {

/// Division by a number that is fixed: a multiplication and a shift. [Granlund and Montgomery, PLDI'94]
class Divider {
 public:
  Divider() = default;
  /// For numbers below `bound`, if fits(bound, divisor). divisor > 0.
  Divider(std::uint32_t bound, std::uint32_t divisor)
      : shift_(shift_for(bound)), inverse_((std::uint64_t{1} << shift_) / divisor + 1) {}

  /// inverse = (2^shift + e) / divisor, 0 < e <= divisor: the quotient is right while number * e < 2^shift.
  static bool fits(std::uint32_t bound, std::uint32_t divisor) {
    return std::uint64_t{bound} * divisor <= std::uint64_t{1} << shift_for(bound);
  }
  [[nodiscard]] std::uint32_t operator()(std::uint32_t number) const {
    return static_cast<std::uint32_t>(number * inverse_ >> shift_);
  }

 private:
  /// number * inverse < 2^64 for every divisor.
  static std::uint32_t shift_for(std::uint32_t bound) {
    return 63U - static_cast<std::uint32_t>(std::bit_width(bound));
  }

  std::uint32_t shift_ = 0;
  std::uint64_t inverse_ = 0;
};

}  // namespace unknot::simulate
