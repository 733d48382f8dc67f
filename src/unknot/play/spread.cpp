// SPDX-License-Identifier: Apache-2.0
#include "unknot/play/spread.hpp"

#include <algorithm>
#include <cmath>

namespace unknot::play {

Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto quantile = [&](double q) {
    const double at = q * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return std::lerp(values[below], values[above], at - std::floor(at));
  };
  return {values.front(), quantile(0.25), quantile(0.5), quantile(0.75), values.back()};
}

}  // namespace unknot::play
