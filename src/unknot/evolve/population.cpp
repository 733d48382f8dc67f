// SPDX-License-Identifier: Apache-2.0
#include "unknot/evolve/population.hpp"

#include <algorithm>
#include <numeric>

namespace unknot::evolve {

Population::Population(std::uint32_t islands, std::uint32_t size, std::uint32_t children,
                       std::uint32_t length)
    : islands_(islands),
      size_(size),
      children_(children),
      length_(length),
      values_(islands * stride() * length),
      cost_(islands * stride(), 0),
      rows_(islands * stride()),
      order_(std::size_t{islands} * size),
      moved_(std::size_t{islands} * size) {
  std::iota(rows_.begin(), rows_.end(), 0U);
}

void Population::replace_worst(std::uint32_t island) {
  const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(island * stride());
  std::swap_ranges(first + (size_ - children_), first + size_, first + size_);
}

void Population::rank(std::uint32_t island) {
  std::uint32_t* rows = rows_.data() + island * stride();
  std::uint64_t* order = order_.data() + std::size_t{island} * size_;
  std::uint32_t* moved = moved_.data() + std::size_t{island} * size_;
  std::copy(rows, rows + size_, moved);
  for (std::uint32_t i = 0; i < size_; ++i) {
    // children stand at the end of the members: the later the position, the better among equals
    order[i] = std::uint64_t{cost_[rows[i]]} << 32U | (size_ - 1 - i);
  }
  std::sort(order, order + size_);
  for (std::uint32_t i = 0; i < size_; ++i) {
    rows[i] = moved[size_ - 1 - static_cast<std::uint32_t>(order[i])];
  }
}

void Population::migrate(std::uint32_t migrants) {
  for (std::uint32_t to = 0; to < islands_; ++to) {
    const std::span<const std::uint32_t> from = members((to + islands_ - 1) % islands_);
    const std::span<const std::uint32_t> here = members(to);
    for (std::uint32_t k = 0; k < migrants; ++k) {
      const std::uint32_t source = from[k];
      const std::uint32_t target = here[size_ - 1 - k];
      const std::span<const Value> genes = chromosome(source);
      std::copy(genes.begin(), genes.end(), chromosome(target).begin());
      cost_[target] = cost_[source];
    }
  }
  for (std::uint32_t island = 0; island < islands_; ++island) rank(island);
}

}  // namespace unknot::evolve
