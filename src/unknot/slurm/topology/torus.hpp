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

/// A torus of three dimensions as Slurm's topology/torus3d knows it: a node at every place, the first
/// coordinate counting fastest. Smaller dimensions have an extent of 1.
struct Torus {
  Extents dims{1, 1, 1};
  std::vector<TerminalId> node;  ///< by place
  std::array<bool, 3>
      ring{};  ///< whether the first and the last of a line are neighbours, which are more than 2
  std::array<std::uint32_t, 3> cables{1, 1, 1};  ///< between neighbours, at least

  [[nodiscard]] std::uint32_t places() const { return dims[0] * dims[1] * dims[2]; }
  [[nodiscard]] std::uint32_t place(const Extents& at) const {
    return at[0] + dims[0] * (at[1] + dims[1] * at[2]);
  }
  [[nodiscard]] Extents at(std::uint32_t place) const {
    return {place % dims[0], place / dims[0] % dims[1], place / dims[0] / dims[1]};
  }
};

/// The torus or mesh that a fabric is, by its own coordinates or by those that recognise_grid() finds.
/// InputError, one sentence, for any other: cables missing, more than three dimensions, rows that are full
/// meshes of more than three, routers without a terminal or with several, more than 65,536 nodes.
Torus find_torus(const Network& network);

/// A shape of sub-cube, and where it may lie: at multiples of its extents, which divide those of the torus.
struct CubeShape {
  Extents dims{1, 1, 1};
  std::uint32_t nodes = 1, anchors = 1;
  /// The part of their links' speed at which all nodes of a sub-cube can send to all others evenly, by its
  /// narrowest cut across a dimension, where their packets stay inside.
  double all_to_all_bound = 1;
  double mean_distance = 0;  ///< channels between two of its nodes, where packets stay inside
  // By prove_disjoint(), of the routes in force:
  bool proven = false;       ///< they have been walked
  bool inside = false;       ///< those between nodes of a sub-cube pass no other router
  std::uint64_t shared = 0;  ///< channels that routes within two sub-cubes take: 0 means disjoint
  ChannelId example = {};    ///< one of them, and the places of the two
  Extents first{}, second{};
};

/// All shapes whose extents divide those of the torus, by nodes, then the larger bound, then the shorter
/// distance, then the extents.
std::vector<CubeShape> cube_shapes(const Torus& torus);
/// The first of each number of nodes.
std::vector<CubeShape> best_shapes(const std::vector<CubeShape>& shapes);

/// Looks at every route between two nodes of one sub-cube, for every anchor of each shape: at each node alone
/// where all next routers are inside, else hop by hop. Whether routes arrive is not asked: verify_routing()
/// does. O(nodes * routers) for the columns and for what up to 64 shapes together need of them, and 8 bytes
/// for each channel; O(nodes of a sub-cube * nodes) and 8 bytes for each channel for each shape whose packets
/// leave. On `threads` threads (0: all).
void prove_disjoint(const Network& network, const Torus& torus, const NextChannels& next,
                    std::uint32_t threads, std::vector<CubeShape>& shapes);

}  // namespace unknot::slurm
