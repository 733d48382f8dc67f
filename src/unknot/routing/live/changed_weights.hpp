// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/network/live/live_network.hpp"
#include "unknot/routing/dealing/clos_plan.hpp"
#include "unknot/routing/dealing/legal_reach.hpp"
#include "unknot/routing/live/dirty_units.hpp"

namespace unknot {

/// Whether the groups are the same, so that weights of one plan can be compared with those of the other.
bool same_groups(const LiveNetwork& network, const LegalReach& reach, const LeafGroups& a,
                 const LeafGroups& b);

/// Adds what plans deal differently: groups towards which a channel has another weight, as weighed, and rows
/// of routers that have another place among their like. Of plans with the same groups, and of channels that
/// live. O(channels * groups / 64 + routers * groups).
void add_changed_weights(const LiveNetwork& network, const ClosPlan& before, const ClosPlan& after,
                         DirtyUnits& units);

}  // namespace unknot
