// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/saturating.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

NetworkSize full_mesh_size(const Parameters& p) {
  const std::uint64_t n = p.number("n");
  const std::uint64_t pairs =
      n % 2 == 0 ? saturating_multiply(n / 2, n - 1) : saturating_multiply(n, (n - 1) / 2);
  return {n, saturating_multiply(pairs, p.number("cables")), placement_from(p).total(n)};
}

Network make_full_mesh(const Parameters& p) {
  const std::uint32_t n = p.number32("n");
  const NetworkSize size = full_mesh_size(p);
  NetworkBuilder builder;
  builder.reserve(size.routers, size.cables, size.terminals);
  builder.add_routers(n);
  for (std::uint32_t r = 0; r < n; ++r) {
    for (std::uint32_t other = r + 1; other < n; ++other) {
      for (std::uint64_t k = 0; k < p.number("cables"); ++k) builder.add_cable(RouterId(r), RouterId(other));
    }
  }
  place_terminals(builder, RouterId(0), n, placement_from(p));
  return std::move(builder).build();
}

}  // namespace

// Full mesh: cables between every two routers, in order of their numbers.
Topology full_mesh_topology() {
  return {
      .name = "full-mesh",
      .summary = "full mesh, cables between every two of N routers",
      .parameters = {{.name = "n", .help = "routers", .min = 1},
                     {.name = "cables", .help = "parallel cables of two routers", .fallback = "1", .min = 1}},
      .size = full_mesh_size,
      .make = make_full_mesh,
      .examples = {"full-mesh:5", "full-mesh:4,cables=2,p=2"}};
}

}  // namespace unknot
