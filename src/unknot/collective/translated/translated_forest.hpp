// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "unknot/collective/bandwidth/bandwidth_problem.hpp"
#include "unknot/collective/bandwidth/forest.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// Trees of one root that with their images under a network's translations take `time`, the optimum of an
/// all-gather among the members, or not much more. As every node is like every other, so is what they load:
/// of each kind of link from a member to one next to it, or next to a switch beside it, the trees of one root
/// may take as many as of one such link all trees together. So each node chooses the links that its parts
/// come by, from nodes that are nearer to the root: a problem of transport with a row for each node and a
/// column for each link of one node, which is solved by augmenting paths. Trees are as deep as breadth-first
/// search.
///
/// For tens of thousands of nodes: O(nodes * links of a node) bits and, where all rows find their place at
/// once, words of them as time. Nothing where switches stand between switches, or where there is no such
/// choice. `problem` is an all-gather or reduce-scatter with a share for each member, or an all-reduce, whose
/// trees are those of the all-gather.
std::optional<Forest> translated_forest(const BandwidthProblem& problem, const Translations& translations,
                                        const Fraction& time, Progress& progress);

}  // namespace unknot
