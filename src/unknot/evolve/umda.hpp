// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/evolve/parents.hpp"

namespace unknot::evolve {

/// Univariate marginal distribution algorithm: each component of a child is drawn from the distribution of
/// that component among the parents, whatever the others are. [Muehlenbein, Paass 1996; Jaros 2010,
/// section 7.1.3]
///
/// The histogram of a component is the column of its values in the parents: the value of a parent drawn at
/// random has just that distribution, for any cardinality, without counting.
class Umda : public Breeder {
 public:
  Umda(Selection selection, double parents) : parents_(selection, parents) {}
  void learn(const Population& population, const GenerationContext& context) override;
  /// O(components).
  void breed(const Population& population, std::uint32_t island, std::span<Value> child,
             Random& random) const override;

 private:
  Parents parents_;
};

}  // namespace unknot::evolve
