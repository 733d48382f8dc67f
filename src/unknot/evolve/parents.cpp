// SPDX-License-Identifier: Apache-2.0
#include "unknot/evolve/parents.hpp"

#include <algorithm>
#include <cmath>

#include "unknot/evolve/streams.hpp"
#include "unknot/evolve/workers.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot::evolve {

void Parents::select(const Population& population, const GenerationContext& context) {
  const std::uint32_t size = population.size();
  count_ = std::clamp(static_cast<std::uint32_t>(std::lround(share_ * size)), 1U, size);
  rows_.resize(std::size_t{population.islands()} * count_);
  for (std::uint32_t island = 0; island < population.islands(); ++island) {
    Random random(context.seed,
                  stream(Purpose::selection, context.first_island + island, context.generation, 0));
    const std::span<const std::uint32_t> ranked = population.members(island);
    for (std::uint32_t p = 0; p < count_; ++p) {
      std::uint32_t rank = p;
      if (selection_ == Selection::tournament) rank = std::min(random.below(size), random.below(size));
      rows_[std::size_t{island} * count_ + p] = ranked[rank];
    }
  }
}

void Parents::transpose(const Population& population, std::uint32_t threads) {
  length_ = population.length();
  values_.resize(rows_.size() * length_);
  // A block of components at a time: the columns written then stay in the cache.
  constexpr std::uint32_t kBlock = 64;
  const std::uint32_t blocks = (length_ + kBlock - 1) / kBlock;
  parallel_blocks(population.islands() * blocks, 1, workers_for(values_.size(), threads),
                  [&](std::uint32_t /*worker*/, std::uint32_t item, std::uint32_t /*end*/) {
                    const std::uint32_t island = item / blocks;
                    const std::uint32_t first = item % blocks * kBlock;
                    const std::uint32_t last = std::min(first + kBlock, length_);
                    const std::uint32_t* rows = rows_.data() + std::size_t{island} * count_;
                    Value* columns = values_.data() + std::size_t{island} * length_ * count_;
                    for (std::uint32_t p = 0; p < count_; ++p) {
                      const std::span<const Value> parent = population.chromosome(rows[p]);
                      for (std::uint32_t c = first; c < last; ++c) {
                        columns[std::size_t{c} * count_ + p] = parent[c];
                      }
                    }
                  });
}

}  // namespace unknot::evolve
