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

/// The parents a probability model is learned from: rows of the population, and where a model counts and
/// samples along one component, the values of that component in all parents of an island side by side.
class Parents {
 public:
  /// `share` of the members are parents, at least one.
  Parents(Selection selection, double share) : selection_(selection), share_(share) {}

  /// Chooses the parents of every island. O(islands x parents).
  void select(const Population& population, const GenerationContext& context);
  /// Copies their values into columns. O(islands x parents x components).
  void transpose(const Population& population, std::uint32_t threads);

  [[nodiscard]] std::uint32_t count() const { return count_; }
  /// Rows of the population; may name a member more than once.
  [[nodiscard]] std::span<const std::uint32_t> rows(std::uint32_t island) const {
    return {rows_.data() + std::size_t{island} * count_, count_};
  }
  /// After transpose().
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
