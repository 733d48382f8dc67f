// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/traffic/pattern.hpp"

// The patterns themselves; catalogue.hpp lists them. All of them work on terminal numbers 0 .. terminals-1.
namespace unknot::traffic {

/// Random perfect matching of a random half with the other half, one direction; of an odd number one sits
/// out. (ORCS "bisect": Schneider, Hoefler, Lumsdaine 2009.)
TrafficPattern bisection(std::uint32_t terminals);
/// Random permutation; those it sends to themselves are idle.
TrafficPattern permutation(std::uint32_t terminals);
/// Each terminal to one chosen uniformly among the others.
TrafficPattern uniform(std::uint32_t terminals);
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
/// All bits of the number inverted.
TrafficPattern bit_complement(std::uint32_t terminals);
/// The bits of the number in reverse order.
TrafficPattern bit_reverse(std::uint32_t terminals);
/// Every terminal to every other.
TrafficPattern all_to_all();

}  // namespace unknot::traffic
