// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/topology/catalogue.hpp"

namespace unknot {

/// Two-level orthogonal fat tree k-OFT of the k-ML3B table: leaves (0,i) are routers 0 .. k(k-1), leaves
/// (2,i) follow, upper routers come last. k terminals a leaf by default; 3k^2-3k+3 routers of radix 2k.
/// Counterparts (0,i) and (2,i) have k shortest paths, other leaves one. k - 1 must be a prime power.
/// [Valerio et al. 1994; Kathareios et al. 2015, section 2.2.2]
Topology oft_topology();

}  // namespace unknot
