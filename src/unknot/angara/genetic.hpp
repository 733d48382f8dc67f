// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "unknot/angara/system.hpp"

namespace unknot::angara {

struct GeneticOptions {
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;
  std::uint32_t population = 100;
  double mutation = 0.02;    ///< of each gene of a child
  std::uint32_t stall = 30;  ///< ends after this many generations without a better best
  /// One of the first tables is that of sssp(), and none with a greater maximum load is the result. Without
  /// it all of them are drawn at random, as in the paper.
  bool from_sssp = true;
};

struct GeneticResult {
  RouteTable table;
  std::uint32_t generations = 0;
};

/// The paper's genetic algorithm [section 4.2]: a gene is the route of one pair, among its shortest ones; the
/// fitness is sigma(4). Each generation makes as many children as there are parents, by two-point crossover
/// of parents drawn at random, and mutates them; the best of both are the next parents. Child c of generation
/// g draws from its own stream of random numbers: the same result at any number of threads. O(channels of the
/// routes that change) a child. Throws Interrupted.
GeneticResult genetic(const System& system, const RouteChoices& choices, const GeneticOptions& options,
                      Progress& progress);

}  // namespace unknot::angara
