// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/simulate/core/packets.hpp"
#include "unknot/simulate/core/source.hpp"
#include "unknot/simulate/plan/group_plan.hpp"
#include "unknot/simulate/sources/destinations.hpp"

// What sources of steady traffic draw alike, whenever they begin their packets.
namespace unknot::simulate {

/// Later than any run goes on: a packet that would be created here never is.
inline constexpr std::uint64_t kPastAllRuns = std::uint64_t{1} << 60U;

/// Gaps at tiny probabilities are longer than any number of cycles.
inline std::uint64_t whole_gap(double gap) {
  return gap < static_cast<double>(kPastAllRuns) ? static_cast<std::uint64_t>(gap) : kPastAllRuns;
}

/// Where a terminal's packet goes; to a group where `multicast` is not null and chance says so.
inline std::uint32_t draw_target(const Destinations& destinations, const GroupTraffic* multicast,
                                 std::uint32_t terminal, TerminalRandom& random) {
  const std::uint32_t destination = destinations.draw(terminal, random);
  if (multicast == nullptr) return destination;
  const auto groups = multicast->groups_of(terminal);
  if (groups.empty() || random.unit() >= multicast->share) return destination;
  return Packet::kGroup | groups[random.below(static_cast<std::uint32_t>(groups.size()))];
}

}  // namespace unknot::simulate
