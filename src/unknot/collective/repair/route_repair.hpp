// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "unknot/collective/model/fault_impact.hpp"
#include "unknot/support/random.hpp"

namespace unknot {

/// Schedules on routes after a fault, or after tables have changed: what went by the route that it still has
/// stays in its step, and is not thrown out by what looks for another; see route_packing.hpp and
/// route_broadcasts.hpp. Scatters and broadcasts.
class RouteRepair {
 public:
  /// Both must outlive this.
  RouteRepair(const Problem& problem, const FormerTransfers& former, std::uint64_t seed);

  /// A schedule of this many steps in which every former transfer is made that can be made in them, its
  /// sender being informed; nothing where none is found while about this many lines are looked at.
  std::optional<Schedule> keeping_all(std::uint32_t steps, std::uint64_t lines,
                                      const std::function<bool()>& stop);
  /// One in which some are not.
  std::optional<Schedule> keeping_some(std::uint32_t steps, std::uint64_t lines,
                                       const std::function<bool()>& stop);

 private:
  std::optional<Schedule> packed(std::uint32_t steps, std::uint32_t weight, std::uint64_t lines,
                                 const std::function<bool()>& stop);
  /// Former transfers are given up with a chance of this many in 64.
  std::optional<Schedule> spread(std::uint32_t steps, std::uint32_t without,
                                 const std::function<bool()>& stop);
  [[nodiscard]] bool keeps_all(const Schedule& schedule) const;

  const Problem& problem_;
  const FormerTransfers& former_;
  std::uint64_t seed_;
  Random random_;
};

}  // namespace unknot
