// SPDX-License-Identifier: Apache-2.0
#include "unknot/design/search/starts.hpp"

#include <array>

namespace unknot {
namespace {

std::uint32_t any_element(const SearchGroup& group, Random& random) {
  return random.below(group.order());
}

/// The group must have an involution where an odd number of ports is left on an odd number of routers: any of
/// even order has.
bool needs_half(std::uint32_t base, std::uint32_t ports) {
  return base % 2 == 1 && ports % 2 == 1;
}

}  // namespace

Lift random_free_lift(std::uint32_t routers, std::uint32_t ports, std::uint32_t base, Random& random) {
  Lift lift{.group = random_group(routers / base, random),
            .base = base,
            .ports = ports,
            .cables = {},
            .either_end = true};
  struct End {
    std::uint32_t router;
    std::uint16_t port;
  };
  std::vector<End> ends;
  ends.reserve(std::size_t{base} * ports);
  for (std::uint32_t b = 0; b < base; ++b) {
    for (std::uint32_t i = 0; i < ports; ++i) ends.push_back({b, static_cast<std::uint16_t>(i + 1)});
  }
  random.shuffle(ends);
  lift.cables.reserve(ends.size() / 2 + 1);
  if (needs_half(base, ports)) {
    const std::vector<std::uint32_t>& turns = lift.group.involutions();
    const End end = ends.back();
    ends.pop_back();
    lift.cables.push_back({.from = end.router,
                           .to = end.router,
                           .turn = turns[random.below(static_cast<std::uint32_t>(turns.size()))],
                           .from_port = end.port,
                           .to_port = end.port,
                           .pool = 1,
                           .half = true});
  }
  for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
    // a router of a copy is never joined to itself
    std::uint32_t turn = any_element(lift.group, random);
    if (ends[i].router == ends[i + 1].router && turn == 0 && lift.group.order() > 1) turn = 1;
    lift.cables.push_back({.from = ends[i].router,
                           .to = ends[i + 1].router,
                           .turn = turn,
                           .from_port = ends[i].port,
                           .to_port = ends[i + 1].port,
                           .pool = 0});
  }
  return lift;
}

Lift random_cube_lift(std::uint32_t cubes, bool symmetric, Random& random) {
  Lift lift{.group = random_group(symmetric ? cubes : 1, random),
            .base = symmetric ? kCubeRouters : kCubeRouters * cubes,
            .ports = 6,
            .cables = {}};
  constexpr std::array<std::uint32_t, 3> kStride{16, 4, 1};
  lift.cables.reserve(std::size_t{lift.base} * 3);
  for (std::uint32_t router = 0; router < lift.base; ++router) {
    for (std::uint32_t d = 0; d < 3; ++d) {
      const std::uint32_t place = router % kCubeRouters;
      const auto up = static_cast<std::uint16_t>(2 * d + 1);
      const auto down = static_cast<std::uint16_t>(2 * d + 2);
      const std::uint32_t at = place / kStride[d] % kCubeSide;
      if (at + 1 < kCubeSide) {
        lift.cables.push_back({.from = router, .to = router + kStride[d], .from_port = up, .to_port = down});
        continue;
      }
      const std::uint32_t opposite = router - (kCubeSide - 1) * kStride[d];
      lift.cables.push_back({.from = router,
                             .to = symmetric ? opposite : (opposite + kCubeRouters) % lift.base,
                             .turn = any_element(lift.group, random),
                             .from_port = up,
                             .to_port = down,
                             .pool = d * kCubeRouters + opposite % kCubeRouters});
    }
  }
  return lift;
}

}  // namespace unknot
