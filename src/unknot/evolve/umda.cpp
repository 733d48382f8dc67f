// SPDX-License-Identifier: Apache-2.0
#include "unknot/evolve/umda.hpp"

#include <algorithm>

namespace unknot::evolve {

void Umda::learn(const Population& population, const GenerationContext& context) {
  parents_.select(population, context);
  varying_.resize(population.islands());
  differ_.resize(population.length());
  for (std::uint32_t island = 0; island < population.islands(); ++island) {
    const std::span<const std::uint32_t> rows = parents_.rows(island);
    const Value* const first = population.chromosome(rows[0]).data();
    Value* const differ = differ_.data();
    const std::size_t length = differ_.size();
    std::fill(differ, differ + length, Value{0});
    for (const std::uint32_t row : rows.subspan(1)) {
      const Value* const other = population.chromosome(row).data();
      for (std::size_t c = 0; c < length; ++c) differ[c] |= first[c] ^ other[c];
    }
    varying_[island].clear();
    for (std::uint32_t c = 0; c < differ_.size(); ++c) {
      if (differ_[c] != 0) varying_[island].push_back(c);
    }
  }
}

void Umda::breed(const Population& population, std::uint32_t island, std::span<Value> child,
                 Random& random) const {
  const std::span<const std::uint32_t> rows = parents_.rows(island);
  const auto count = static_cast<std::uint32_t>(rows.size());
  const std::span<const Value> first = population.chromosome(rows[0]);
  std::copy(first.begin(), first.end(), child.begin());
  const auto draw = [&](auto below) {
    for (const std::uint32_t c : varying_[island]) child[c] = population.chromosome(rows[below(count)])[c];
  };
  if (count <= 0x10000U) {
    draw([&](std::uint32_t bound) { return random.below16(bound); });
  } else {
    draw([&](std::uint32_t bound) { return random.below(bound); });
  }
}

}  // namespace unknot::evolve
