// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {

/// Kautz graph K(b, n): routers are the words of length n over b+1 letters without equal neighbours, with an
/// arc for each left shift: b^n + b^(n-1) routers, out- and in-degree b, diameter n. [Li, Lu, Su 2004]
struct KautzParams {
  std::uint32_t b = 2;    ///< out-degree: letters minus one
  std::uint32_t n = 2;    ///< letters in a word
  bool oriented = false;  ///< arcs as one-way channels; else each arc is a cable
};

/// With cables, the two arcs of a two-cycle are two parallel cables. Routers in lexicographic order of words.
Network kautz(const KautzParams& graph, const TerminalPlacement& terminals);

Topology kautz_topology();

}  // namespace unknot
