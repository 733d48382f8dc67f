// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/topology/designs/linear_space.hpp"

namespace unknot {

/// A difference family: blocks in a group, each difference other than 0 between two elements of one block
/// exactly once. Their translates are a design: any two points share exactly one block.

/// Whether wilson_family() has one: r2 is 4, 5 or 6, the points are a prime power of at most 60,000 that is 1
/// modulo r2 (r2 - 1), but not 81 for 5, nor 61 or 121 for 6. All of these were searched. O(1).
bool has_wilson_family(std::uint32_t r1, std::uint32_t r2);
/// Of one block in a finite field, whose r2 (r2 - 1) / 2 differences are in different cosets of as high
/// powers; multiples of it are the other blocks. [Wilson 1972, Cyclotomy and difference families in
/// elementary abelian groups] The first such block is taken; InputError where there is none. O(points r1).
LinearSpace wilson_family(std::uint32_t r1, std::uint32_t r2);

/// Whether small_family() has one.
bool has_small_family(std::uint32_t r1, std::uint32_t r2);
/// A family of a table: cyclic ones of points that are no prime power, one in the field of 81, and one of 45
/// points in the group of 3 x 3 x 5. InputError for what is not in it.
LinearSpace small_family(std::uint32_t r1, std::uint32_t r2);

}  // namespace unknot
