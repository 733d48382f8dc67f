// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "fabric.hpp"
#include "plan.hpp"
#include "target.hpp"

namespace unknot::opensm {

/// What hosts send to each other, or with it what they send to switches, and switches to all.
enum class Traffic : std::uint8_t { hosts_alone, with_management };

/// Whether these packets could block each other forever: on each lane the channel dependency graph of
/// the live fabric must have no cycle [Dally and Seitz 1987]. A cable that moved can leave every path
/// complete and close a cycle all the same. Throws Misfit with a shortest cycle through the first channel
/// found on one.
///
/// The levels that pass a switch on their way to one destination are gathered along the destination's tree,
/// as a set: O(switches) a destination, instead of a walk for each path. Memory: two bytes for each pair of a
/// cable's direction and an output port behind it.
///
/// Multicast trees of the plan add, at each of their switches, what waits from each cable in for each other
/// cable out, each tree on its own level. Returns the levels on which all of the trees could be used at once;
/// only levels that are known to be lanes of their own are asked about.
std::uint16_t check_dependencies(const unknot_fabric& fabric, std::span<const Target> targets,
                                 const unknot_plan& plan, Traffic traffic);

}  // namespace unknot::opensm
