// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace unknot::simulate {

/// A rotating-priority arbiter over a bit mask: the first bit set at or after `from`, around. `mask` must not
/// be all zero; from < 64 * words. [McKeown, iSLIP, 1999]
inline std::uint32_t first_from(const std::uint64_t* mask, std::uint32_t words, std::uint32_t from) {
  const std::uint32_t start = from >> 6;
  const std::uint64_t high = mask[start] & (~std::uint64_t{0} << (from & 63U));
  if (high != 0) return (start << 6) + static_cast<std::uint32_t>(std::countr_zero(high));
  for (std::uint32_t i = 1; i <= words; ++i) {
    const std::uint32_t w = start + i < words ? start + i : start + i - words;
    if (mask[w] != 0) return (w << 6) + static_cast<std::uint32_t>(std::countr_zero(mask[w]));
  }
  return 0;
}
/// The same in one word.
inline std::uint32_t first_from(std::uint64_t mask, std::uint32_t from) {
  const std::uint64_t high = mask & (~std::uint64_t{0} << from);
  return static_cast<std::uint32_t>(std::countr_zero(high != 0 ? high : mask));
}

/// A set of small numbers that is walked often: one bit each.
class BitSet {
 public:
  void resize(std::uint32_t size) { words_.assign((std::size_t{size} + 63) / 64, 0); }
  void set(std::uint32_t i) { words_[i >> 6] |= std::uint64_t{1} << (i & 63U); }
  void clear(std::uint32_t i) { words_[i >> 6] &= ~(std::uint64_t{1} << (i & 63U)); }
  [[nodiscard]] bool test(std::uint32_t i) const { return (words_[i >> 6] >> (i & 63U) & 1U) != 0; }
  [[nodiscard]] bool empty() const {
    for (const std::uint64_t word : words_) {
      if (word != 0) return false;
    }
    return true;
  }
  /// Calls visit(i) for each member, in order. `visit` may clear the one it is called for, and set any that
  /// come in later words or the same word: they are seen the next time.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1) {
        visit(static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(word)));
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace unknot::simulate
