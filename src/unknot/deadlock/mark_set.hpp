// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace unknot {

/// A mask for each of many keys, to which any number of threads add bits. What it holds in the end does not
/// depend on their order. One flat array while that fits in `dense_bytes`, else hash maps that hold the keys in
/// use (a full mesh of a thousand routers has a thousand million possible dependencies, and uses few).
template <class Mask>
class MarkSet {
 public:
  static constexpr std::uint64_t kDenseBytes = std::uint64_t{1} << 28;

  explicit MarkSet(std::uint64_t keys, std::uint64_t dense_bytes = kDenseBytes) {
    if (keys <= dense_bytes / sizeof(Mask)) {
      dense_.resize(static_cast<std::size_t>(keys));
    } else {
      sparse_ = std::make_unique<std::array<Stripe, kStripes>>();
    }
  }

  [[nodiscard]] bool dense() const { return sparse_ == nullptr; }

  void add(std::uint64_t key, Mask bits) {
    if (dense()) {
      add_dense(static_cast<std::size_t>(key), bits);
    } else if (bits != 0) {
      Stripe& stripe = (*sparse_)[key % kStripes];
      const std::lock_guard<std::mutex> lock(stripe.mutex);
      stripe.masks[key] |= bits;
    }
  }
  /// add() where dense() is known. Reads first: most bits are set early and never change again.
  void add_dense(std::size_t key, Mask bits) {
    const std::atomic_ref<Mask> mask(dense_[key]);
    if ((mask.load(std::memory_order_relaxed) & bits) != bits)
      mask.fetch_or(bits, std::memory_order_relaxed);
  }

  /// Calls visit(key, mask) for each key with a bit, in ascending order. Not while others add.
  template <class Visit>
  void for_each(const Visit& visit) const {
    if (dense()) {
      for (std::size_t key = 0; key < dense_.size(); ++key) {
        if (dense_[key] != 0) visit(static_cast<std::uint64_t>(key), dense_[key]);
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
  std::vector<Mask> dense_;
  std::unique_ptr<std::array<Stripe, kStripes>> sparse_;
};

}  // namespace unknot
