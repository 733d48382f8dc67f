// SPDX-License-Identifier: Apache-2.0
#include "unknot/evolve/umda.hpp"

namespace unknot::evolve {

void Umda::learn(const Population& population, const GenerationContext& context) {
  parents_.select(population, context);
}

void Umda::breed(const Population& /*population*/, std::uint32_t island, std::span<Value> child,
                 Random& random) const {
  const std::uint32_t count = parents_.count();
  for (std::uint32_t c = 0; c < child.size(); ++c) {
    child[c] = parents_.column(island, c)[random.below(count)];
  }
}

}  // namespace unknot::evolve
