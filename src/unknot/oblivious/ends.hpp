// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace unknot {

/// A set of routers (indices), of which only matters whether it has none, a single one, or several: a path
/// whose ends must differ can then be closed with any set of ends except the same single one. What a set
/// holds does not depend on the order of additions.
class Ends {
 public:
  Ends() = default;
  explicit Ends(std::uint32_t only) : value_(only) {}
  [[nodiscard]] bool empty() const { return value_ == kNone; }
  void add(Ends other) {
    if (other.empty()) return;
    value_ = empty() || value_ == other.value_ ? other.value_ : kSeveral;
  }
  /// Some member is not `router`.
  [[nodiscard]] bool beside(std::uint32_t router) const { return !empty() && value_ != router; }
  /// Some member of `a` differs from some member of `b`.
  [[nodiscard]] static bool differ(Ends a, Ends b) {
    return !a.empty() && !b.empty() && (a.value_ != b.value_ || a.value_ == kSeveral);
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  static constexpr std::uint32_t kSeveral = 0xFFFFFFFEU;
  std::uint32_t value_ = kNone;
};

}  // namespace unknot
