// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

NetworkSize ccc_size(const Parameters& p) {
  const std::uint64_t d = p.number("d");
  const std::uint64_t routers = d << d;
  return {routers, routers * 3 / 2, placement_from(p).total(routers)};
}

Network make_ccc(const Parameters& p) {
  const std::uint32_t d = p.number32("d");
  const NetworkSize size = ccc_size(p);
  const auto routers = static_cast<std::uint32_t>(size.routers);
  NetworkBuilder builder;
  builder.reserve(size.routers, size.cables, size.terminals);
  builder.add_routers(routers);
  const auto router = [d](std::uint32_t corner, std::uint32_t i) { return RouterId(corner * d + i); };
  for (std::uint32_t corner = 0; corner < 1U << d; ++corner) {
    for (std::uint32_t i = 0; i < d; ++i)
      builder.add_cable(router(corner, i), 1, router(corner, (i + 1) % d), 2);
  }
  for (std::uint32_t corner = 0; corner < 1U << d; ++corner) {
    for (std::uint32_t i = 0; i < d; ++i) {
      const std::uint32_t across = corner ^ (1U << i);
      if (corner < across) builder.add_cable(router(corner, i), 3, router(across, i), 3);
    }
  }
  place_terminals(builder, RouterId(0), routers, placement_from(p), 4);
  return std::move(builder).build();
}

}  // namespace

// Cube-connected cycles: each corner of a hypercube of d dimensions is a ring of d routers, and router i of
// it has the cable along dimension i. Router i of corner c is number c d + i; port 1 leads on round the ring,
// port 2 back, port 3 across. [Preparata, Vuillemin 1981]
Topology cube_connected_cycles_topology() {
  return {.name = "cube-connected-cycles",
          .summary = "hypercube whose corners are rings of D routers, degree 3",
          .parameters = {{.name = "d", .help = "dimensions, and routers of a ring", .min = 3, .max = 24}},
          .size = ccc_size,
          .make = make_ccc,
          .examples = {"cube-connected-cycles:3", "cube-connected-cycles:d=3,p=2"}};
}

}  // namespace unknot
