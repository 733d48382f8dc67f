// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace unknot::simulate {

/// The cycles at which terminals wake up, at most one for each: a hashed timing wheel [Varghese and Lauck
/// 1987]. add() is O(1), each turn of the wheel costs O(1) for a terminal that sleeps on.
class TerminalQueue {
 public:
  explicit TerminalQueue(std::uint32_t terminals)
      : first_(kSlots, kNone), next_(terminals, kNone), at_(terminals, 0) {}

  void add(std::uint32_t terminal, std::uint64_t cycle) {
    const auto slot = static_cast<std::uint32_t>(cycle) & (kSlots - 1);
    at_[terminal] = cycle;
    next_[terminal] = first_[slot];
    first_[slot] = terminal;
    full_[slot >> 6] |= std::uint64_t{1} << (slot & 63U);
    ++size_;
  }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// A cycle at or after this one, not later than the first at which a terminal wakes up; not for an empty
  /// queue.
  [[nodiscard]] std::uint64_t next(std::uint64_t cycle) const {
    const auto from = static_cast<std::uint32_t>(cycle) & (kSlots - 1);
    for (std::uint32_t i = 0; i <= kSlots / 64; ++i) {
      const std::uint32_t w = ((from >> 6) + i) % (kSlots / 64);
      std::uint64_t word = full_[w];
      if (i == 0) word &= ~std::uint64_t{0} << (from & 63U);
      if (word != 0) {
        const std::uint32_t slot = w * 64 + static_cast<std::uint32_t>(std::countr_zero(word));
        return cycle + ((slot - from) & (kSlots - 1));
      }
    }
    return cycle;
  }
  /// Calls visit(terminal) for those that wake up in this cycle. `visit` may add terminals.
  template <class Visit>
  void drain(std::uint64_t cycle, Visit visit) {
    const auto slot = static_cast<std::uint32_t>(cycle) & (kSlots - 1);
    std::uint32_t t = first_[slot];
    if (t == kNone) return;
    first_[slot] = kNone;
    full_[slot >> 6] &= ~(std::uint64_t{1} << (slot & 63U));
    while (t != kNone) {
      const std::uint32_t after = next_[t];
      --size_;
      if (at_[t] <= cycle) {
        visit(t);
      } else {
        add(t, at_[t]);
      }
      t = after;
    }
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  static constexpr std::uint32_t kSlots = 4096;
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> next_;  // by terminal
  std::vector<std::uint64_t> at_;    // by terminal
  std::uint64_t full_[kSlots / 64] = {};
  std::uint32_t size_ = 0;
};

}  // namespace unknot::simulate
