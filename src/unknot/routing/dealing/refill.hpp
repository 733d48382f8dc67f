// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/routing/dealing/row_plan.hpp"
#include "unknot/tables/forwarding_table.hpp"
#include "unknot/tables/transition_step.hpp"

namespace unknot {

/// Some of a row: its entries towards destinations of LegalReach.
struct RowPart {
  RouterId router;
  std::vector<std::uint32_t> destinations;  ///< ascending
  /// LeafGroups to whose destinations nothing has changed but the weights that they are dealt by, but for the
  /// destinations above.
  std::vector<std::uint32_t> weighed = {};
};

/// Writes these parts as fill_rows() would by the candidates of `plan.sets`, and appends what has changed,
/// part by part. Of those that are only weighed otherwise the deals are compared first (changed_deals()):
/// most are the same, and neither dealt nor read. Parts of one router must not overlap.
void refill(const RowPlan& plan, std::span<const RowPart> parts, std::uint32_t threads,
            ForwardingTable& table, std::vector<EntryChange>& changes);

}  // namespace unknot
