// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/design/floor_plan.hpp"
#include "unknot/network/network.hpp"

namespace unknot {

/// Where a network stands: racks are filled with routers in order of their numbers, each followed by its
/// terminals, and put up in rows.
class Racks {
 public:
  /// O(network).
  Racks(const Network& network, const FloorPlan& floor);

  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::uint32_t per_row() const { return per_row_; }
  [[nodiscard]] std::uint32_t of(RouterId r) const { return of_router_[r.value]; }
  [[nodiscard]] std::uint32_t of(TerminalId t) const { return of_terminal_[t.value]; }
  /// Metres of a cable between two racks: along the rows and across them.
  [[nodiscard]] double metres(std::uint32_t a, std::uint32_t b) const;

 private:
  FloorPlan floor_;
  std::vector<std::uint32_t> of_router_, of_terminal_;
  std::uint32_t count_ = 0, per_row_ = 0;
};

/// The places of a grid of so many columns: each router is a rack of its own, one step from its neighbours.
FloorPlan grid_floor(std::uint32_t columns);

/// Of the cables between routers.
struct CableLengths {
  std::uint64_t cables = 0;
  double longest = 0, sum = 0;
};

/// A channel without a reverse is a cable too. O(channels).
CableLengths cable_lengths(const Network& network, const Racks& racks);

}  // namespace unknot
