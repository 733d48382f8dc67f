// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "unknot/support/random.hpp"

namespace unknot::simulate::test {

/// Standard normal variables (Box and Muller).
class Normal {
 public:
  explicit Normal(std::uint64_t stream) : random_(20'060'815, stream) {}
  double next() {
    const double radius = std::sqrt(-2 * std::log(1 - random_.unit()));
    return radius * std::cos(2 * std::numbers::pi * random_.unit());
  }

 private:
  Random random_;
};

/// x' = mean + phi (x - mean) + noise, noise of variance 1, begun at `start`.
inline std::vector<double> autoregressive(std::size_t n, double mean, double phi, double start,
                                          std::uint64_t stream) {
  Normal normal(stream);
  std::vector<double> series(n);
  double x = start;
  for (double& value : series) value = x = mean + phi * (x - mean) + normal.next();
  return series;
}

/// The same begun in its steady state.
inline std::vector<double> stationary(std::size_t n, double mean, double phi, std::uint64_t stream) {
  Normal normal(stream ^ 0x5EED'0000'0000U);
  return autoregressive(n, mean, phi, mean + normal.next() / std::sqrt(1 - phi * phi), stream);
}

}  // namespace unknot::simulate::test
