// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace unknot::simulate {

/// What is to happen in the steps to come: a circle of lists of items, one for each step. Lists are chains of
/// small chunks from one pool that hands out the latest freed first, so the wheel stays in cache however long
/// it is. Order within a step is of no meaning.
template <class Item>
class EventWheel {
 public:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  /// For delays of 1 .. longest steps.
  explicit EventWheel(std::uint32_t longest)
      : mask_(std::bit_ceil(longest + 1U) - 1),
        ends_(std::size_t{mask_} + 1),
        full_((ends_.size() + 63) / 64) {}

  void add(std::uint64_t step, Item item) {
    Item*& end = ends_[static_cast<std::uint32_t>(step) & mask_];
    if (reinterpret_cast<std::uintptr_t>(end) % kChunk == 0) [[unlikely]]  // or no list
      extend(end);
    *end++ = item;
  }

  /// Calls visit(item) for all of this step, and forgets them; `soon` is called for each some items earlier,
  /// to fetch what `visit` will need. `visit` may add events of later steps.
  template <class Soon, class Visit>
  void drain(std::uint64_t step, Soon soon, Visit visit) {
    const std::uint32_t number = static_cast<std::uint32_t>(step) & mask_;
    Item* end = ends_[number];
    if (end == nullptr) return;
    Chunk* chunk = chunk_of(end);
    ends_[number] = nullptr;
    full_[number >> 6] &= ~(std::uint64_t{1} << (number & 63U));
    while (true) {
      const Item* item = chunk->items.data();
      for (const Item* const early = end - std::min<std::ptrdiff_t>(kAhead, end - item); item != early;
           ++item) {
        soon(item[kAhead]);
        visit(*item);
      }
      for (; item != end; ++item) visit(*item);
      Chunk* const before = chunk->before;
      chunk->before = spare_;
      spare_ = chunk;
      if (before == nullptr) return;
      chunk = before;
      end = chunk->items.data() + kItems;
    }
  }
  template <class Visit>
  void drain(std::uint64_t step, Visit visit) {
    drain(
        step, [](const Item&) {}, visit);
  }

  /// First step at or after `step` that has events; kNever where there are none.
  [[nodiscard]] std::uint64_t next(std::uint64_t step) const {
    const auto from = static_cast<std::uint32_t>(step) & mask_;
    const auto words = static_cast<std::uint32_t>(full_.size());
    for (std::uint32_t i = 0; i <= words; ++i) {
      const std::uint32_t w = ((from >> 6) + i) % words;
      std::uint64_t word = full_[w];
      if (i == 0) word &= ~std::uint64_t{0} << (from & 63U);
      if (word != 0) {
        const std::uint32_t at = w * 64 + static_cast<std::uint32_t>(std::countr_zero(word));
        return step + ((at - from) & mask_);
      }
    }
    return kNever;
  }
  /// Calls visit(item) for all to come, in no order.
  template <class Visit>
  void for_all(Visit visit) const {
    for (Item* const end : ends_) visit_list(end, visit);
  }
  /// The same for those of this step and later ones, step by step.
  template <class Visit>
  void for_each_from(std::uint64_t step, Visit visit) const {
    for (std::uint32_t i = 0; i <= mask_; ++i)
      visit_list(ends_[(static_cast<std::uint32_t>(step) + i) & mask_], visit);
  }

 private:
  static constexpr std::size_t kChunk = 512;  // bytes
  static constexpr std::uint32_t kItems = (kChunk - 8) / sizeof(Item);
  static constexpr std::ptrdiff_t kAhead = 12;
  static constexpr std::uint32_t kBlock = 64;  // chunks allocated together
  struct alignas(kChunk) Chunk {
    Chunk* before = nullptr;
    std::array<Item, kItems> items;
  };
  // Items reach to the end of their chunk, so that the end of a list says where its last chunk is, and
  // whether that is full.
  static_assert(8 + kItems * sizeof(Item) == kChunk && sizeof(Chunk) == kChunk);
  static Chunk* chunk_of(Item* end) {
    std::byte* const last = reinterpret_cast<std::byte*>(end) - 1;
    return reinterpret_cast<Chunk*>(last - reinterpret_cast<std::uintptr_t>(last) % kChunk);
  }

  template <class Visit>
  static void visit_list(Item* end, Visit& visit) {
    if (end == nullptr) return;
    for (const Chunk* chunk = chunk_of(end); chunk != nullptr; chunk = chunk->before) {
      for (const Item* item = chunk->items.data(); item != end; ++item) visit(*item);
      if (chunk->before != nullptr) end = chunk->before->items.data() + kItems;
    }
  }

  [[gnu::noinline]] void extend(Item*& end) {
    if (spare_ == nullptr) {
      blocks_.push_back(std::make_unique<Chunk[]>(kBlock));
      for (std::uint32_t i = 0; i < kBlock; ++i) {
        blocks_.back()[i].before = spare_;
        spare_ = &blocks_.back()[i];
      }
    }
    Chunk* const chunk = spare_;
    spare_ = chunk->before;
    chunk->before = end == nullptr ? nullptr : chunk_of(end);
    const auto number = static_cast<std::uint32_t>(&end - ends_.data());
    end = chunk->items.data();
    full_[number >> 6] |= std::uint64_t{1} << (number & 63U);
  }

  std::uint32_t mask_;
  std::vector<Item*> ends_;          // by slot: where the next item goes; null where there are none
  std::vector<std::uint64_t> full_;  // by slot: a bit where there are events
  std::vector<std::unique_ptr<Chunk[]>> blocks_;
  Chunk* spare_ = nullptr;
};

}  // namespace unknot::simulate
