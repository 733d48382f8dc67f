// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "unknot/network/live/live_network.hpp"
#include "unknot/routing/dealing/candidate_sets.hpp"
#include "unknot/routing/dealing/leaf_groups.hpp"
#include "unknot/routing/dealing/legal_reach.hpp"
#include "unknot/routing/dealing/path_weights.hpp"
#include "unknot/routing/dealing/row_of_deals.hpp"

namespace unknot {

/// Everything that rows of the table are made from.
struct RowPlan {
  const LiveNetwork& network;
  const LegalReach& reach;
  const LeafGroups& groups;
  const PathWeights& weights;
  CandidateSets* sets = nullptr;  ///< fill_rows() leaves all candidates here, and refill() takes them
  /// For refill(): those by which the table in force was dealt.
  const PathWeights* weights_before = nullptr;
};

/// By destination of the reach; those of dead routers have no numbers, and nobody deals to them.
std::vector<Destination> destinations_of(const RowPlan& plan);

/// The router's row, as yet without destinations, ports and weights.
RowOfDeals deals_of(const RowPlan& plan, RouterId router);

}  // namespace unknot
