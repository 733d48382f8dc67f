// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/topology/terminal_placement.hpp"
#include "unknot/topology/topology.hpp"

namespace unknot {

/// Points and blocks of one size, so that any two points share exactly one block: a Steiner system S(2, r2,
/// R1). A single-path tree SPT(r1, r2) has a leaf router for each point and an upper router for each block.
/// [Kathareios et al. 2015, section 2.2]
struct LinearSpace {
  std::uint32_t points = 0;             ///< R1 = 1 + r1 (r2 - 1)
  std::uint32_t blocks = 0;             ///< R2 = R1 r1 / r2
  std::uint32_t point_degree = 0;       ///< r1, blocks of a point
  std::uint32_t block_size = 0;         ///< r2, points of a block
  std::vector<std::uint32_t> block_of;  ///< points * r1: the blocks of each point, in the order of its ports
};

/// All pairs of n points, in lexicographic order: SPT(n - 1, 2).
LinearSpace pair_space(std::uint32_t points);
/// The projective plane of order k - 1 in the labelling of the k-ML3B table, SPT(k, k). k - 1 must be a prime
/// power. [Table 2 of the paper, which it matches entry for entry]
LinearSpace ml3b_space(std::uint32_t k);
/// A known design with these degrees: pairs (r2 = 2), projective planes (r1 = r2), points and lines of a
/// projective or an affine space over a finite field, Steiner triple systems (r2 = 3; Bose 1939, Skolem
/// 1958), unitals (r1 = (r2 - 1)^2), difference families (r2 = 4, 5 or 6). InputError where none is known,
/// with the reason or the nearest r1.
LinearSpace known_space(std::uint32_t r1, std::uint32_t r2);
/// Name of the construction, "" where none is known.
std::string known_design(std::uint32_t r1, std::uint32_t r2);

/// `copies` trees of one linear space that share their upper routers: leaf `point` of copy c is router c *
/// points + point, upper routers come last and have `copies * r2` ports. Levels are filled: 0 and 1.
Network stacked_tree(const LinearSpace& space, std::uint32_t copies, const TerminalPlacement& terminals);
NetworkSize stacked_tree_size(std::uint64_t points, std::uint64_t point_degree, std::uint64_t block_size,
                              std::uint64_t copies, const TerminalPlacement& terminals);

}  // namespace unknot
