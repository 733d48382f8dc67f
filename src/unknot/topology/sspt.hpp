// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/topology/catalogue.hpp"

namespace unknot {

/// Stacked single-path tree SSPT(r1, r2): copies of a tree in which any two leaves share exactly one upper
/// router, with corresponding upper routers merged. 1 + r1 (r2 - 1) leaves a copy, each with r1 cables and r1
/// terminals; 2 r1 / r2 copies, rounded down, make upper routers of at most 2 r1 ports too. Where a design is
/// known: see known_space(). OFT is SSPT(k, k), MLFM is SSPT(h, 2). [Kathareios et al. 2015, section 2.2]
Topology sspt_topology();

}  // namespace unknot
