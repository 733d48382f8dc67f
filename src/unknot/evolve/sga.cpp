// SPDX-License-Identifier: Apache-2.0
#include "unknot/evolve/sga.hpp"

#include <algorithm>

namespace unknot::evolve {
namespace {

std::uint32_t winner(std::span<const std::uint32_t> ranked, std::uint32_t drawn, Random& random) {
  auto best = static_cast<std::uint32_t>(ranked.size());
  for (std::uint32_t i = 0; i < drawn; ++i) {
    best = std::min(best, random.below(static_cast<std::uint32_t>(ranked.size())));
  }
  return ranked[best];
}

}  // namespace

void Sga::learn(const Population& /*population*/, const GenerationContext& /*context*/) {}

void Sga::breed(const Population& population, std::uint32_t island, std::span<Value> child,
                Random& random) const {
  const std::span<const std::uint32_t> ranked = population.members(island);
  const std::span<const Value> first = population.chromosome(winner(ranked, settings_.tournament, random));
  std::copy(first.begin(), first.end(), child.begin());
  const std::uint32_t genes = layout_->genes();
  if (genes < 2 || random.unit() >= settings_.crossover) return;
  const std::span<const Value> second = population.chromosome(winner(ranked, settings_.tournament, random));
  const std::uint32_t cut = layout_->border(1 + random.below(genes - 1));
  std::copy(second.begin() + cut, second.end(), child.begin() + cut);
}

}  // namespace unknot::evolve
