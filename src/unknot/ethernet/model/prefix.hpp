// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace unknot::ethernet {

/// A range of IPv4 or IPv6 addresses. In their order a prefix comes right before all that lie within it.
struct Prefix {
  bool v6 = false;
  std::array<std::uint64_t, 2> bits{};  ///< from the top; those beyond the length are 0
  std::uint8_t length = 0;

  auto operator<=>(const Prefix&) const = default;  // NOLINT(modernize-use-nullptr): a false positive
  /// Whether all addresses of the other lie within; of itself, too.
  [[nodiscard]] bool contains(const Prefix& other) const;
  /// The prefix of that length around it, no longer than it is.
  [[nodiscard]] Prefix wider(unsigned to) const;
};

/// "10.1.0.0/24", "fc00::/7"; an address alone is a prefix of one address. Bits beyond the length are
/// dropped, as Linux does. Nothing for anything else.
std::optional<Prefix> parse_prefix(std::string_view text);
/// As routers write it: "10.1.0.0/24".
std::string text(const Prefix& prefix);

}  // namespace unknot::ethernet
