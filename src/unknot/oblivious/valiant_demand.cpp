// SPDX-License-Identifier: Apache-2.0
#include "unknot/oblivious/valiant_demand.hpp"

#include <algorithm>
#include <cstddef>

namespace unknot {

ValiantDemand::ValiantDemand(const Network& network, const RouterDemand& demand)
    : demand_(&demand), intermediates_(network) {
  const std::uint32_t count = intermediates_.endpoints().count();
  const std::uint32_t parts = intermediates_.parts();
  // Weighted sums over the other end's part first, then over what an intermediate's part reaches.
  std::vector<double> to_part(count * std::size_t{parts}, 0);
  std::vector<double> from_part(count * std::size_t{parts}, 0);
  std::vector<double> rate(count);
  for (std::uint32_t d = 0; d < count; ++d) {
    demand.column(d, rate);
    for (std::uint32_t s = 0; s < count; ++s) {
      const double each = rate[s] * intermediates_.share(s, d);
      to_part[s * std::size_t{parts} + intermediates_.part(d)] += each;
      from_part[d * std::size_t{parts} + intermediates_.part(s)] += each;
    }
  }
  sent_.assign(to_part.size(), 0);
  received_.assign(to_part.size(), 0);
  for (std::uint32_t e = 0; e < count; ++e) {
    const std::size_t row = e * std::size_t{parts};
    for (std::uint32_t middle = 0; middle < parts; ++middle) {
      for (std::uint32_t end = 0; end < parts; ++end) {
        if (intermediates_.reaches(middle, end)) sent_[row + middle] += to_part[row + end];
        if (intermediates_.reaches(end, middle)) received_[row + middle] += from_part[row + end];
      }
    }
  }
}

void ValiantDemand::column(std::uint32_t destination, std::span<double> rate) const {
  demand_->column(destination, rate);
  const std::size_t parts = intermediates_.parts();
  const std::uint32_t to = intermediates_.part(destination);
  for (std::uint32_t s = 0; s < rate.size(); ++s) {
    const std::uint32_t from = intermediates_.part(s);
    if (s == destination || !intermediates_.reaches(from, to)) {
      rate[s] = 0;
      continue;
    }
    const double sum = sent_[s * parts + to] + received_[destination * parts + from];
    // Rounding must not leave a negative rate where a router has a single partner.
    rate[s] = std::max(0.0, sum - 2 * rate[s] * intermediates_.part_share(from, to));
  }
}

}  // namespace unknot
