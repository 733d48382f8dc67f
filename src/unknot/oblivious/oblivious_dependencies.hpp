// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/deadlock/dependency_graph.hpp"
#include "unknot/network/network.hpp"
#include "unknot/oblivious/lane_scheme.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// The channel dependency graph of all shortest paths, or of all paths of Valiant's routing, between
/// different routers with terminals, each hop on the lane of `scheme`. An arc says that some such path takes
/// the two channels, on these lanes, one after the other: exactly those, no more and no less. At the
/// intermediate router of Valiant's routing that includes turning back.
///
/// No path is listed. Lanes, not paths, are pushed towards each destination: a packet's next lane follows
/// from its lane and from whether the intermediate lies between (LaneSteps), so what matters of all packets
/// that pass a router for one destination is a set of lanes, 64 bits. At an intermediate it matters besides
/// whether the packets of a lane come from one source or from several, since source and destination must
/// differ.
///
/// O(routers with terminals * (channels + pairs of consecutive channels on shortest paths to one)), three
/// passes, parallel over destinations. Memory: 16 bytes for each pair of consecutive channels of the network,
/// 8 for each arc. `lengths` must be those of the network, and the scheme made for them.
DependencyGraph oblivious_dependencies(const Network& network, const PathLengths& lengths,
                                       const LaneScheme& scheme, std::uint32_t threads, Progress& progress);

}  // namespace unknot
