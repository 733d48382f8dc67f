// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/ethernet/model/fabric.hpp"

namespace unknot::ethernet {

/// The prefixes of all tables, and for each those addresses in it that are in no longer one: what every
/// table's longest match is the same for.
struct PrefixRanges {
  std::vector<Prefix> prefix;  ///< ascending
  std::vector<bool> empty;     ///< longer ones cover all of it
  /// By switch, of its routes: the hop sets that it tries, own choices first, then those of shorter prefixes.
  /// Number 0 is no route at all; equal ones are one.
  std::vector<std::vector<std::vector<std::uint32_t>>> chains;

  /// The chain that a switch has for each range. O(ranges).
  void match(const Fabric& fabric, std::uint32_t at, std::vector<std::uint32_t>& chain_of_range) const;
  /// The range of an address, kNone where no table knows it. O(log ranges * length).
  [[nodiscard]] std::uint32_t range_of(const Prefix& address) const;

  std::vector<std::vector<std::uint32_t>> chain_of_route;  ///< by switch and route
};

/// O(routes * log routes).
PrefixRanges prefix_ranges(const Fabric& fabric);

}  // namespace unknot::ethernet
