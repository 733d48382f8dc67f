// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "unknot/design/search/lift.hpp"

namespace unknot {

inline constexpr std::uint32_t kCubeSide = 4;
inline constexpr std::uint32_t kCubeRouters = 64;

/// Random regular lift of `ports` cables a router, by a random group of order routers / base. `base` divides
/// `routers`, and routers * ports is even.
Lift random_free_lift(std::uint32_t routers, std::uint32_t ports, std::uint32_t base, Random& random);

/// Cubes of 4 x 4 x 4 routers, meshes that stay as they are, with an optical port wherever a cable would
/// leave the cube (TPU v4: Jouppi et al. 2023). Ports as in a torus, 2 d + 1 up and 2 d + 2 down along
/// dimension d. The cable from the upper port of a place on face d ends at the lower port of the same place,
/// at any cube: one optical switch for each place of each pair of faces. By symmetry a random element of a
/// random group of as many elements as cubes says which (base 64); without, any matching of the ports of a
/// switch, at first that of a ring of the cubes (base 64 cubes, the group trivial).
Lift random_cube_lift(std::uint32_t cubes, bool symmetric, Random& random);

/// Random lift of at most `ports` cables a router, each within reach. Ports stay free where nothing within
/// reach has one.
Lift random_near_lift(std::shared_ptr<const LiftReach> reach, std::uint32_t ports, Random& random);

}  // namespace unknot
