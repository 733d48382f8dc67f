// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "dependency_check.hpp"
#include "fabric.hpp"
#include "plan.hpp"
#include "target.hpp"

namespace unknot::opensm {

/// check_dependencies() where levels are no lanes: what waits for what is a matter of channels and lanes,
/// which the plan's lane tables tell at each switch. Throws Misfit with a shortest cycle through the first
/// found on one, and for a level in use that leaves a switch on a lane that the port does not have.
///
/// What passes each cable on its way to one destination is gathered along the destination's tree, as a set of
/// lanes for each level: O(switches * levels * lanes) a destination. Memory: 32 bytes for each pair of a
/// cable's direction and an output port behind it.
void check_lane_dependencies(const unknot_fabric& fabric, std::span<const Target> targets,
                             const unknot_plan& plan, Traffic traffic);

}  // namespace unknot::opensm
