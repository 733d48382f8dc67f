// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/network/network.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/saturating.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

NetworkSize hypercube_size(std::uint64_t dimensions, const TerminalPlacement& terminals) {
  const std::uint64_t routers = saturating_power(2, dimensions);
  return {routers, saturating_multiply(routers / 2, dimensions), terminals.total(routers)};
}

}  // namespace

// Binary hypercube of D dimensions: 2^D routers, neighbours differ in one bit. Coordinate d is bit D-1-d, so
// that the last coordinate runs fastest as in a torus. Unlike the torus of sizes 2 it takes one port a
// dimension: dimension d is port d+1 on both ends, terminals follow.
static Network hypercube(std::uint32_t dimensions, const TerminalPlacement& terminals) {
  const NetworkSize size = hypercube_size(dimensions, terminals);
  const auto routers = static_cast<std::uint32_t>(size.routers);
  NetworkBuilder builder;
  builder.reserve(routers, size.cables, size.terminals);
  builder.add_routers(routers);
  Coordinates coordinates{.dimensions = dimensions,
                          .value = {},
                          .extent = std::vector<std::uint32_t>(dimensions, 2),
                          .wraps = false};
  coordinates.value.reserve(static_cast<std::size_t>(routers) * dimensions);
  for (std::uint32_t r = 0; r < routers; ++r) {
    for (std::uint32_t d = 0; d < dimensions; ++d) {
      const std::uint32_t bit = 1U << (dimensions - 1 - d);
      const auto port = static_cast<std::uint16_t>(d + 1);
      coordinates.value.push_back((r & bit) != 0 ? 1 : 0);
      if ((r & bit) == 0) builder.add_cable(RouterId(r), port, RouterId(r | bit), port);
    }
  }
  place_terminals(builder, RouterId(0), routers, terminals, dimensions + 1);
  builder.set_coordinates(std::move(coordinates));
  return std::move(builder).build();
}

Topology hypercube_topology() {
  return {.name = "hypercube",
          .summary = "binary hypercube, 2^D routers",
          .parameters = {{.name = "d", .help = "dimensions"}},
          .size = [](const Parameters& p) { return hypercube_size(p.number("d"), placement_from(p)); },
          .make = [](const Parameters& p) { return hypercube(p.number32("d"), placement_from(p)); },
          .examples = {"hypercube:4", "hypercube:3,p=2", "hypercube:0,p=4"}};
}

}  // namespace unknot
