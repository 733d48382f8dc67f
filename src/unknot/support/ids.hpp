// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <compare>
#include <cstdint>
#include <iterator>

namespace unknot {

/// A 32-bit index of one kind of thing. Kinds do not mix: a RouterId is no ChannelId.
template <class Tag>
struct Id {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  std::uint32_t value = kNone;

  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t index) : value(index) {}
  [[nodiscard]] constexpr bool valid() const { return value != kNone; }
  constexpr auto operator<=>(const Id&) const = default;  // NOLINT(modernize-use-nullptr): a false positive
};

using RouterId = Id<struct RouterTag>;      ///< A router (InfiniBand: switch), 0 .. router_count-1.
using TerminalId = Id<struct TerminalTag>;  ///< An endpoint (InfiniBand: one port of a channel adapter).
using ChannelId = Id<struct ChannelTag>;    ///< A directed channel from one router to another.

/// Half-open range of consecutive ids, usable in range-for.
template <class IdType>
class IdRange {
 public:
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = IdType;
    using difference_type = std::ptrdiff_t;
    using pointer = const IdType*;
    using reference = IdType;
    Iterator() = default;
    explicit Iterator(std::uint32_t at) : at_(at) {}
    IdType operator*() const { return IdType(at_); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) {
      Iterator old = *this;
      ++at_;
      return old;
    }
    bool operator==(const Iterator&) const = default;

   private:
    std::uint32_t at_ = 0;
  };

  constexpr IdRange() = default;
  constexpr IdRange(std::uint32_t first, std::uint32_t last) : first_(first), last_(last) {}
  [[nodiscard]] Iterator begin() const { return Iterator(first_); }
  [[nodiscard]] Iterator end() const { return Iterator(last_); }
  [[nodiscard]] constexpr std::uint32_t size() const { return last_ - first_; }
  [[nodiscard]] constexpr bool empty() const { return first_ == last_; }
  /// Index of the first id, and one past the last: for loops over plain integers in hot code.
  [[nodiscard]] constexpr std::uint32_t first() const { return first_; }
  [[nodiscard]] constexpr std::uint32_t last() const { return last_; }
  [[nodiscard]] constexpr IdType operator[](std::uint32_t offset) const {
    assert(offset < size());
    return IdType(first_ + offset);
  }
  [[nodiscard]] constexpr bool contains(IdType id) const { return id.value >= first_ && id.value < last_; }

 private:
  std::uint32_t first_ = 0;
  std::uint32_t last_ = 0;
};

}  // namespace unknot
