// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/support/solve/galois_field.hpp"

namespace unknot {

/// The Erdos-Renyi polarity graph of a prime power q: the q^2 + q + 1 points of PG(2,q), neighbours where the
/// product of their coordinates is 0. Point (1,y,z) is number y q + z, (0,1,z) is q^2 + z, (0,0,1) is q^2 +
/// q. [Erdos, Renyi 1962]
constexpr std::uint64_t polarity_graph_size(std::uint64_t q) {
  return q * q + q + 1;
}

/// Calls visit(other) for the q + 1 points orthogonal to `point`, which may be one of them: the line of that
/// point. The affine ones come first. O(q).
template <class Visit>
void for_each_orthogonal_point(const GaloisField& field, std::uint32_t point, const Visit& visit) {
  const std::uint32_t q = field.order();
  const std::uint32_t infinity = q * q;  // first of the points (0,1,z)
  // the points (x,y,z) on the line a x + b y + c z = 0
  const std::uint32_t a = point < infinity ? 1 : 0;
  const std::uint32_t b = point < infinity ? point / q : point < infinity + q ? 1 : 0;
  const std::uint32_t c = point < infinity ? point % q : point < infinity + q ? point - infinity : 1;
  const auto minus_over = [&](std::uint32_t value, std::uint32_t by) {
    return field.multiply(field.subtract(0, value), field.inverse(by));
  };
  if (c != 0) {
    for (std::uint32_t y = 0; y < q; ++y) visit(y * q + minus_over(field.add(a, field.multiply(b, y)), c));
    visit(infinity + minus_over(b, c));
    return;
  }
  if (b != 0) {
    const std::uint32_t y = minus_over(a, b);
    for (std::uint32_t z = 0; z < q; ++z) visit(y * q + z);
  } else {
    for (std::uint32_t z = 0; z < q; ++z) visit(infinity + z);
  }
  visit(infinity + q);
}

}  // namespace unknot
