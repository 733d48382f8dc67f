// SPDX-License-Identifier: Apache-2.0
#include "unknot/oblivious/paths_to.hpp"

#include <algorithm>

namespace unknot {

void PathsTo::count(std::span<double> paths) const {
  std::fill(paths.begin(), paths.end(), 0.0);
  const std::span<const std::uint32_t> order = search_.order();
  paths[order.front()] = 1;
  for (const std::uint32_t r : order.subspan(1)) {
    double sum = 0;
    for_each_next(r, [&](std::uint32_t, std::uint32_t target) { sum += paths[target]; });
    paths[r] = sum;
  }
}

}  // namespace unknot
