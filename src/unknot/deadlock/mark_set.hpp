// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace unknot {

/// A mask for each of many keys, to which any number of threads add bits. What it holds in the end does not
/// depend on their order. One flat array while that fits in `dense_bytes`, else hash maps that hold the keys
/// in use (a full mesh of a thousand routers has a thousand million possible dependencies, and uses few).
///
/// kOneBit: only bit 0 is ever added, and the flat array holds one bit a key, so that it stays in cache for
/// large fabrics.
template <class MaskType, bool kOneBit = false>
class MarkSet {
 public:
  using Mask = MaskType;
  using Element = std::conditional_t<kOneBit, std::uint32_t, Mask>;
  static constexpr std::uint64_t kKeysPerElement = kOneBit ? 32 : 1;
  static constexpr std::uint64_t kDenseBytes = std::uint64_t{1} << 28;

  explicit MarkSet(std::uint64_t keys, std::uint64_t dense_bytes = kDenseBytes) {
    const std::uint64_t elements = keys / kKeysPerElement + 1;
    if (elements <= dense_bytes / sizeof(Element)) {
      dense_.resize(static_cast<std::size_t>(elements));
    } else {
      sparse_ = std::make_unique<std::array<Stripe, kStripes>>();
    }
  }

  [[nodiscard]] bool dense() const { return sparse_ == nullptr; }

  void add(std::uint64_t key, Mask bits) {
    if (dense()) {
      add_to(dense_.data(), static_cast<std::size_t>(key), bits);
    } else if (bits != 0) {
      Stripe& stripe = (*sparse_)[key % kStripes];
      const std::lock_guard<std::mutex> lock(stripe.mutex);
      stripe.masks[key] |= bits;
    }
  }
  /// For hot loops where dense() is known: the array, and add() to it.
  [[nodiscard]] Element* dense_data() { return dense_.data(); }
  static void add_to(Element* elements, std::size_t key, Mask bits) {
    // Reads first: most bits are set early and never change again.
    const std::atomic_ref<Element> element(elements[key / kKeysPerElement]);
    const auto wanted = static_cast<Element>(Element{bits} << key % kKeysPerElement);
    if ((element.load(std::memory_order_relaxed) & wanted) != wanted)
      element.fetch_or(wanted, std::memory_order_relaxed);
  }

  /// Calls visit(key, mask) for each key with a bit, in ascending order. Not while others add.
  template <class Visit>
  void for_each(const Visit& visit) const {
    if (dense()) {
      for (std::size_t i = 0; i < dense_.size(); ++i) {
        if constexpr (kOneBit) {
          for (Element left = dense_[i]; left != 0; left &= left - 1)
            visit(i * kKeysPerElement + static_cast<std::uint64_t>(std::countr_zero(left)), Mask{1});
        } else if (dense_[i] != 0) {
          visit(static_cast<std::uint64_t>(i), dense_[i]);
        }
      }
      return;
    }
    std::vector<std::pair<std::uint64_t, Mask>> all;
    for (const Stripe& stripe : *sparse_) all.insert(all.end(), stripe.masks.begin(), stripe.masks.end());
    std::sort(all.begin(), all.end());
    for (const auto& [key, mask] : all) visit(key, mask);
  }

 private:
  static constexpr std::size_t kStripes = 64;
  struct Stripe {
    std::mutex mutex;
    std::unordered_map<std::uint64_t, Mask> masks;
  };
  std::vector<Element> dense_;
  std::unique_ptr<std::array<Stripe, kStripes>> sparse_;
};

}  // namespace unknot
