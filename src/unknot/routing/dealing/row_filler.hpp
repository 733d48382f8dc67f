// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/routing/dealing/row_plan.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// Fills all rows: each router's candidates towards each destination router share its terminals by weight.
/// Rows know nothing of each other, so that any number of threads gives the same bytes. Throws Interrupted.
/// O(routers * (destinations * candidates + terminals)).
void fill_rows(const RowPlan& plan, std::uint32_t threads, ForwardingTable& table, Progress& progress);

}  // namespace unknot
