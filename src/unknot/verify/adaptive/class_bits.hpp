// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace unknot {

/// One bit for each of 512 classes of destinations: a cache line.
struct ClassBits {
  static constexpr std::uint32_t kCount = 512;
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  std::array<std::uint64_t, kCount / 64> words{};

  void set(std::uint32_t bit) { words[bit / 64] |= std::uint64_t{1} << bit % 64; }
  [[nodiscard]] bool test(std::uint32_t bit) const { return (words[bit / 64] >> bit % 64 & 1U) != 0; }
  [[nodiscard]] bool any() const {
    std::uint64_t all = 0;
    for (const std::uint64_t word : words) all |= word;
    return all != 0;
  }
  /// kNone where none is set.
  [[nodiscard]] std::uint32_t first() const {
    for (std::uint32_t i = 0; i < words.size(); ++i) {
      if (words[i] != 0) return i * 64 + static_cast<std::uint32_t>(std::countr_zero(words[i]));
    }
    return kNone;
  }
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::uint32_t i = 0; i < words.size(); ++i) {
      for (std::uint64_t left = words[i]; left != 0; left &= left - 1)
        visit(i * 64 + static_cast<std::uint32_t>(std::countr_zero(left)));
    }
  }
  ClassBits& operator|=(const ClassBits& other) {
    for (std::uint32_t i = 0; i < words.size(); ++i) words[i] |= other.words[i];
    return *this;
  }
  ClassBits& operator&=(const ClassBits& other) {
    for (std::uint32_t i = 0; i < words.size(); ++i) words[i] &= other.words[i];
    return *this;
  }
  /// Without those of `other`.
  ClassBits& operator-=(const ClassBits& other) {
    for (std::uint32_t i = 0; i < words.size(); ++i) words[i] &= ~other.words[i];
    return *this;
  }
  friend ClassBits operator&(ClassBits a, const ClassBits& b) { return a &= b; }
  friend ClassBits operator-(ClassBits a, const ClassBits& b) { return a -= b; }
  bool operator==(const ClassBits&) const = default;
};

}  // namespace unknot
