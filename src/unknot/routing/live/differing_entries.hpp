// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "unknot/tables/forwarding_table.hpp"
#include "unknot/tables/transition_step.hpp"

namespace unknot {

/// What makes one table the other, router by router; both of one network. O(entries).
std::vector<EntryChange> differing_entries(const ForwardingTable& before, const ForwardingTable& after);

}  // namespace unknot
