// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// Disjoint paths of four routers A-B-C-D where A and C have no common neighbour but B, B and D none but C,
/// and neither pair is adjacent. With A and C exchanging all their traffic, and B and D theirs, every
/// shortest path takes the cable B-C: it carries twice the terminals of a router both ways, the worst that
/// shortest paths can meet in a network of diameter two.
struct RouterQuads {
  std::vector<std::array<RouterId, 4>> quads;
  /// Routers that are in none, in pairs that exchange their traffic; two apart where that was possible. One
  /// router may be left out altogether.
  std::vector<std::array<RouterId, 2>> pairs;
};

/// Quads that cover the routers: all of them, or all but two where their number is 2 mod 4, wherever the
/// search found that (it does on Slim Flies). Greedy, the free router with the fewest free neighbours first,
/// since it is the first to be stranded; started again with other ties, drawn from a fixed seed, where more
/// are left. (Kathareios et al. 2015, section 4, gives the pattern.) `network` is to have links both ways.
/// O(routers^2 + routers * degree^3) for each start, mostly far less.
RouterQuads router_quads(const Network& network);

}  // namespace unknot
