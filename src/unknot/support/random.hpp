// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Random123/philox.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace unknot {

/// Counter-based random numbers (Philox 4x32-10, Salmon et al. 2011). A stream is named by (seed, stream):
/// parallel work takes one stream for each item, so results do not depend on the number of threads.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0)
      : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}},
        counter_{{0, 0, static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32)}} {}

  std::uint32_t next32() {
    if (left_ == 0) refill();
    return block_[--left_];
  }
  std::uint64_t next64() {
    const std::uint64_t high = next32();
    return high << 32 | next32();
  }
  /// Uniform in [0, bound), without bias (Lemire 2019); bound > 0.
  std::uint32_t below(std::uint32_t bound) {
    std::uint64_t product = static_cast<std::uint64_t>(next32()) * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
      const std::uint32_t threshold = (0U - bound) % bound;
      while (static_cast<std::uint32_t>(product) < threshold)
        product = static_cast<std::uint64_t>(next32()) * bound;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }
  /// As below(), for bounds up to 65,536 at half the random bits: for loops that draw a great many.
  std::uint32_t below16(std::uint32_t bound) {
    std::uint32_t product = next16() * bound;
    if ((product & 0xFFFFU) < bound) {
      const std::uint32_t threshold = (0x10000U - bound) % bound;
      while ((product & 0xFFFFU) < threshold) product = next16() * bound;
    }
    return product >> 16U;
  }
  /// below16(bound) once for each place, in order: the same numbers, sooner where there are hundreds.
  void fill_below16(std::uint32_t bound, std::span<std::uint16_t> numbers);
  /// Uniform in [0, 1).
  double unit() { return static_cast<double>(next64() >> 11) * 0x1.0p-53; }

  /// Uniform random order (Fisher-Yates).
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[below(static_cast<std::uint32_t>(i))]);
    }
  }

 private:
  [[nodiscard]] bool at_border() const { return left_ == 0 && !half_left_; }  // of blocks
  void refill() {
    block_ = philox_(counter_, key_);
    left_ = 4;
    if (++counter_[0] == 0) ++counter_[1];
  }
  std::uint32_t next16() {
    if (half_left_) {
      half_left_ = false;
      return half_;
    }
    const std::uint32_t whole = next32();
    half_ = whole >> 16U;
    half_left_ = true;
    return whole & 0xFFFFU;
  }
  r123::Philox4x32 philox_;
  r123::Philox4x32::key_type key_;
  r123::Philox4x32::ctr_type counter_;
  r123::Philox4x32::ctr_type block_{};
  int left_ = 0;
  bool half_left_ = false;
  std::uint32_t half_ = 0;
};

}  // namespace unknot
