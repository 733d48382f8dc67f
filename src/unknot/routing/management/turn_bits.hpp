// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace unknot {

/// Which dependencies data makes on the first lane: a bit a slot, so that those of large networks stay in the
/// cache.
class TurnBits {
 public:
  TurnBits() = default;
  /// `uses`: the lanes of each dependency, a bit each, by slot. O(slots).
  explicit TurnBits(std::span<const std::uint16_t> uses) : bits_(uses.size() / 32 + 1, 0) {
    for (std::size_t slot = 0; slot < uses.size(); ++slot)
      bits_[slot / 32] |= std::uint32_t{uses[slot] & 1U} << slot % 32;
  }
  void add(std::uint64_t slot) { bits_[slot / 32] |= 1U << slot % 32; }
  [[nodiscard]] bool empty() const { return bits_.empty(); }
  [[nodiscard]] std::uint8_t get(std::uint64_t slot) const { return get(bits_.data(), slot); }
  /// For hot loops: the same of data().
  static std::uint8_t get(const std::uint32_t* bits, std::uint64_t slot) {
    return static_cast<std::uint8_t>(bits[slot / 32] >> slot % 32 & 1U);
  }
  [[nodiscard]] const std::uint32_t* data() const { return bits_.data(); }

 private:
  std::vector<std::uint32_t> bits_;
};

}  // namespace unknot
