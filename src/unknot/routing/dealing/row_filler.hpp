// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/dealing/leaf_groups.hpp"
#include "unknot/routing/dealing/legal_reach.hpp"
#include "unknot/routing/dealing/path_weights.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// Everything that rows of the table are made from.
struct RowPlan {
  const Network& network;
  const LegalReach& reach;
  const LeafGroups& groups;
  const PathWeights& weights;
};

/// Fills all rows: each router's candidates towards each destination router share its terminals by weight.
/// Rows know nothing of each other, so that any number of threads gives the same bytes. Throws Interrupted.
/// O(routers * (destinations * candidates + terminals)).
void fill_rows(const RowPlan& plan, std::uint32_t threads, ForwardingTable& table, Progress& progress);

}  // namespace unknot
