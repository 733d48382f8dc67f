// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

namespace unknot {

/// Random orders of 0 .. size-1 that need no memory: element k is computed. A Feistel network on the pairs of
/// an a x b grid of at least `size` cells, its rounds being additions modulo a and b, walked along its cycles
/// until it is back among the first `size` cells (Black and Rogaway 2002: generalised Feistel and cycle
/// walking). At most size + sqrt(size) cells, so hardly ever a second step. Orders of different (seed,
/// stream) have nothing to do with each other. Up to 2^63 elements, the pairs of 2^32.
class RandomOrder {
 public:
  RandomOrder(std::uint64_t size, std::uint64_t seed)
      : size_(size), rows_(static_cast<std::uint64_t>(std::sqrt(static_cast<double>(size)))), seed_(seed) {
    while (rows_ * rows_ < size) ++rows_;
    if (rows_ > 0) columns_ = (size + rows_ - 1) / rows_;
  }

  /// Element k of the order of that stream; k < size. O(1) expected.
  [[nodiscard]] std::uint64_t at(std::uint64_t stream, std::uint64_t k) const {
    const std::uint64_t key = mixed(mixed(seed_) + stream);
    std::uint64_t cell = k;
    do {
      cell = stepped(key, cell);
    } while (cell >= size_);
    return cell;
  }

 private:
  static constexpr unsigned kRounds = 4;  // each of two halves

  /// Finalizer of splitmix64 (Steele, Lea, Flood 2014), a bijection.
  static std::uint64_t mixed(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31U);
  }
  /// A number below `bound` from a key, a round and the other half.
  static std::uint64_t drawn(std::uint64_t key, unsigned round, std::uint64_t other, std::uint64_t bound) {
    const std::uint64_t hash = mixed(key ^ (std::uint64_t{round} << 32U | other));
    return (hash >> 32U) * bound >> 32U;
  }
  [[nodiscard]] std::uint64_t stepped(std::uint64_t key, std::uint64_t cell) const {
    std::uint64_t row = cell / columns_;
    std::uint64_t column = cell % columns_;
    for (unsigned round = 0; round < kRounds; ++round) {
      row += drawn(key, 2 * round, column, rows_);
      if (row >= rows_) row -= rows_;
      column += drawn(key, 2 * round + 1, row, columns_);
      if (column >= columns_) column -= columns_;
    }
    return row * columns_ + column;
  }

  std::uint64_t size_;
  std::uint64_t rows_;
  std::uint64_t columns_ = 0;
  std::uint64_t seed_;
};

}  // namespace unknot
