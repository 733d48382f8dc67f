// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "unknot/collective/model/fault_impact.hpp"
#include "unknot/collective/packing/ejection_search.hpp"
#include "unknot/collective/packing/packing.hpp"

namespace unknot {

/// Scatters after a fault: an ejection search that begins with the former transfers where they were.
class ScatterRepair {
 public:
  /// Both must outlive this.
  ScatterRepair(const Problem& problem, const FormerTransfers& former, std::uint64_t seed)
      : problem_(problem), former_(former), seed_(seed) {}

  /// A schedule of this many steps in which every former transfer that still can be made in them is; nothing
  /// where none is found while about this many arcs are looked at.
  std::optional<Schedule> keeping_all(std::uint32_t steps, std::uint64_t arcs,
                                      const std::function<bool()>& stop);
  /// One in which some may have given way to others: few, unless many have to.
  std::optional<Schedule> keeping_some(std::uint32_t steps, std::uint64_t arcs,
                                       const std::function<bool()>& stop);

 private:
  /// Former transfers weigh so much more than others.
  std::optional<Schedule> attempt(const Packing& packing, std::uint32_t weight, std::uint64_t arcs,
                                  const std::function<bool()>& stop);
  void bring_home(EjectionSearch& search, std::uint64_t arcs, const std::function<bool()>& stop) const;
  [[nodiscard]] Packing packing_of(std::uint32_t steps, std::uint32_t extra_hops) const;
  [[nodiscard]] Packing::Choice former_choice(std::uint32_t message) const;

  const Problem& problem_;
  const FormerTransfers& former_;
  std::uint64_t seed_;
  std::uint64_t attempts_ = 0;
};

}  // namespace unknot
