// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "unknot/collective/trees/equal_trees.hpp"
#include "unknot/collective/trees/member_graph.hpp"

namespace unknot {

/// Makes trees shallower that are more than one edge deeper than the farthest member is from its root, where
/// that needs no more of any arc: such a tree enters a member from nearer to its root, over an arc with room
/// left or over one of another tree, which enters the member over the arc that becomes free, and does not
/// become as deep by it. Equal trees are divided where only some of them change. Ends when no such exchange
/// is left, so some trees may stay deep. Nothing is done beyond 2^28 trees times members. O(deep members *
/// arcs into them * trees) for each exchange; 8 bytes a tree and member.
void shorten_trees(const MemberGraph& graph, std::vector<EqualTrees>& trees);

}  // namespace unknot
