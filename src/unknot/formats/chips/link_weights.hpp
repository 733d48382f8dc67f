// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/adaptive/adaptive_routing.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// The links that packets may take, by destination: what weights are to say.
struct WantedWays {
  /// A router with terminals, and for each router positions among network.out(), ascending, each once; none
  /// at the destination alone.
  struct Destination {
    RouterId router;
    std::vector<std::vector<std::uint16_t>> positions;
  };
  std::vector<Destination> destinations;
};

/// InputError where two terminals of one router are sent to differently, or a router that packets come by has
/// no link: weights cannot say so; for source routes, several addresses, bubble flow control.
WantedWays wanted_ways(const Network& network, const Routing& routing);
/// The same of an adaptive routing, where it is one plane on one lane.
WantedWays wanted_ways(const Network& network, const AdaptiveRouting& routing);

/// Weights of channels, from 1, with which weighted_ways() gives exactly these ways wherever there are any,
/// and no total weight comes to 9,999 (gem5 takes 10,000 for no way, and the link to the controller weighs
/// 1).
///
/// Tried in turn: all equal; on whole grids a weight for each dimension, in either order, with one direction
/// of each ring a little lighter; linear programs (WeightProgram). The result is computed again with
/// weighted_ways() before it is given back. InputError where parallel links or loops forbid it, where the
/// programs prove that there are none, and where they are too many or too large to say. Deterministic.
std::vector<std::uint32_t> find_link_weights(const Network& network, const WantedWays& wanted);

}  // namespace unknot
