// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace unknot {

/// Loads of an all-to-all that is split evenly over all shortest paths. Keeps its space for the next call.
class EvenLoadCounter {
 public:
  /// Norm of order 8 of the loads of the channels of the first copy, which stand for all, each router sending
  /// one to each other: near the largest, but smooth. Infinite where pairs are not joined. Dependencies as of
  /// Brandes 2001; O(base * routers * ports). `neighbours` as of lift_neighbours().
  double norm(std::uint32_t routers, std::uint32_t ports, std::uint32_t base,
              const std::vector<std::uint32_t>& neighbours);

 private:
  std::vector<std::uint32_t> order_, distance_;
  std::vector<double> paths_, share_, load_;
};

}  // namespace unknot
