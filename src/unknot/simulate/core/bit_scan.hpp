// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace unknot::simulate {

/// The lowest bit of a mask that is not zero.
inline std::uint32_t lowest_bit(std::uint64_t mask) {
  return static_cast<std::uint32_t>(__builtin_ctzll(mask));
}
/// All bits where `wanted` holds, else none: to choose without a jump.
inline std::uint64_t all_if(bool wanted) {
  return std::uint64_t{0} - std::uint64_t{wanted};
}

/// A rotating-priority arbiter over the bits of a mask: the first one set at or after `from`, around. The
/// mask must not be zero; from < 64. [McKeown, iSLIP, 1999]
inline std::uint32_t first_from(std::uint64_t mask, std::uint32_t from) {
  const std::uint64_t turned = std::rotr(mask, static_cast<int>(from));
  return (lowest_bit(turned) + from) & 63U;
}

/// Masks of a number of words that is known when this is compiled, or (kWords == 0) when it runs. `words`
/// must be that number.
template <std::uint32_t kWords>
struct Mask {
  static void set(std::uint64_t* mask, std::uint32_t i) { word(mask, i) |= std::uint64_t{1} << (i & 63U); }
  static void clear(std::uint64_t* mask, std::uint32_t i) {
    word(mask, i) &= ~(std::uint64_t{1} << (i & 63U));
  }
  /// Where `wanted` holds; without a jump, which would often be guessed wrong.
  static void set_if(bool wanted, std::uint64_t* mask, std::uint32_t i) {
    word(mask, i) |= std::uint64_t{wanted} << (i & 63U);
  }
  static void clear_if(bool wanted, std::uint64_t* mask, std::uint32_t i) {
    word(mask, i) &= ~(std::uint64_t{wanted} << (i & 63U));
  }
  /// All that `others` has as well.
  static void add(std::uint64_t* mask, const std::uint64_t* others, std::uint32_t words) {
    for (std::uint32_t w = 0; w < count(words); ++w) mask[w] |= others[w];
  }
  static void remove(std::uint64_t* mask, const std::uint64_t* others, std::uint32_t words) {
    for (std::uint32_t w = 0; w < count(words); ++w) mask[w] &= ~others[w];
  }
  static bool test(const std::uint64_t* mask, std::uint32_t i) {
    return (mask[kWords == 1 ? 0 : i >> 6] >> (i & 63U) & 1U) != 0;
  }
  /// Calls visit(i) for each one set.
  template <class Visit>
  static void for_each(const std::uint64_t* mask, std::uint32_t words, Visit visit) {
    for (std::uint32_t w = 0; w < count(words); ++w) {
      for (std::uint64_t rest = mask[w]; rest != 0; rest &= rest - 1) visit(w * 64 + lowest_bit(rest));
    }
  }
  /// The first one set at or after `from`, around, over words * 64 bits.
  static std::uint32_t first_from(const std::uint64_t* mask, std::uint32_t words, std::uint32_t from) {
    if constexpr (kWords == 1) return simulate::first_from(mask[0], from);
    const std::uint32_t start = from >> 6;
    const std::uint64_t high = mask[start] & (~std::uint64_t{0} << (from & 63U));
    if (high != 0) return (start << 6) + static_cast<std::uint32_t>(std::countr_zero(high));
    std::uint32_t w = start;
    do {
      w = w + 1 < count(words) ? w + 1 : 0;
    } while (mask[w] == 0);
    return (w << 6) + static_cast<std::uint32_t>(std::countr_zero(mask[w]));
  }
  static bool any(const std::uint64_t* mask, std::uint32_t words) {
    if constexpr (kWords == 1) return mask[0] != 0;
    std::uint64_t all = 0;
    for (std::uint32_t w = 0; w < count(words); ++w) all |= mask[w];
    return all != 0;
  }
  /// Exactly one bit is set.
  static bool one(const std::uint64_t* mask, std::uint32_t words) {
    if constexpr (kWords == 1) return (mask[0] & (mask[0] - 1)) == 0 && mask[0] != 0;
    std::uint32_t found = 0;
    for (std::uint32_t w = 0; w < count(words); ++w) {
      if (mask[w] != 0) found += (mask[w] & (mask[w] - 1)) == 0 ? 1 : 2;
    }
    return found == 1;
  }

 private:
  static constexpr std::uint32_t count(std::uint32_t words) { return kWords == 0 ? words : kWords; }
  static std::uint64_t& word(std::uint64_t* mask, std::uint32_t i) { return mask[kWords == 1 ? 0 : i >> 6]; }
};

/// A set of small numbers that is walked often: one bit each.
class BitSet {
 public:
  void resize(std::uint32_t size) { words_.assign((std::size_t{size} + 63) / 64, 0); }
  /// Membership is kept, or changed where `change` holds; without a jump, which would often be guessed wrong.
  void set_if(bool change, std::uint32_t i) { Mask<0>::set_if(change, words_.data(), i); }
  void clear_if(bool change, std::uint32_t i) { Mask<0>::clear_if(change, words_.data(), i); }
  [[nodiscard]] bool any_in(std::uint32_t first, std::uint32_t last) const {
    std::uint64_t all = 0;
    for_words(first, last, [&](std::size_t w, std::uint64_t part) { all |= words_[w] & part; });
    return all != 0;
  }
  void clear_in(std::uint32_t first, std::uint32_t last) {
    for_words(first, last, [&](std::size_t w, std::uint64_t part) { words_[w] &= ~part; });
  }
  [[nodiscard]] bool test(std::uint32_t i) const { return Mask<0>::test(words_.data(), i); }
  void set(std::uint32_t i) { Mask<0>::set(words_.data(), i); }
  void clear(std::uint32_t i) { Mask<0>::clear(words_.data(), i); }
  [[nodiscard]] bool empty() const {
    for (const std::uint64_t word : words_) {
      if (word != 0) return false;
    }
    return true;
  }
  /// Calls visit(i) for each member, in order. `visit` may clear and set members; those set in the word that
  /// is being walked are seen the next time.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w) visit_word(w, words_[w], visit);
  }

  /// The same for members in [first, last), first < last.
  template <class Visit>
  void for_each_in(std::uint32_t first, std::uint32_t last, Visit visit) const {
    for_words(first, last,
              [&](std::size_t w, std::uint64_t part) { visit_word(w, words_[w] & part, visit); });
  }

 private:
  template <class Visit>
  static void visit_word(std::size_t w, std::uint64_t word, Visit& visit) {
    for (; word != 0; word &= word - 1) {
      visit(static_cast<std::uint32_t>(w * 64) + lowest_bit(word));
    }
  }
  /// Calls visit(word, bits of it) for the words that [first, last) lies in.
  template <class Visit>
  static void for_words(std::uint32_t first, std::uint32_t last, Visit visit) {
    const std::size_t final_word = (last - 1) >> 6;
    std::uint64_t part = ~std::uint64_t{0} << (first & 63U);
    for (std::size_t w = first >> 6; w <= final_word; ++w) {
      if (w == final_word) part &= ~std::uint64_t{0} >> (63U - ((last - 1) & 63U));
      visit(w, part);
      part = ~std::uint64_t{0};
    }
  }

  std::vector<std::uint64_t> words_;
};

/// A list that is filled and emptied in every step; room for all is made beforehand.
class StepList {
 public:
  void reserve(std::size_t most) { items_.resize(most + 1); }
  void add(std::uint32_t item) { items_[size_++] = item; }
  void add_if(bool wanted, std::uint32_t item) {
    items_[size_] = item;
    size_ += wanted ? 1 : 0;
  }
  void clear() { size_ = 0; }
  [[nodiscard]] const std::uint32_t* begin() const { return items_.data(); }
  [[nodiscard]] const std::uint32_t* end() const { return items_.data() + size_; }

 private:
  std::vector<std::uint32_t> items_;
  std::size_t size_ = 0;
};

}  // namespace unknot::simulate
