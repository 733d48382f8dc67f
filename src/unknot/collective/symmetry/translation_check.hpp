// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "unknot/collective/symmetry/translations.hpp"

namespace unknot {

/// Why what is generated is no group as Translations says, one sentence; empty where it is one. Looks at
/// nothing but the images: that each is an automorphism, with capacities, members and terminals kept; that
/// they commute; that their orders have the number of members as their product, and every member is reached
/// from the first. A commutative group that reaches all of N members and has at most N elements has one for
/// each. O(generators^2 * nodes + generators * arcs log degree).
std::string translation_fault(const NodeGraph& graph, std::span<const NodeId> members,
                              std::span<const NodeImages> generators);

/// Arcs that images of each other are: by arc the first of them, and at that arc how many they are.
struct ArcOrbits {
  std::vector<std::uint32_t> first, size;
};
ArcOrbits arc_orbits(const NodeGraph& graph, std::span<const NodeImages> generators);

}  // namespace unknot
