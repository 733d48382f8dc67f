// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace unknot::simulate {

/// When a task of a graph began and was done, in cycles.
struct TaskTimes {
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  std::uint64_t begun = kNever;
  std::uint64_t done = kNever;
};

}  // namespace unknot::simulate
