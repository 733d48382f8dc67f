// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace unknot::play {

/// Where the values of a sample lie.
struct Spread {
  double least = 0;
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
  double greatest = 0;
};

/// Quartiles by linear interpolation between the nearest values (type 7 of Hyndman and Fan 1996). There must
/// be a value. O(n log n).
Spread spread_of(std::vector<double> values);

}  // namespace unknot::play
