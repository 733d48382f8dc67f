// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "unknot/evolve/population.hpp"
#include "unknot/support/random.hpp"

namespace unknot::evolve {

/// Seed and number of a generation, and the threads it may use. Where processes share the islands, a breeder
/// sees those of its own process; random numbers depend on an island's number among all.
struct GenerationContext {
  std::uint64_t seed = 1;
  std::uint64_t generation = 0;
  std::uint32_t threads = 1;
  std::uint32_t first_island = 0;  ///< number of the population's island 0 among all
};

/// What makes an optimiser of the shared loop: how children are made of the members that are there.
class Breeder {
 public:
  Breeder() = default;
  Breeder(const Breeder&) = delete;
  Breeder& operator=(const Breeder&) = delete;
  virtual ~Breeder() = default;
  /// Before the children of a generation: learns from the ranked members of each island by itself. The same
  /// at any number of threads.
  virtual void learn(const Population& population, const GenerationContext& context) = 0;
  /// Writes one child of an island. Called by many threads at once.
  virtual void breed(const Population& population, std::uint32_t island, std::span<Value> child,
                     Random& random) const = 0;
};

}  // namespace unknot::evolve
