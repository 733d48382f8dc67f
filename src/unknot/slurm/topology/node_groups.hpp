// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/slurm/topology/topology_tree.hpp"

namespace unknot::slurm {

/// Nodes that Slurm's topology/block or topology/ring keeps together.
struct NodeGroup {
  std::string name;
  std::vector<std::string> nodes;  ///< of rings in their order
};

/// What topology/block knows: blocks, of which two neighbours, four, eight... are near each other as well.
struct Blocks {
  std::vector<std::uint32_t> sizes;  ///< nodes; the first that of the smallest block, others 2^k times it
  std::vector<NodeGroup> blocks;
};

/// Blocks of any fabric: the switches of that level of topology_tree() by which distances can be told best
/// (tree_error() of tree_of_groups()), in the order of the tree. InputError as topology_tree().
Blocks make_blocks(const Network& network);

/// Most nodes of a ring [topology.yaml(5) of Slurm 26.05].
inline constexpr std::uint32_t kMostOfRing = 16;

/// Rings of any fabric: of a torus, or another grid, with a dimension of 3 to 16 the lines along the longest
/// such one, else as many neighbours in topology_tree() as a ring takes. In each the sum of the distances
/// from node to node, around, is least, by dynamic programming over sets [Held and Karp 1962]. InputError as
/// topology_tree(). O(2^16 * 16) for each ring whose distances are new.
std::vector<NodeGroup> make_rings(const Network& network);

/// Mean number of channels from a node of a ring to the next. InputError for nodes that the fabric does not
/// have.
double ring_step(const Network& network, const std::vector<NodeGroup>& rings);

/// The groups below one root: what tree_error() says of them.
TopologyTree tree_of_groups(const std::vector<NodeGroup>& groups);

}  // namespace unknot::slurm
