// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/network/network.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/grids/torus.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {

// Ring of routers joined by cables: the torus of one dimension, numbered and coordinated as such.
static Network ring(std::uint32_t routers, const TerminalPlacement& terminals) {
  return torus({routers}, terminals);
}

// Ring of one-way channels from each router to the next: leaves by port 1, enters by port 2, terminals from
// port 3. The smallest network in which shortest paths alone deadlock. [Dally, Seitz 1987, fig. 1]
static Network uniring(std::uint32_t routers, const TerminalPlacement& terminals) {
  NetworkBuilder builder;
  builder.reserve(routers, routers, terminals.total(routers));
  builder.add_routers(routers);
  for (std::uint32_t r = 0; r < routers; ++r) {
    builder.add_channel(RouterId(r), 1, RouterId((r + 1) % routers), 2);
  }
  place_terminals(builder, RouterId(0), routers, terminals, 3);
  Coordinates coordinates{.dimensions = 1, .value = {}, .extent = {routers}, .wraps = true};
  coordinates.value.resize(routers);
  for (std::uint32_t r = 0; r < routers; ++r) coordinates.value[r] = r;
  builder.set_coordinates(std::move(coordinates));
  return std::move(builder).build();
}

Topology ring_topology() {
  return {.name = "ring",
          .summary = "ring of N routers",
          .parameters = {{.name = "n", .help = "routers", .min = 1}},
          .size =
              [](const Parameters& p) {
                const std::uint64_t n = p.number("n");
                return NetworkSize{n, n > 2 ? n : n - 1, placement_from(p).total(n)};
              },
          .make = [](const Parameters& p) { return ring(p.number32("n"), placement_from(p)); },
          .examples = {"ring:5", "ring:2,p=3", "ring:8,terminals=11"}};
}

Topology uniring_topology() {
  return {.name = "uniring",
          .summary = "ring of N routers with one-way channels",
          .parameters = {{.name = "n", .help = "routers", .min = 2}},
          .size =
              [](const Parameters& p) {
                const std::uint64_t n = p.number("n");
                return NetworkSize{n, n, placement_from(p).total(n)};
              },
          .make = [](const Parameters& p) { return uniring(p.number32("n"), placement_from(p)); },
          .examples = {"uniring:5", "uniring:2", "uniring:6,p=2"}};
}

}  // namespace unknot
