// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "unknot/support/number.hpp"

namespace unknot {

/// The number that all of a text is, in powers of 1024 where a unit follows: "65536", "64K", "64KiB", "64KB",
/// "2G", "1T". Nothing where it is none, or does not fit.
inline std::optional<std::uint64_t> size_in(std::string_view text) {
  constexpr std::string_view kUnits = "KMGT";
  std::uint64_t unit = 1;
  for (const std::string_view ending : {"iB", "B", ""}) {
    if (!text.ends_with(ending)) continue;
    const std::string_view before = text.substr(0, text.size() - ending.size());
    const std::size_t at = before.empty() ? std::string_view::npos : kUnits.find(before.back());
    if (at == std::string_view::npos) continue;
    unit = std::uint64_t{1} << (10 * (at + 1));
    text = before.substr(0, before.size() - 1);
    break;
  }
  const auto value = number_in<std::uint64_t>(text);
  if (!value || *value > std::numeric_limits<std::uint64_t>::max() / unit) return std::nullopt;
  return *value * unit;
}

}  // namespace unknot
