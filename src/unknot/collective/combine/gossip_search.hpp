// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/collective/combine/combined_problem.hpp"
#include "unknot/collective/combine/combined_schedule.hpp"
#include "unknot/collective/combine/lay_rounds.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// A schedule of few steps where transfers may carry any number of blocks, on any network, by greedy search
/// from many beginnings. Step by step, receivers in random order choose paths over channels that are still
/// free, from whoever knows most that they do not know, near ones first to a degree that differs from try to
/// try. When all know of all that they want, every block takes a way through these transfers by which it
/// arrives first, among several the one that carries least. Of all tries the one with the fewest steps is
/// kept, and of these the one with the smallest largest transfers. Takes all that copies (no reduction).
///
/// Nothing is proven; combining_step_bound() says where the search may end. O(tries * steps * nodes * ports *
/// (arcs + nodes^2 / 64)).
CombinedSchedule gossip_search(const CombinedProblem& problem, const CombiningOptions& options,
                               Progress& progress);

}  // namespace unknot
