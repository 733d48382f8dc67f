// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "unknot/collective/bandwidth/forest.hpp"

namespace unknot {

/// What a forest does, found from nothing but the problem and the forest.
struct ForestVerdict {
  std::string fault;  ///< the first thing that is wrong, one sentence; empty: it delivers
  Fraction time;      ///< in shares over capacity: of the arc that takes longest
  NodeId from, to;    ///< that arc
  std::uint64_t edges = 0;

  [[nodiscard]] bool valid() const { return fault.empty(); }
};

/// Every share in all its parts: each tree begins at its owner, hands on only what has come, reaches every
/// member just once, by ways that are there and lead through no terminal; all parts of all shares have a
/// tree. Of an all-reduce trees are run to their roots and from there again, each of which sums parts of all.
/// Nodes that take no part are ends of edges only where SwitchPowers has them copy, or sum on the way in;
/// each gets a part by one edge, and what nobody gets from it is a fault. Then the load of each arc, whole,
/// over its capacity. O(edges * length of ways).
///
/// Where the forest is of one root and its translations, these are checked (translation_fault()), the trees
/// of the root followed, and what they load on arcs that are images of each other is equal on all of these.
ForestVerdict check_forest(const BandwidthProblem& problem, const Forest& forest);

/// Of several groups at once, on one graph, each in trees of its own.
ForestVerdict check_forest(std::span<const BandwidthProblem> groups, const Forest& forest);

}  // namespace unknot
