// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/evolve/problem.hpp"

namespace unknot::evolve {

/// Evaluator of a cost that is kept up to date gene by gene. It holds the individual it saw last; the next
/// one costs only the genes in which the two differ, which are few once a population has converged. `Derived`
/// has
///
///     void clear();                                                    // no gene is held
///     void add(std::uint32_t gene, std::span<const Value> values);     // the gene now has these values
///     void remove(std::uint32_t gene, std::span<const Value> values);  // takes back that add()
///     Cost total() const;                                              // of the genes held, in any order of
///     adding
///
/// all inlined into the loop. For conflicts of a schedule: a counter for each channel and step. O(components)
/// comparisons and two updates for each gene that differs; all genes anew where more than half do.
template <class Derived>
class Incremental : public Evaluator {
 public:
  using Evaluator::Evaluator;

  [[nodiscard]] Cost cost(std::span<const Value> chromosome) final {
    hold(chromosome);
    return self().total();
  }

 protected:
  /// Makes `chromosome` the one that is held: mutation and repair may then look at the counters.
  void hold(std::span<const Value> chromosome) {
    const Layout& shape = this->layout();
    if (held_.size() == chromosome.size()) {
      changed_.clear();
      for (std::uint32_t gene = 0; gene < shape.genes(); ++gene) {
        const auto now = shape.gene(chromosome, gene);
        const auto then = shape.gene(std::span<const Value>(held_), gene);
        if (!std::equal(now.begin(), now.end(), then.begin())) changed_.push_back(gene);
      }
      if (2 * changed_.size() <= shape.genes()) {
        for (const std::uint32_t gene : changed_) {
          const auto now = shape.gene(chromosome, gene);
          const auto then = shape.gene(std::span<Value>(held_), gene);
          self().remove(gene, std::span<const Value>(then));
          self().add(gene, now);
          std::copy(now.begin(), now.end(), then.begin());
        }
        return;
      }
    } else {
      changed_.reserve(shape.genes());
    }
    self().clear();
    held_.assign(chromosome.begin(), chromosome.end());
    for (std::uint32_t gene = 0; gene < shape.genes(); ++gene) self().add(gene, shape.gene(chromosome, gene));
  }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
  std::vector<Value> held_;
  std::vector<std::uint32_t> changed_;
};

}  // namespace unknot::evolve
