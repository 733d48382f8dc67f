// SPDX-License-Identifier: Apache-2.0
#include "unknot/tables/transition_step.hpp"

namespace unknot {

void apply_step(const TransitionStep& step, Routing& routing) {
  for (const EntryChange& change : step.entries)
    routing.table().set(change.router, change.destination, change.after);
  for (const LevelChange& change : step.levels)
    routing.service_levels.row(change.row)[change.destination.value] = change.after;
}

}  // namespace unknot
