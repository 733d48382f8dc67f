// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace unknot {

/// The number that all of a text is, as std::from_chars reads it: no sign "+", no blank, nothing behind it;
/// reals may be "inf" and "nan". Nothing where it is none, or does not fit.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}
/// The same of a whole number in this base, 2 to 36.
template <class Whole>
std::optional<Whole> number_in(std::string_view text, int base) {
  Whole value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace unknot
