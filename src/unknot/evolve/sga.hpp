// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/evolve/breeder.hpp"

namespace unknot::evolve {

struct SgaSettings {
  double crossover = 0.7;  ///< share of the children that have two parents; the others are copies of one
  std::uint32_t tournament = 2;  ///< members drawn for each parent, of which the best is taken
};

/// Standard genetic algorithm: tournament selection, one-point crossover at borders of genes. [Goldberg 1989;
/// Jaros 2010, section 7.1.1]
class Sga : public Breeder {
 public:
  Sga(const Layout& layout, const SgaSettings& settings) : layout_(&layout), settings_(settings) {}
  void learn(const Population& population, const GenerationContext& context) override;
  /// O(components).
  void breed(const Population& population, std::uint32_t island, std::span<Value> child,
             Random& random) const override;

 private:
  const Layout* layout_;
  SgaSettings settings_;
};

}  // namespace unknot::evolve
