// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "unknot/collective/front/step_front.hpp"

namespace unknot {

/// A reduce-scatter and then an all-gather.
struct AllReducePoint {
  std::size_t inward = 0, outward = 0;  ///< numbers of their points
  std::uint32_t steps = 0;
  Fraction time;
  Fraction bound;  ///< of all that are such, in as many steps
};

/// Steps against time of all-reduces that are made so, from the fronts of both halves: of each number of
/// steps the best division between them. Fewer steps than both need together there are not of this kind.
/// O(points of one * points of the other * steps).
std::vector<AllReducePoint> join_fronts(const Front& inward, const Front& outward);

}  // namespace unknot
