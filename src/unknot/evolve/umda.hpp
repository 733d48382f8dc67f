// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/evolve/parents.hpp"

namespace unknot::evolve {

/// Univariate marginal distribution algorithm: each component of a child is drawn from the distribution of
/// that component among the parents, whatever the others are. [Muehlenbein, Paass 1996; Jaros 2010,
/// section 7.1.3]
///
/// The value of a parent drawn at random has just that distribution, for any cardinality, without counting.
/// Components in which all parents agree are copied: in a population that has converged they are nearly all.
class Umda : public Breeder {
 public:
  Umda(Selection selection, double parents) : parents_(selection, parents) {}
  /// O(islands x parents x components).
  void learn(const Population& population, const GenerationContext& context) override;
  /// O(components).
  void breed(const Population& population, std::uint32_t island, std::span<Value> child,
             Random& random) const override;

 private:
  Parents parents_;
  std::vector<std::vector<std::uint32_t>> varying_;  // by island: components in which parents differ
  std::vector<const Value*> values_;                 // by island and parent: its first one
  std::vector<Value> differ_;                        // scratch: by component, not 0 where they do
};

}  // namespace unknot::evolve
