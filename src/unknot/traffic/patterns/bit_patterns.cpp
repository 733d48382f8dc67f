// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "unknot/traffic/patterns/fixed_pattern.hpp"
#include "unknot/traffic/patterns/patterns.hpp"

namespace unknot {
namespace {

/// Bits of the terminal numbers that take part: those of the largest power of two that fits.
struct Bits {
  std::uint32_t active = 0;  ///< terminals
  std::uint32_t count = 0;
  explicit Bits(std::uint32_t terminals)
      : active(std::bit_floor(terminals)),
        count(active == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(active))) {}
  /// The number rotated towards the high bit by `places` < count.
  [[nodiscard]] std::uint32_t rotated(std::uint32_t number, std::uint32_t places) const {
    return ((number << places) | (number >> (count - places))) & (active - 1);
  }
};

TrafficPattern rotation(std::uint32_t terminals, std::uint32_t (*places)(std::uint32_t count)) {
  const Bits bits(terminals);
  if (bits.count < 2) return fixed_pattern(0, [](std::uint32_t t) { return t; });
  return fixed_pattern(bits.active,
                       [bits, by = places(bits.count)](std::uint32_t t) { return bits.rotated(t, by); });
}

}  // namespace

TrafficPattern bit_complement(std::uint32_t terminals) {
  const std::uint32_t active = std::bit_floor(terminals);
  return fixed_pattern(active, [active](std::uint32_t t) { return active - 1 - t; });
}

TrafficPattern bit_reverse(std::uint32_t terminals) {
  const std::uint32_t active = std::bit_floor(terminals);
  return fixed_pattern(active, [active](std::uint32_t t) {
    std::uint32_t reversed = 0;
    for (std::uint32_t bit = 1; bit < active; bit *= 2) reversed = reversed * 2 + ((t & bit) != 0 ? 1 : 0);
    return reversed;
  });
}

TrafficPattern bit_rotation(std::uint32_t terminals) {
  return rotation(terminals, [](std::uint32_t count) { return count - 1; });
}

TrafficPattern shuffle(std::uint32_t terminals) {
  return rotation(terminals, [](std::uint32_t) { return 1U; });
}

TrafficPattern bit_transpose(std::uint32_t terminals) {
  return rotation(terminals, [](std::uint32_t count) { return count / 2; });
}

TrafficPattern butterfly(std::uint32_t terminals) {
  const Bits bits(terminals);
  const std::uint32_t high = bits.active / 2;
  return fixed_pattern(bits.active, [high](std::uint32_t t) {
    const std::uint32_t kept = t & ~(high | 1U);
    return kept | ((t & high) != 0 ? 1U : 0U) | ((t & 1U) != 0 ? high : 0U);
  });
}

}  // namespace unknot
