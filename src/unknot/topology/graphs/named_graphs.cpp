// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <span>
#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/network/network.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

// Graphs that meet the Moore bound of their degree and diameter, or that of their girth: as few hops as any
// network of the size and degree can have. Routers are numbered as the constructions number them.

Network finish(NetworkBuilder&& builder, const TerminalPlacement& terminals) {
  place_terminals(builder, RouterId(0), builder.router_count(), terminals);
  return std::move(builder).build();
}

/// A ring, and a chord from router i to i + jumps[i mod length]. Each chord is named at both of its ends.
Network from_lcf(std::span<const int> jumps, std::uint32_t repeats, const TerminalPlacement& terminals) {
  const auto routers = static_cast<std::uint32_t>(jumps.size()) * repeats;
  NetworkBuilder builder;
  builder.add_routers(routers);
  for (std::uint32_t r = 0; r < routers; ++r) builder.add_cable(RouterId(r), RouterId((r + 1) % routers));
  for (std::uint32_t r = 0; r < routers; ++r) {
    const auto to = (r + routers + static_cast<std::uint32_t>(jumps[r % jumps.size()])) % routers;
    if (r < to) builder.add_cable(RouterId(r), RouterId(to));
  }
  return finish(std::move(builder), terminals);
}

Topology graph_row(const char* name, const char* summary, std::uint32_t routers, std::uint32_t degree,
                   Network (*make)(const TerminalPlacement&)) {
  const std::string spec = name;
  return {.name = name,
          .summary = summary,
          .parameters = {},
          .size =
              [=](const Parameters& p) {
                return NetworkSize{routers, std::uint64_t{routers} * degree / 2,
                                   placement_from(p).total(routers)};
              },
          .make = [=](const Parameters& p) { return make(placement_from(p)); },
          .examples = {spec, spec + ":p=2"}};
}

}  // namespace

// 10 routers of degree 3, diameter 2: an outer pentagon, an inner pentagram, five spokes.
static Network petersen(const TerminalPlacement& terminals) {
  NetworkBuilder builder;
  builder.add_routers(10);
  for (std::uint32_t i = 0; i < 5; ++i) {
    builder.add_cable(RouterId(i), RouterId((i + 1) % 5));
    builder.add_cable(RouterId(5 + i), RouterId(5 + (i + 2) % 5));
    builder.add_cable(RouterId(i), RouterId(5 + i));
  }
  return finish(std::move(builder), terminals);
}

// 14 routers of degree 3, diameter 3, girth 6: LCF [5, -5]^7.
static Network heawood(const TerminalPlacement& terminals) {
  constexpr int kJumps[] = {5, -5};
  return from_lcf(kJumps, 7, terminals);
}

// Tutte-Coxeter graph: 30 routers of degree 3, diameter 4, girth 8. LCF [-13, -9, 7, -7, 9, 13]^5.
static Network levi(const TerminalPlacement& terminals) {
  constexpr int kJumps[] = {-13, -9, 7, -7, 9, 13};
  return from_lcf(kJumps, 5, terminals);
}

// 50 routers of degree 7, diameter 2: pentagons P0 to P4 and pentagrams Q0 to Q4, router j of P_h joined to
// router hi + j (mod 5) of each Q_i. [Robertson 1969]
static Network hoffman_singleton(const TerminalPlacement& terminals) {
  const auto pentagon = [](std::uint32_t h, std::uint32_t j) { return RouterId(5 * h + j % 5); };
  const auto pentagram = [](std::uint32_t i, std::uint32_t j) { return RouterId(25 + 5 * i + j % 5); };
  NetworkBuilder builder;
  builder.add_routers(50);
  for (std::uint32_t h = 0; h < 5; ++h) {
    for (std::uint32_t j = 0; j < 5; ++j) {
      builder.add_cable(pentagon(h, j), pentagon(h, j + 1));
      builder.add_cable(pentagram(h, j), pentagram(h, j + 2));
      for (std::uint32_t i = 0; i < 5; ++i) builder.add_cable(pentagon(h, j), pentagram(i, h * i + j));
    }
  }
  return finish(std::move(builder), terminals);
}

Topology petersen_topology() {
  return graph_row("petersen", "Petersen graph, 10 routers of degree 3, diameter 2", 10, 3, petersen);
}
Topology heawood_topology() {
  return graph_row("heawood", "Heawood graph, 14 routers of degree 3, diameter 3", 14, 3, heawood);
}
Topology levi_topology() {
  return graph_row("levi", "Levi graph (Tutte's 8-cage), 30 routers of degree 3, diameter 4", 30, 3, levi);
}
Topology hoffman_singleton_topology() {
  return graph_row("hoffman-singleton", "Hoffman-Singleton graph, 50 routers of degree 7, diameter 2", 50, 7,
                   hoffman_singleton);
}

}  // namespace unknot
