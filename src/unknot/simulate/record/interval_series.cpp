// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/record/interval_series.hpp"

#include <algorithm>

namespace unknot::simulate {

std::uint64_t IntervalSeries::extend(std::uint64_t time) {
  while (time / width_ >= kMost) {
    width_ *= 2;
    const std::size_t pairs = (sum_.size() + 1) / 2;
    for (std::size_t i = 0; i < pairs; ++i) {
      const bool both = 2 * i + 1 < sum_.size();
      sum_[i] = sum_[2 * i] + (both ? sum_[2 * i + 1] : 0);
      count_[i] = count_[2 * i] + (both ? count_[2 * i + 1] : 0);
    }
    sum_.resize(pairs);
    count_.resize(pairs);
  }
  const std::uint64_t interval = time / width_;
  if (interval >= sum_.size()) {
    sum_.resize(interval + 1, 0);
    count_.resize(interval + 1, 0);
  }
  return interval;
}

void IntervalSeries::take(IntervalSeries& part) {
  // From the last one on: after that all others have their place.
  for (std::size_t i = part.sum_.size(); i-- > 0;) {
    if (part.count_[i] != 0) add(i * part.width_, part.sum_[i], part.count_[i]);
  }
  part.sum_.clear();
  part.count_.clear();
}

std::vector<double> IntervalSeries::means() const {
  std::vector<double> means(sum_.size(), 0);
  double last = 0;
  bool any = false;
  for (std::size_t i = 0; i < sum_.size(); ++i) {
    if (count_[i] != 0) {
      last = sum_[i] / count_[i];
      if (!any) std::fill(means.begin(), means.begin() + static_cast<std::ptrdiff_t>(i), last);
      any = true;
    }
    means[i] = last;
  }
  return means;
}

}  // namespace unknot::simulate
