// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/live/live_network.hpp"
#include "unknot/routing/dealing/clos_plan.hpp"
#include "unknot/routing/dealing/legal_reach.hpp"
#include "unknot/tables/forwarding_table.hpp"
#include "unknot/tables/transition_step.hpp"

namespace unknot {

/// Channels that get terminals which could stay where they are.
enum class ToFill : std::uint8_t {
  none,
  empty,   ///< those that have none of a destination's: something has come back
  unused,  ///< those that have none of any: they have come back, and nobody knows when
};

/// Mends these units of a table, router by router (DirtyUnits), with few changes: an entry stays as long as
/// it is a candidate (LegalReach).
///
/// Of the terminals of a destination router each channel should have its share by weight, as in a deal. Those
/// that cannot stay go one by one to the channel that lacks most. Channels `to_fill` get their whole
/// terminals from those with most to spare. What a channel lacks counts with a part of a terminal more, at
/// random by router, destination and port: small differences of weight must not send to one channel what all
/// destinations have lost. `strength`: by router, what weights of channels to it are multiplied by. Appends
/// the changes, which are the same at any number of threads (0: all). O(destinations * (candidates +
/// terminals) + changes * candidates).
void mend_rows(const LiveNetwork& network, const LegalReach& reach, const ClosPlan& plan,
               std::span<const float> strength, std::span<const LegalReach::Change> units, ToFill to_fill,
               std::uint32_t threads, ForwardingTable& table, std::vector<EntryChange>& changes);

}  // namespace unknot
