// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "unknot/support/bring_near.hpp"

namespace unknot::simulate {

/// Positions of outputs among their router's, a row for each router: one byte each where there are few, else
/// two.
class PlaceTable {
 public:
  static constexpr std::uint16_t kNone = 0xFFFF;

  PlaceTable() = default;
  /// `places` row by row; those that are not kNone are below `outputs`.
  PlaceTable(std::vector<std::uint16_t> places, std::size_t columns, std::uint32_t outputs)
      : columns_(columns) {
    if (outputs >= kNarrowNone) {
      wide_ = std::move(places);
      return;
    }
    narrow_.reserve(places.size());
    for (const std::uint16_t place : places) narrow_.push_back(static_cast<std::uint8_t>(place));
  }

  [[nodiscard]] std::uint32_t at(std::uint32_t router, std::uint32_t column) const {
    const std::size_t entry = std::size_t{router} * columns_ + column;
    if (wide_.empty()) return narrow_[entry] == kNarrowNone ? kNone : narrow_[entry];
    return wide_[entry];
  }
  void set(std::uint32_t router, std::uint32_t column, std::uint16_t place) {
    const std::size_t entry = std::size_t{router} * columns_ + column;
    if (wide_.empty()) {
      narrow_[entry] = static_cast<std::uint8_t>(place);
    } else {
      wide_[entry] = place;
    }
  }
  /// Brings the router's row near where that is short.
  void prefetch_row(std::uint32_t router) const {
    constexpr std::size_t kShort = 1024;
    if (columns_ > kShort || !wide_.empty()) return;
    const std::uint8_t* const row = narrow_.data() + std::size_t{router} * columns_;
    for (std::size_t i = 0; i < columns_; i += 64) bring_near(row + i);
  }

 private:
  static constexpr std::uint8_t kNarrowNone = 0xFF;  // what is left of kNone
  std::size_t columns_ = 0;
  std::vector<std::uint8_t> narrow_;
  std::vector<std::uint16_t> wide_;
};

}  // namespace unknot::simulate
