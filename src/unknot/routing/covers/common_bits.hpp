// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace unknot {

/// A set of bits, kept as those of its cache lines that are not empty.
class BitLines {
 public:
  static constexpr std::uint32_t kWords = 8;  ///< of a line

  /// Of so many words, a multiple of kWords.
  void take(const std::uint64_t* words, std::uint32_t count);
  /// Number of its lines that are kept.
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(at_.size()); }
  /// Where the i-th of them was: its first word.
  [[nodiscard]] std::uint32_t at(std::uint32_t i) const { return at_[i]; }
  [[nodiscard]] const std::uint64_t* line(std::uint32_t i) const { return words_.data() + i * kWords; }

 private:
  std::vector<std::uint32_t> at_;
  std::vector<std::uint64_t> words_;
};

/// counts[i]: how many bits the set has in common with rows[i], which has as many words as were taken. By
/// AVX-512 where the machine has it; the result is the same.
void count_common_bits(const BitLines& set, std::span<const std::uint64_t* const> rows,
                       std::uint32_t* counts);
/// The portable form, for tests.
void count_common_bits_portable(const BitLines& set, std::span<const std::uint64_t* const> rows,
                                std::uint32_t* counts);

}  // namespace unknot
