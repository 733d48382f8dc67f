// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "fabric.hpp"

namespace unknot::opensm {

/// The switches of a group's tree, each after its parent, the root first.
struct MulticastTree {
  struct Node {
    std::uint32_t at = 0;      ///< switch of the fabric
    std::uint32_t parent = 0;  ///< among the nodes; the root's own
    std::uint8_t port = 0;     ///< to the parent; 0 at the root
    std::uint8_t parents_port = 0;
  };
  std::uint16_t lid = 0;
  std::uint8_t level = 0;
  std::vector<Node> nodes;
};

/// The trees of a file, checked against the fabric. They outlive it, so switches are kept as GUIDs, too.
///
/// A group gets a tree pruned to its members. What is left of a tree is a part of it, and so are the
/// dependencies between its channels: where the trees are proven whole, together with the tables, any groups
/// with any members are.
struct MulticastTrees {
  std::string path;                  ///< empty: there are none
  std::vector<MulticastTree> trees;  ///< by ascending LID
  std::vector<std::uint64_t> guid_of_switch;
  std::unordered_map<std::uint64_t, std::uint32_t> switch_of_guid;
  bool proven = false;
  std::uint16_t levels = 0;  ///< on which any group may use any tree

  /// The tree that the group gets: its own, else that of 0xC000, else the first.
  [[nodiscard]] const MulticastTree& tree_of(std::uint16_t lid) const;
  /// Highest level that the file names.
  [[nodiscard]] unsigned highest_level() const;
  /// True where a group with packets of the level is free of deadlock with the tables and all other groups.
  [[nodiscard]] bool is_proven(std::uint16_t lid, unsigned level) const;
  /// The ports that the group's packets are copied to. Members that the tree does not reach are marked
  /// so, and left out. Nothing for less than two members, as OpenSM has it.
  [[nodiscard]] std::vector<unknot_tree_port> prune(std::uint16_t lid,
                                                    std::span<unknot_member> members) const;
};

/// Reads the file and checks that what it says of each group is one tree of the live fabric: known switches,
/// ports that exist, cables used in both directions, no circle, no part that is cut off. Ports to adapters
/// only say that the switch is part of the tree, since members tell who receives. Throws Misfit.
MulticastTrees make_multicast_trees(const unknot_fabric& fabric, const std::string& path);

}  // namespace unknot::opensm
