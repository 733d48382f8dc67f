// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/traffic/patterns/pattern.hpp"

// The patterns themselves; catalogue.hpp lists them. All of them work on terminal numbers 0 .. terminals-1.
namespace unknot {

/// Random perfect matching of a random half with the other half, one direction; of an odd number one sits
/// out. (ORCS "bisect": Schneider, Hoefler, Lumsdaine 2009.)
TrafficPattern bisection(std::uint32_t terminals);
/// Random permutation; those it sends to themselves are idle.
TrafficPattern permutation(std::uint32_t terminals);
/// Each terminal to one chosen uniformly among the others; with `self` among all, and then it may send
/// nothing.
TrafficPattern uniform(std::uint32_t terminals, bool self = false);
/// Each terminal, with probability `fraction`, to one of `hotspots` terminals chosen at random for the
/// sample, else to one chosen uniformly among the others. (Pfister and Norton 1985.)
TrafficPattern hotspot(std::uint32_t terminals, double fraction, std::uint32_t hotspots);

/// t to t + distance, modulo the number of terminals.
TrafficPattern shift(std::uint32_t terminals, std::uint64_t distance);
/// t to t + ceil(terminals / 2) - 1: half way round a ring of terminals. (Dally and Towles 2004,
/// section 3.2.)
TrafficPattern tornado(std::uint32_t terminals);
/// Terminals in rows of a square: (i, j) to (j, i).
TrafficPattern transpose(std::uint32_t terminals);
/// Terminal k of each router with terminals to terminal k of the router `distance` further in the list of
/// those routers, around; where that has fewer, the rest is idle. The worst case of shortest paths on the OFT
/// and the MLFM. (Kathareios et al. 2015, section 4.)
TrafficPattern router_shift(const Network& network, std::uint64_t distance);

// Permutations of the bits of the number b-1 .. 0; terminals beyond the largest power of two are idle. (Dally
// and Towles 2004, table 3.1.)
/// All bits of the number inverted.
TrafficPattern bit_complement(std::uint32_t terminals);
/// The bits of the number in reverse order.
TrafficPattern bit_reverse(std::uint32_t terminals);
/// Bit i of the destination is bit i+1 of the source, around.
TrafficPattern bit_rotation(std::uint32_t terminals);
/// Bit i of the destination is bit i-1 of the source, around: the perfect shuffle.
TrafficPattern shuffle(std::uint32_t terminals);
/// The number rotated by half of its bits; the transpose of a square where their number is even.
TrafficPattern bit_transpose(std::uint32_t terminals);
/// The highest and the lowest bit exchanged.
TrafficPattern butterfly(std::uint32_t terminals);

/// Every terminal to every other.
TrafficPattern all_to_all();

/// How the processes of a grid are put on terminals.
enum class GridMapping {
  contiguous,  ///< process x + a (y + b z) on terminal of that number
  random,      ///< anywhere, drawn anew for each sample
  /// Bricks of the grid on each router: the grid is halved along its longest side, and so are the routers in
  /// their order, until one router is left.
  partition,
};
/// Each process of an a x b x c grid, closed around, sends a message to both neighbours in each dimension:
/// six, two of them to one process along an extent of 2, none along an extent of 1. An empty `extents` stands
/// for default_grid(). InputError, which `what` begins, for a grid with more processes than there are
/// terminals; terminals beyond it are idle.
TrafficPattern stencil3d(const Network& network, const std::vector<std::uint32_t>& extents,
                         GridMapping mapping, const std::string& what = "pattern stencil3d");
/// The same by the "dims" and "mapping" of grid_parameters().
TrafficPattern stencil3d(const Network& network, const Parameters& parameters, const char* what);
std::vector<Parameter> grid_parameters();

/// The worst permutation for shortest paths (of routers with equally many terminals), where the structure of
/// the network is one that has a known one:
/// * diameter two, terminals on every router: routers paired so that two pairs each share a channel both
/// ways, see
///   router_quads();
/// * terminals on some routers only, which are two channels apart: the shift by routers of smallest distance
/// that
///   meets only pairs of routers with a single shortest path.
/// InputError for other networks.
TrafficPattern worst_case(const Network& network);

}  // namespace unknot
