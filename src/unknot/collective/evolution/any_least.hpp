// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/support/random.hpp"

namespace unknot {

/// Of what is offered one with the least cost; of equal ones any, each as likely. Draws where a cost is as
/// low as the least before it.
class AnyLeast {
 public:
  /// `otherwise`: the best where nothing is offered.
  AnyLeast(Random& random, std::uint32_t otherwise) : random_(&random), best_(otherwise) {}
  void offer(std::uint32_t one, std::uint32_t cost) {
    if (cost > least_) return;
    equal_ = cost < least_ ? 1 : equal_ + 1;
    if (equal_ == 1 || random_->below(equal_) == 0) best_ = one;
    least_ = cost;
  }
  [[nodiscard]] std::uint32_t best() const { return best_; }

 private:
  Random* random_;
  std::uint32_t best_;
  std::uint32_t least_ = 0xFFFFFFFFU, equal_ = 0;
};

}  // namespace unknot
