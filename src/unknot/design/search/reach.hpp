// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "unknot/design/floor_plan.hpp"
#include "unknot/design/racks.hpp"

namespace unknot {

/// A floor, and the longest cable between routers that may lie on it, in metres.
struct CableLimit {
  FloorPlan floor;
  double longest = 0;
  std::uint32_t terminals = 0;  ///< of each router: they stand in the racks, too
};

/// A way to turn or mirror the floor that leaves equal numbers of routers everywhere, as a cyclic group:
/// router b of copy x of a lift is number[x * base + b] of the network, and stands where x turns leave that
/// of copy 0.
struct FloorSymmetry {
  std::uint32_t order = 1;
  std::vector<std::uint32_t> number;
};

/// The routers that a cable of a lift may join.
class LiftReach {
 public:
  struct End {
    std::uint32_t router, turn;
  };

  /// O(routers of a copy * routers).
  LiftReach(FloorSymmetry symmetry, const Racks& racks, double longest);

  [[nodiscard]] const FloorSymmetry& symmetry() const { return symmetry_; }
  [[nodiscard]] std::uint32_t base() const { return base_; }
  /// Whether router `from` of one copy may be joined to router `to` of the copy `turn` further. Never to
  /// itself.
  [[nodiscard]] bool joins(std::uint32_t from, std::uint32_t to, std::uint32_t turn) const {
    return near_[std::size_t{from} * routers_ + turn * base_ + to] != 0;
  }
  /// All that router `from` of copy 0 may be joined to.
  [[nodiscard]] std::span<const End> ends(std::uint32_t from) const {
    return std::span(ends_).subspan(first_[from], first_[from + 1] - first_[from]);
  }

 private:
  FloorSymmetry symmetry_;
  std::uint32_t base_ = 0, routers_ = 0;
  std::vector<std::uint8_t> near_;
  std::vector<std::size_t> first_;
  std::vector<End> ends_;
};

/// Of so many routers, one for each symmetry of the floor: none, half a turn, the two mirrors and, on a
/// square, a quarter of a turn, as far as racks are filled alike. O(routers^2).
std::vector<std::shared_ptr<const LiftReach>> lift_reaches(std::uint32_t routers, const CableLimit& limit);

/// As least_mean_distance(), where besides no router reaches more in so many cables than stand so near.
/// Infinite where the limit leaves routers apart. O(routers^2 * ends within reach).
double least_mean_distance(std::uint32_t routers, std::uint32_t ports, const CableLimit& limit);

}  // namespace unknot
