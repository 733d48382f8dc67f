// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "unknot/routing/covers/path_sets.hpp"

namespace unknot {

/// Weights of paths are products along them, and of long paths there are more than a number can count. Only
/// routers as far from a destination are ever compared: what has the weight of all its paths is scaled by the
/// greatest of the level before, for each destination of a block.
class LevelScale {
 public:
  /// `levels` as PathSets counts them.
  explicit LevelScale(std::uint32_t levels) : by_(levels + 1) { by_[1].fill(1); }

  /// The weight of a router that is so many hops away from destination `d`, more than 0.
  float scaled(std::uint32_t hops, std::uint32_t d, float weight) {
    const float by_scale = weight * by_[hops][d];
    most_[d] = std::max(most_[d], by_scale);
    return std::max(kLeast, by_scale);
  }
  /// What weights are multiplied by.
  [[nodiscard]] float by(std::uint32_t hops, std::uint32_t d) const { return by_[hops][d]; }
  /// All routers of the level have their weight.
  void end(std::uint32_t hops) {
    for (std::uint32_t d = 0; d < most_.size(); ++d) by_[hops + 1][d] = 1 / std::max(kLeast, most_[d]);
    most_.fill(0);
  }

 private:
  static constexpr float kLeast = 1e-24F;
  using Each = std::array<float, PathSets::kWordBits>;
  std::vector<Each> by_;  // by hops
  Each most_{};
};

}  // namespace unknot
