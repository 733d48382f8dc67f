// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {

/// De Bruijn graph B(b, n): routers are the words of length n over b letters, with an arc for each left
/// shift: b^n routers, diameter n. The b loops (words of one letter) are dropped: b^(n+1) - b arcs. [de
/// Bruijn 1946]
struct DeBruijnParams {
  std::uint32_t b = 2;    ///< letters
  std::uint32_t n = 2;    ///< letters in a word
  bool oriented = false;  ///< arcs as one-way channels; else each arc is a cable
};

/// With cables, the two arcs of a two-cycle are two parallel cables. Routers in lexicographic order of words.
Network debruijn(const DeBruijnParams& graph, const TerminalPlacement& terminals);

Topology debruijn_topology();

}  // namespace unknot
