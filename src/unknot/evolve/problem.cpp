// SPDX-License-Identifier: Apache-2.0
#include "unknot/evolve/problem.hpp"

#include <algorithm>
#include <stdexcept>

namespace unknot::evolve {

std::uint32_t Layout::add_gene(std::span<const std::uint32_t> cardinalities) {
  if (cardinalities.empty()) throw std::invalid_argument("a gene has at least one component");
  for (const std::uint32_t cardinality : cardinalities) {
    if (cardinality == 0 || cardinality > kMaxCardinality) {
      throw std::invalid_argument("the cardinality of a component is 1 to 65536");
    }
    max_cardinality_ = std::max(max_cardinality_, cardinality);
  }
  cardinality_.insert(cardinality_.end(), cardinalities.begin(), cardinalities.end());
  border_.push_back(length());
  return genes() - 1;
}

Layout Layout::uniform(std::uint32_t genes, std::initializer_list<std::uint32_t> cardinalities) {
  Layout layout;
  for (std::uint32_t gene = 0; gene < genes; ++gene) layout.add_gene(cardinalities);
  return layout;
}

void Evaluator::initial(std::span<Value> chromosome, Random& random) {
  for (std::uint32_t c = 0; c < chromosome.size(); ++c) {
    chromosome[c] = static_cast<Value>(random.below(layout_->cardinality(c)));
  }
}

void Evaluator::mutate(std::span<Value> chromosome, Random& random) {
  const std::uint32_t gene = random.below(layout_->genes());
  const std::uint32_t first = layout_->border(gene);
  const std::uint32_t at = first + random.below(layout_->border(gene + 1) - first);
  chromosome[at] = static_cast<Value>(random.below(layout_->cardinality(at)));
}

void Evaluator::repair(std::span<Value> /*chromosome*/, Random& /*random*/) {}

}  // namespace unknot::evolve
