// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/statistics/warm_up.hpp"

#include <vector>

namespace unknot::simulate {
namespace {

constexpr std::size_t kBatch = 5;

}  // namespace

WarmUp mser5(std::span<const double> series) {
  const std::size_t n = series.size() / kBatch;
  WarmUp best;
  if (n < 2) return best;
  std::vector<double> batch(n, 0);
  for (std::size_t i = 0; i < n * kBatch; ++i) batch[i / kBatch] += series[i] / kBatch;

  // From the end: mean and sum of squared deviations of all batches from `d` on (Welford 1962).
  double mean = 0;
  double squares = 0;
  bool any = false;
  for (std::size_t d = n; d-- > 0;) {
    const auto count = static_cast<double>(n - d);
    const double step = batch[d] - mean;
    mean += step / count;
    squares += step * (batch[d] - mean);
    if (d > n / 2) continue;
    const double statistic = squares / (count * count);
    // Of equal ones the shortest warm-up.
    if (any && statistic > best.statistic) continue;
    any = true;
    best = {d * kBatch, d < n / 2, statistic};
  }
  return best;
}

std::string warm_up_definition() {
  return "The warm-up ends where the estimated standard error of the mean of what follows is smallest "
         "(MSER-5).";
}

}  // namespace unknot::simulate
