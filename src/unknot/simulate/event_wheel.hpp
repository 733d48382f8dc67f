// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace unknot::simulate {

/// What is to happen in the steps to come: a circle of lists, one for each step, of 32-bit items of a few
/// kinds. Lists are chains of small chunks from one pool that hands out the latest freed first, so the wheel
/// stays in cache however long it is. Order within a step is of no meaning.
class EventWheel {
 public:
  static constexpr std::uint32_t kKinds = 6;

  /// For delays of 1 .. longest steps.
  explicit EventWheel(std::uint32_t longest)
      : mask_(std::bit_ceil(longest + 1U) - 1),
        slots_(std::size_t{mask_} + 1),
        full_((slots_.size() + 63) / 64) {
    for (Slot& slot : slots_) slot.chunk.fill(kNone);
  }

  void add(std::uint32_t kind, std::uint64_t step, std::uint32_t item) {
    const auto at = static_cast<std::uint32_t>(step) & mask_;
    Slot& slot = slots_[at];
    std::uint32_t c = slot.chunk[kind];
    if (c == kNone || chunks_[c].count == kItems) {
      c = take_chunk(c);
      slot.chunk[kind] = c;
      full_[at >> 6] |= std::uint64_t{1} << (at & 63U);
    }
    Chunk& chunk = chunks_[c];
    chunk.items[chunk.count++] = item;
    ++size_;
  }

  /// Calls visit(item) for all of one kind in this step, and forgets them. `visit` may add events of later
  /// steps.
  template <class Visit>
  void drain(std::uint32_t kind, std::uint64_t step, Visit visit) {
    const auto at = static_cast<std::uint32_t>(step) & mask_;
    std::uint32_t c = slots_[at].chunk[kind];
    slots_[at].chunk[kind] = kNone;
    while (c != kNone) {
      const std::uint32_t count = chunks_[c].count;
      for (std::uint32_t i = 0; i < count; ++i) visit(chunks_[c].items[i]);
      size_ -= count;
      const std::uint32_t next = chunks_[c].next;
      chunks_[c].next = spare_;
      spare_ = c;
      c = next;
    }
  }
  /// After all kinds of the step have been drained.
  void pass(std::uint64_t step) {
    const auto at = static_cast<std::uint32_t>(step) & mask_;
    full_[at >> 6] &= ~(std::uint64_t{1} << (at & 63U));
  }

  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// Events to come, of all kinds.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// First step at or after `step` that has events; there must be some.
  [[nodiscard]] std::uint64_t next(std::uint64_t step) const {
    const auto from = static_cast<std::uint32_t>(step) & mask_;
    const std::uint64_t high = full_[from >> 6] & (~std::uint64_t{0} << (from & 63U));
    if (high != 0)
      return step + (((from & ~63U) + static_cast<std::uint32_t>(std::countr_zero(high))) - from);
    const auto words = static_cast<std::uint32_t>(full_.size());
    for (std::uint32_t i = 1; i <= words; ++i) {
      const std::uint32_t w = ((from >> 6) + i) % words;
      if (full_[w] != 0) {
        const std::uint32_t at = w * 64 + static_cast<std::uint32_t>(std::countr_zero(full_[w]));
        return step + ((at - from) & mask_);
      }
    }
    return step;
  }
  /// Calls visit(item) for all of one kind to come, in no order.
  template <class Visit>
  void for_all(std::uint32_t kind, Visit visit) const {
    for (const Slot& slot : slots_) {
      for (std::uint32_t c = slot.chunk[kind]; c != kNone; c = chunks_[c].next) {
        for (std::uint32_t i = 0; i < chunks_[c].count; ++i) visit(chunks_[c].items[i]);
      }
    }
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  static constexpr std::uint32_t kItems = 126;  // 512 bytes a chunk
  struct Chunk {
    std::uint32_t count = 0;
    std::uint32_t next = kNone;
    std::array<std::uint32_t, kItems> items;
  };
  struct Slot {
    std::array<std::uint32_t, kKinds> chunk;
  };

  std::uint32_t take_chunk(std::uint32_t next) {
    std::uint32_t c = spare_;
    if (c == kNone) {
      c = static_cast<std::uint32_t>(chunks_.size());
      chunks_.emplace_back();
    } else {
      spare_ = chunks_[c].next;
    }
    chunks_[c].count = 0;
    chunks_[c].next = next;
    return c;
  }

  std::uint32_t mask_;
  std::vector<Slot> slots_;
  std::vector<std::uint64_t> full_;  // by slot: a bit where there are events
  std::vector<Chunk> chunks_;
  std::uint32_t spare_ = kNone;
  std::uint64_t size_ = 0;
};

}  // namespace unknot::simulate
