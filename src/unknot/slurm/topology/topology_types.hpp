// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/slurm/topology/node_groups.hpp"
#include "unknot/slurm/topology/topology_tree.hpp"
#include "unknot/slurm/topology/torus.hpp"

// The types of topology that topology.yaml knows beside trees: block, ring and torus3d. [topology.yaml(5) of
// Slurm 26.05]
namespace unknot::slurm {

struct Rings {
  std::vector<NodeGroup> rings;
};

/// A torus of a file: its nodes by name, at their places, and the shapes that jobs may have.
struct NamedTorus {
  std::string name;
  Extents dims{1, 1, 1};
  std::vector<std::string> nodes;  ///< by place; "" where there is none
  std::vector<CubePlacement> placements;
};

using AnyTopology = std::variant<TopologyTree, Blocks, Rings, NamedTorus>;

/// `comment` goes in front, behind '#', line by line.
std::string blocks_yaml(const Blocks& blocks, std::string_view comment);
std::string rings_yaml(const Rings& rings, std::string_view comment);
std::string torus_yaml(const NamedTorus& torus, std::string_view comment);

/// The one topology of a topology.conf or topology.yaml, or its default one; flat ones are passed over.
/// Toruses: one; places that no region has are without a node. InputError with file and line for what the
/// manual page does not know, or forbids: unknown or missing keys, a node or name twice, block sizes that are
/// no powers of two of the first or more than a block has, rings of more than 16 nodes, numbers of nodes that
/// are not those of the extents, shapes and anchors beyond the torus.
AnyTopology parse_any_topology(std::string_view text, const std::string& file);

NamedTorus named(const Network& network, const Torus& torus, const std::vector<CubeShape>& shapes);
/// The torus that a file says a fabric is, right or wrong: `ring` and the channels, one each, are what the
/// file can mean at best. InputError, naming it, for a node that only one of the two has.
Torus torus_on(const Network& network, const NamedTorus& named);

/// Root of the mean squared difference between the number of channels between two nodes and their distance in
/// the torus, over pairs; 0 where the file says all. O(nodes * (nodes + channels)).
double torus_error(const Network& network, const Torus& torus);

}  // namespace unknot::slurm
