// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/live/live_network.hpp"
#include "unknot/routing/dealing/candidate_sets.hpp"
#include "unknot/routing/dealing/leaf_groups.hpp"
#include "unknot/routing/dealing/legal_reach.hpp"
#include "unknot/routing/dealing/path_weights.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/forwarding_table.hpp"
#include "unknot/tables/transition_step.hpp"

namespace unknot {

/// Everything that rows of the table are made from.
struct RowPlan {
  const LiveNetwork& network;
  const LegalReach& reach;
  const LeafGroups& groups;
  const PathWeights& weights;
  CandidateSets* sets = nullptr;  ///< fill_rows() leaves all candidates here, and refill() takes them
};

/// Fills all rows: each router's candidates towards each destination router share its terminals by weight.
/// Rows know nothing of each other, so that any number of threads gives the same bytes. Throws Interrupted.
/// O(routers * (destinations * candidates + terminals)).
void fill_rows(const RowPlan& plan, std::uint32_t threads, ForwardingTable& table, Progress& progress);

/// Some of a row: its entries towards these destinations of LegalReach, at least one, ascending.
struct RowPart {
  RouterId router;
  std::vector<std::uint32_t> destinations;
};

/// Writes these parts as fill_rows() would by the candidates of `plan.sets`, and appends what has changed,
/// part by part. Parts of one router must not overlap.
void refill(const RowPlan& plan, std::span<const RowPart> parts, std::uint32_t threads,
            ForwardingTable& table, std::vector<EntryChange>& changes);

}  // namespace unknot
