// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/bandwidth/bandwidth_optimum.hpp"

namespace unknot {

/// What is left of a problem's graph when its switches have been taken out: members, and arcs between them
/// that carry whole numbers of trees, each unit on a way through the network. Every cut that mattered is as
/// wide as it was.
struct MemberGraph {
  /// Part of an arc's capacity, and the nodes it passes, both ends included.
  struct Way {
    std::uint64_t amount = 0;
    std::vector<NodeId> nodes;
  };
  struct Arc {
    std::uint32_t tail = 0, head = 0;  ///< places in `members`
    std::uint64_t capacity = 0;        ///< trees, all ways together
    std::vector<Way> ways;
  };

  std::vector<NodeId> members;          ///< ascending
  std::uint64_t copies = 0;             ///< trees that carry one share of data together
  std::vector<Arc> arcs;                ///< by tail, then head
  std::uint32_t removed_by_shares = 0;  ///< switches taken out at one go
  std::uint32_t removed_by_pairs = 0;   ///< and pair by pair
};

/// Takes switches out, the farthest from members first. What enters one is divided among what leaves it, in
/// fair shares so that trees are shallow; a cut that became too narrow limits what may cross, and they are
/// made anew. Where that does not end, pair by pair, as much as every cut can spare: always possible where as
/// much enters each switch as leaves it [Bang-Jensen, Frank, Jackson 1995]. Switches that do not keep that
/// balance may leave a graph that does not hold all trees: first_in_want() says so, and it is an InputError.
MemberGraph take_switches_out(const BandwidthProblem& problem, const BandwidthCut& optimum,
                              Progress& progress);

}  // namespace unknot
