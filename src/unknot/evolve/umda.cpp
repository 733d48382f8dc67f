// SPDX-License-Identifier: Apache-2.0
#include "unknot/evolve/umda.hpp"

#include <algorithm>
#include <array>

namespace unknot::evolve {

void Umda::learn(const Population& population, const GenerationContext& context) {
  parents_.select(population, context);
  varying_.resize(population.islands());
  differ_.resize(population.length());
  values_.clear();
  for (std::uint32_t island = 0; island < population.islands(); ++island) {
    const std::span<const std::uint32_t> rows = parents_.rows(island);
    for (const std::uint32_t row : rows) values_.push_back(population.chromosome(row).data());
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
  const std::uint32_t count = parents_.count();
  const Value* const* const parents = values_.data() + std::size_t{island} * count;
  std::copy_n(parents[0], population.length(), child.begin());
  const std::vector<std::uint32_t>& varying = varying_[island];
  if (count > 0x10000U) {
    for (const std::uint32_t c : varying) child[c] = parents[random.below(count)][c];
    return;
  }
  // Drawn before they are looked up: the values come from all over the memory, many at once then.
  std::array<std::uint16_t, 1024> drawn;
  for (std::size_t begin = 0; begin < varying.size(); begin += drawn.size()) {
    const std::size_t now = std::min(drawn.size(), varying.size() - begin);
    random.fill_below16(count, std::span(drawn).first(now));
    for (std::size_t i = 0; i < now; ++i) {
      const std::uint32_t c = varying[begin + i];
      child[c] = parents[drawn[i]][c];
    }
  }
}

}  // namespace unknot::evolve
