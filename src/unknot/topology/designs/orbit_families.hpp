// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/topology/designs/linear_space.hpp"

namespace unknot {

/// Whether orbit_family() has a design.
bool has_orbit_family(std::uint32_t r1, std::uint32_t r2);
/// A design of a table: images of a few blocks under a group of permutations of the points, which are copies
/// of the integers modulo n and points that stay where they are. The group has x + 1, and a multiple of x
/// that goes to another copy. InputError for what is not in the table.
LinearSpace orbit_family(std::uint32_t r1, std::uint32_t r2);

}  // namespace unknot
