// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/evolve/breeder.hpp"

namespace unknot::evolve {

enum class Selection {
  tournament,  ///< each parent is the better of two members drawn at random
  truncation,  ///< the best members, each once
};

/// The parents a probability model is learned from, component by component: the values of one component in
/// all parents of an island lie side by side, since models count and sample along them.
class Parents {
 public:
  /// `share` of the members are parents, at least one.
  Parents(Selection selection, double share) : selection_(selection), share_(share) {}

  /// Chooses the parents of every island and copies their values. O(islands x parents x components).
  void select(const Population& population, const GenerationContext& context);

  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::span<const Value> column(std::uint32_t island, std::uint32_t component) const {
    return {values_.data() + (std::size_t{island} * length_ + component) * count_, count_};
  }

 private:
  Selection selection_;
  double share_;
  std::uint32_t count_ = 0;
  std::uint32_t length_ = 0;
  std::vector<std::uint32_t> rows_;  // by island: rows of the population
  std::vector<Value> values_;
};

}  // namespace unknot::evolve
