// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/topology/designs/linear_space.hpp"

namespace unknot {

/// Collects blocks; any two points must come to share exactly one.
class SpaceBuilder {
 public:
  explicit SpaceBuilder(std::uint32_t points) : points_(points), of_(points) {}

  template <class Block>
  void add(const Block& block) {
    for (const std::uint32_t point : block) of_[point].push_back(blocks_);
    ++blocks_;
  }
  [[nodiscard]] LinearSpace build(std::uint32_t block_size) const {
    const auto degree = static_cast<std::uint32_t>(of_[0].size());
    LinearSpace space{points_, blocks_, degree, block_size, {}};
    space.block_of.reserve(std::size_t{points_} * degree);
    for (const auto& blocks : of_) space.block_of.insert(space.block_of.end(), blocks.begin(), blocks.end());
    return space;
  }

 private:
  std::uint32_t points_;
  std::uint32_t blocks_ = 0;
  std::vector<std::vector<std::uint32_t>> of_;
};

}  // namespace unknot
