// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/evolve/problem.hpp"

namespace unknot::evolve {

struct Outcome {
  std::vector<Value> best;
  Cost cost = 0;
  bool reached = false;           ///< cost <= target
  bool stopped = false;           ///< by the watch
  std::uint64_t generations = 0;  ///< made; the first population is none
  std::uint64_t evaluations = 0;
};

}  // namespace unknot::evolve
