// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/saturating.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

struct HammingMesh {
  std::uint64_t a, b, x, y;
  [[nodiscard]] std::uint64_t columns() const { return saturating_multiply(a, x); }
  [[nodiscard]] std::uint64_t rows() const { return saturating_multiply(b, y); }
  [[nodiscard]] std::uint64_t accelerators() const { return saturating_multiply(columns(), rows()); }
};

HammingMesh shape_from(const Parameters& p) {
  return {p.number("a"), p.number("b"), p.number("x"), p.number("y")};
}

NetworkSize hammingmesh_size(const Parameters& p) {
  const HammingMesh mesh = shape_from(p);
  // a line over x boards of a has a - 1 cables inside each and two to its switch
  const std::uint64_t along = saturating_multiply(mesh.rows(), saturating_multiply(mesh.x, mesh.a + 1));
  const std::uint64_t across = saturating_multiply(mesh.columns(), saturating_multiply(mesh.y, mesh.b + 1));
  return {saturating_add(mesh.accelerators(), saturating_add(mesh.rows(), mesh.columns())),
          saturating_add(along, across), placement_from(p).total(mesh.accelerators())};
}

Network make_hammingmesh(const Parameters& p) {
  const HammingMesh mesh = shape_from(p);
  const NetworkSize size = hammingmesh_size(p);
  const auto columns = static_cast<std::uint32_t>(mesh.columns());
  const auto rows = static_cast<std::uint32_t>(mesh.rows());
  NetworkBuilder builder;
  builder.reserve(size.routers, size.cables, size.terminals);
  builder.add_routers(static_cast<std::uint32_t>(size.routers));
  /// Accelerators `stride` apart from `first`, boards of `board` of them, and their switch.
  const auto line = [&](std::uint32_t first, std::uint32_t stride, std::uint32_t count, std::uint64_t board,
                        std::uint32_t to) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const RouterId here(first + i * stride);
      if (i % board == 0) builder.add_cable(here, RouterId(to));
      if ((i + 1) % board == 0) {
        builder.add_cable(here, RouterId(to));
      } else {
        builder.add_cable(here, RouterId(first + (i + 1) * stride));
      }
    }
  };
  const std::uint32_t switches = rows * columns;
  for (std::uint32_t row = 0; row < rows; ++row) line(row * columns, 1, columns, mesh.a, switches + row);
  for (std::uint32_t column = 0; column < columns; ++column)
    line(column, columns, rows, mesh.b, switches + rows + column);
  place_terminals(builder, RouterId(0), rows * columns, placement_from(p));
  return std::move(builder).build();
}

}  // namespace

// HammingMesh: x times y boards, each a mesh of a times b accelerators. A line of accelerators over all
// boards of a row, or of a column, has a switch, to which both ends of its part of each board have a cable
// (two where the part is a single one). Accelerators come first, each a router with a terminal, row by row
// over all boards; then the switches of the rows, and those of the columns. One switch a line stands for the
// fat tree that larger ones need. [Hoefler et al., SC 2022]
Topology hammingmesh_topology() {
  return {
      .name = "hammingmesh",
      .summary = "HammingMesh: x times y boards of a times b accelerators, a switch for each row and column",
      .parameters = {{.name = "a", .help = "accelerators along a board", .min = 1, .max = 1000},
                     {.name = "b", .help = "accelerators across a board", .min = 1, .max = 1000},
                     {.name = "x", .help = "boards in a row", .min = 1, .max = 30'000},
                     {.name = "y", .help = "boards in a column", .min = 1, .max = 30'000}},
      .size = hammingmesh_size,
      .make = make_hammingmesh,
      .examples = {"hammingmesh:a=2,b=2,x=2,y=2", "hammingmesh:a=1,b=2,x=3,y=1,p=2"},
      .spread = TerminalSpread::evenly_on_some};
}

}  // namespace unknot
