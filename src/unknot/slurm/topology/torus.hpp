// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/slurm/topology/next_channels.hpp"

namespace unknot::slurm {

using Extents = std::array<std::uint32_t, 3>;

/// A torus of three dimensions as Slurm's topology/torus3d knows it: at most one node at every place, the
/// first coordinate counting fastest. Smaller dimensions have an extent of 1.
struct Torus {
  Extents dims{1, 1, 1};
  std::vector<TerminalId> node;  ///< by place; invalid where there is none
  std::array<bool, 3>
      ring{};  ///< whether the first and the last of a line are neighbours, which are more than 2
  /// By dimension and place: channels to the next place and back, from the last to the first where that is a
  /// ring.
  std::array<std::vector<std::uint32_t>, 3> forth, back;

  [[nodiscard]] std::uint32_t places() const { return dims[0] * dims[1] * dims[2]; }
  [[nodiscard]] std::uint32_t place(const Extents& at) const {
    return at[0] + dims[0] * (at[1] + dims[1] * at[2]);
  }
  [[nodiscard]] Extents at(std::uint32_t place) const {
    return {place % dims[0], place / dims[0] % dims[1], place / dims[0] / dims[1]};
  }
};

/// What Slurm takes for rings: all rows of more than two.
std::array<bool, 3> possible_rings(const Extents& dims);

/// The torus or mesh that a fabric is, by its own coordinates or by those that with_recognised_grid() finds;
/// cables may be missing, and nodes. InputError, one sentence, for any other: more than three dimensions,
/// rows that are full meshes of more than three, routers with several terminals, more than 65,536 places.
Torus find_torus(const Network& network);
/// Whether it has all its nodes and, along each dimension, the same number of cables everywhere.
bool is_whole(const Torus& torus);

/// A shape of sub-cube, and where it may lie: along each dimension at the seed and at steps of the spacing
/// from there, around, until the seed comes again. [placements of topology.yaml(5); as Slurm's plug-in has
/// it]
struct CubePlacement {
  Extents dims{1, 1, 1};
  Extents spacing = dims;
  Extents seed{};

  bool operator==(const CubePlacement&) const = default;
};

/// Coordinates of the anchors along a dimension, the seed first. O(extent).
std::vector<std::uint32_t> anchors_along(const Torus& torus, const CubePlacement& placement, std::uint32_t d);

/// What is known of a placement.
struct CubeShape : CubePlacement {
  std::uint32_t nodes = 1, anchors = 1;
  std::uint32_t whole = 1;  ///< sub-cubes with a node at every place
  /// The part of their links' speed at which all nodes of a sub-cube can send to all others evenly, by its
  /// narrowest cut across a dimension, where their packets stay inside. Of those that are whole, the least.
  double all_to_all_bound = 1;
  double mean_distance =
      0;  ///< channels between two of its nodes, where packets stay inside and none is missing
  // By prove_disjoint(), of the routes in force:
  bool proven = false;       ///< they have been walked
  bool inside = false;       ///< those between nodes of a sub-cube pass no other router
  std::uint64_t shared = 0;  ///< channels that routes within two sub-cubes take: 0 means disjoint
  ChannelId example = {};    ///< one of them, and the places of the two
  Extents first{}, second{};
};

/// What the sub-cubes of a placement offer, without routes.
CubeShape cube_shape(const Torus& torus, const CubePlacement& placement);
/// All shapes whose extents divide those of the torus, at multiples of their extents, by nodes, then the
/// larger bound, then the shorter distance, then the extents.
std::vector<CubeShape> cube_shapes(const Torus& torus);
/// The first of each number of nodes of which a sub-cube is whole.
std::vector<CubeShape> best_shapes(const std::vector<CubeShape>& shapes);

/// Looks at every route between two nodes of one sub-cube, for every anchor of each shape: at each node alone
/// where all next routers are inside, else hop by hop. Sub-cubes that overlap are of no two jobs at once, and
/// share what they like. Whether routes arrive is not asked: verify_routing() does. Of sub-cubes at multiples
/// of their extents: O(nodes * routers) for the columns and for what up to 64 shapes together need of them,
/// and 8 bytes for each channel; O(nodes of a sub-cube * nodes) and 8 bytes for each channel for each shape
/// whose packets leave. Of others O(nodes^2) for each shape, and O(anchors * nodes of a sub-cube * routers)
/// where packets leave; InputError where that is more than 10^10. On `threads` threads (0: all).
void prove_disjoint(const Network& network, const Torus& torus, const NextChannels& next,
                    std::uint32_t threads, std::vector<CubeShape>& shapes);

}  // namespace unknot::slurm
