// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/report/compare/page_data.hpp"

namespace unknot::report {

/// Two networks upon each other: all routers, terminals and channels of the first with their numbers in
/// order, then those that the second has alone. Routers and terminals are the same by name (of several of one
/// name the first, the second and so on), channels by the names and ports of their ends.
struct BothNetworks {
  /// Of the second's router or channel, in both.
  std::vector<std::uint32_t> router_of_after, channel_of_after;
  /// Of each page's terminals, in both.
  std::vector<std::uint32_t> terminal_of_before, terminal_of_after;
  std::vector<std::uint32_t> terminals;  ///< by router of both
  std::vector<std::string> terminal_names;
  std::uint32_t routers = 0, channels = 0;
  /// Channels of both that only one has; routers that the second has not.
  std::vector<std::uint32_t> only_before, only_after, routers_gone;
};

/// O(parts * log parts).
BothNetworks both_networks(const PageData& before, const PageData& after);

}  // namespace unknot::report
