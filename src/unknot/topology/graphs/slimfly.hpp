// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/topology/terminal_placement.hpp"
#include "unknot/topology/topology.hpp"

namespace unknot {

/// Slim Fly: the McKay-Miller-Siran graph of a prime power q = 4w + delta, delta in {-1, 0, 1}. [McKay,
/// Miller, Siran 1998; Besta, Hoefler 2014; Kathareios et al. 2015, section 2.1, whose second rule must read
/// "(1,m,c) to (1,m,c')"]
struct SlimFlyParams {
  std::uint32_t q = 5;
  /// Primitive element of GF(q), numbered as in GaloisField; 0: the smallest. Others give another graph where
  /// delta = -1 and q >= 11.
  std::uint32_t xi = 0;
};

/// Differences that make two routers of a column neighbours, in the order of their exponents.
struct SlimFlySets {
  std::vector<std::uint32_t> x;        ///< of subgraph 0
  std::vector<std::uint32_t> x_prime;  ///< of subgraph 1
};
SlimFlySets slimfly_sets(const SlimFlyParams& params);

/// 2 q^2 routers of degree (3q - delta)/2, diameter 2. Router (s, column, row) is number s q^2 + column q +
/// row. (0,x,y) and (0,x,y') are neighbours where y-y' is in X, (1,m,c) and (1,m,c') where c-c' is in X', and
/// (0,x,y) and (1,m,c) where y = m x + c, all in GF(q). InputError for a q that is no prime power or 2, and
/// for a xi that is not primitive.
Network slimfly(const SlimFlyParams& params, const TerminalPlacement& terminals);

/// (3q - delta)/2, cables of a router to others.
std::uint32_t slimfly_degree(std::uint32_t q);

}  // namespace unknot
