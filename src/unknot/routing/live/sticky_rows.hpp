// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "unknot/network/live/live_network.hpp"
#include "unknot/routing/dealing/clos_plan.hpp"
#include "unknot/routing/dealing/legal_reach.hpp"
#include "unknot/routing/dealing/row_filler.hpp"
#include "unknot/tables/forwarding_table.hpp"
#include "unknot/tables/transition_step.hpp"

namespace unknot {

/// Mends these parts of a table with few changes: an entry stays as long as it is a candidate (LegalReach).
///
/// Of the terminals of a destination router each channel should have its share by weight, as in a deal. Those
/// that cannot stay go one by one to the channel that lacks most. Where something has come `back`, channels
/// that have none of their terminals get them from those with most to spare. What a channel lacks counts with
/// a part of a terminal more, at random by router, destination and port: small differences of weight must not
/// send to one channel what all destinations have lost. `strength`: by router, what weights of channels to it
/// are multiplied by. Appends the changes. O(destinations * (candidates + terminals) + changes * candidates).
void mend_rows(const LiveNetwork& network, const LegalReach& reach, const ClosPlan& plan,
               std::span<const float> strength, std::span<const RowPart> parts, bool back,
               ForwardingTable& table, std::vector<EntryChange>& changes);

}  // namespace unknot
