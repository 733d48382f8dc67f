// SPDX-License-Identifier: Apache-2.0
#include "unknot/design/search/even_load.hpp"

#include <cmath>
#include <limits>

namespace unknot {

double EvenLoadCounter::norm(std::uint32_t routers, std::uint32_t ports, std::uint32_t base,
                             const std::vector<std::uint32_t>& neighbours) {
  load_.assign(std::size_t{base} * ports, 0);
  for (std::uint32_t source = 0; source < base; ++source) {
    order_.assign(1, source);
    order_.reserve(routers);
    distance_.assign(routers, UINT32_MAX);
    paths_.assign(routers, 0);
    share_.assign(routers, 0);
    distance_[source] = 0;
    paths_[source] = 1;
    for (std::size_t at = 0; at < order_.size(); ++at) {
      const std::uint32_t r = order_[at];
      for (std::uint32_t i = 0; i < ports; ++i) {
        const std::uint32_t to = neighbours[std::size_t{r} * ports + i];
        if (distance_[to] == UINT32_MAX) {
          distance_[to] = distance_[r] + 1;
          order_.push_back(to);
        }
        if (distance_[to] == distance_[r] + 1) paths_[to] += paths_[r];
      }
    }
    if (order_.size() < routers) return std::numeric_limits<double>::infinity();
    for (std::size_t at = order_.size(); at-- > 0;) {
      const std::uint32_t r = order_[at];
      for (std::uint32_t i = 0; i < ports; ++i) {
        const std::uint32_t to = neighbours[std::size_t{r} * ports + i];
        if (distance_[to] != distance_[r] + 1) continue;
        const double part = paths_[r] / paths_[to] * (1 + share_[to]);
        share_[r] += part;
        load_[std::size_t{r % base} * ports + i] += part;
      }
    }
  }
  double sum = 0;
  for (const double load : load_) {
    const double square = load * load;
    sum += square * square * square * square;
  }
  return std::pow(sum / static_cast<double>(load_.size()), 0.125);
}

}  // namespace unknot
