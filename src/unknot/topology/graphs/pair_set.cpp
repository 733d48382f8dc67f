// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/graphs/pair_set.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace unknot {
namespace {

constexpr std::uint64_t kEmpty = std::numeric_limits<std::uint64_t>::max();

std::uint64_t key_of(std::uint32_t a, std::uint32_t b) {
  return std::uint64_t{std::min(a, b)} << 32U | std::max(a, b);
}

}  // namespace

PairSet::PairSet(std::size_t pairs)
    : slots_(std::bit_ceil(pairs + pairs / 3 + 2), kEmpty), mask_(slots_.size() - 1) {}

std::size_t PairSet::home(std::uint64_t key) const {
  key ^= key >> 32U;
  key *= 0x9E3779B97F4A7C15ULL;  // golden ratio: spreads consecutive routers over the table
  return static_cast<std::size_t>(key ^ key >> 29U) & mask_;
}

std::size_t PairSet::find(std::uint64_t key) const {
  std::size_t at = home(key);
  while (slots_[at] != kEmpty && slots_[at] != key) at = (at + 1) & mask_;
  return at;
}

bool PairSet::contains(std::uint32_t a, std::uint32_t b) const {
  return slots_[find(key_of(a, b))] != kEmpty;
}

void PairSet::insert(std::uint32_t a, std::uint32_t b) {
  const std::uint64_t key = key_of(a, b);
  slots_[find(key)] = key;
}

void PairSet::erase(std::uint32_t a, std::uint32_t b) {
  std::size_t hole = find(key_of(a, b));
  // Knuth's algorithm R: move back what a search could no longer reach across the hole.
  for (std::size_t at = (hole + 1) & mask_; slots_[at] != kEmpty; at = (at + 1) & mask_) {
    if (((at - home(slots_[at])) & mask_) >= ((at - hole) & mask_)) {
      slots_[hole] = slots_[at];
      hole = at;
    }
  }
  slots_[hole] = kEmpty;
}

}  // namespace unknot
