// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "unknot/collective/trees/member_graph.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// By which arc each member gets the trees of each root: the pieces of a member together take all trees of
/// all other roots, and no more of an arc than its capacity. Along the pieces of one root ranks rise, so that
/// any choice among them is a tree.
struct TreePieces {
  struct Piece {
    std::uint32_t root = 0;  ///< place in members
    std::uint32_t arc = 0;   ///< number of the member graph's arc, which leads to the member
    std::uint64_t trees = 0;
  };
  std::vector<std::vector<Piece>> of;            ///< by member; roots ascending
  std::vector<std::vector<std::uint16_t>> rank;  ///< by member, then root
};

/// Packs trees member by member. With ranks given, what a member takes from whom is a problem of transport of
/// its own: trees of roots to arcs whose tail has a smaller rank. Ranks begin as distances from the root; a
/// member whose arcs cannot take all gives one tree a higher rank, which opens further arcs to it, at most
/// `slack` above the largest distance; those who took it from there and are no longer above look again.
/// Ranks only rise, so it ends, and it is given up where that takes long. Nothing then, and where a member is
/// left with trees that no arc can take: that does not say that there is no packing.
///
/// `units`: trees by root, by place in members.
std::optional<TreePieces> pack_by_ranks(const MemberGraph& graph, const std::vector<std::uint64_t>& units,
                                        std::uint32_t slack, Progress& progress);

}  // namespace unknot
