// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace unknot {

/// "q=5 or q=7": the values on both sides of a wrong one that a construction exists for, for the message that
/// refuses it. `valid` is asked for at most 10,000 values on each side; "" where none fits.
template <class Valid>
std::string nearest_valid(const char* name, std::uint32_t wrong, const Valid& valid) {
  constexpr std::uint32_t kReach = 10'000;
  std::string text;
  for (std::uint32_t v = wrong; v-- > 0 && wrong - v <= kReach;) {
    if (!valid(v)) continue;
    text = fmt::format("{}={}", name, v);
    break;
  }
  for (std::uint32_t v = wrong + 1; v > wrong && v - wrong <= kReach; ++v) {
    if (!valid(v)) continue;
    return text + fmt::format("{}{}={}", text.empty() ? "" : " or ", name, v);
  }
  return text;
}

}  // namespace unknot
