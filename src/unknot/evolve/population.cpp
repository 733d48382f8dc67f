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

void Population::send_off(std::uint32_t migrants, std::span<Value> parcel) const {
  const std::span<const std::uint32_t> from = members(islands_ - 1);
  auto at = parcel.begin();
  for (std::uint32_t k = 0; k < migrants; ++k) {
    const std::span<const Value> genes = chromosome(from[k]);
    at = std::copy(genes.begin(), genes.end(), at);
    *at++ = static_cast<Value>(cost_[from[k]] & 0xFFFFU);
    *at++ = static_cast<Value>(cost_[from[k]] >> 16U);
  }
}

void Population::settle(std::span<const Value> genes, Cost cost, std::uint32_t row) {
  std::copy(genes.begin(), genes.end(), chromosome(row).begin());
  cost_[row] = cost;
}

void Population::migrate(std::uint32_t migrants, std::span<const Value> parcel) {
  // No island's best is a worst, so the order in which they are copied does not matter.
  for (std::uint32_t to = 1; to < islands_; ++to) {
    const std::span<const std::uint32_t> from = members(to - 1);
    for (std::uint32_t k = 0; k < migrants; ++k)
      settle(chromosome(from[k]), cost_[from[k]], members(to)[size_ - 1 - k]);
  }
  for (std::uint32_t k = 0; k < migrants; ++k) {
    const std::span<const Value> guest = parcel.subspan(k * parcel_length(1), parcel_length(1));
    settle(guest.first(length_), Cost{guest[length_]} | Cost{guest[length_ + 1]} << 16U,
           members(0)[size_ - 1 - k]);
  }
  for (std::uint32_t island = 0; island < islands_; ++island) rank(island);
}

}  // namespace unknot::evolve
