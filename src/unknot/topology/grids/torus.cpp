// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/grids/torus.hpp"

#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/saturating.hpp"

namespace unknot {
namespace {

/// Cables along one line of routers.
std::uint64_t line_cables(std::uint32_t size, bool wraps) {
  return wraps && size > 2 ? size : size - 1;
}

NetworkSize grid_size(const std::vector<std::uint32_t>& dimensions, bool wraps,
                      const TerminalPlacement& terminals) {
  NetworkSize size;
  size.routers = 1;
  for (const std::uint32_t extent : dimensions) size.routers = saturating_multiply(size.routers, extent);
  for (const std::uint32_t extent : dimensions) {
    size.cables =
        saturating_add(size.cables, saturating_multiply(size.routers / extent, line_cables(extent, wraps)));
  }
  size.terminals = terminals.total(size.routers);
  return size;
}

Network grid(const std::vector<std::uint32_t>& dimensions, bool wraps, const TerminalPlacement& terminals) {
  const NetworkSize size = grid_size(dimensions, wraps, terminals);
  const auto routers = static_cast<std::uint32_t>(size.routers);
  const auto n = static_cast<std::uint32_t>(dimensions.size());
  std::vector<std::uint32_t> stride(n, 1);
  for (std::uint32_t d = n; d-- > 1;) stride[d - 1] = stride[d] * dimensions[d];

  NetworkBuilder builder;
  builder.reserve(routers, size.cables, size.terminals);
  builder.add_routers(routers);
  Coordinates coordinates{.dimensions = n, .value = {}, .extent = dimensions, .wraps = wraps};
  coordinates.value.reserve(static_cast<std::size_t>(routers) * n);
  std::vector<std::uint32_t> at(n, 0);
  for (std::uint32_t r = 0; r < routers; ++r) {
    coordinates.value.insert(coordinates.value.end(), at.begin(), at.end());
    for (std::uint32_t d = 0; d < n; ++d) {
      const bool inner = at[d] + 1 < dimensions[d];
      if (!inner && !(wraps && dimensions[d] > 2)) continue;
      const std::uint32_t to = inner ? r + stride[d] : r - at[d] * stride[d];
      builder.add_cable(RouterId(r), static_cast<std::uint16_t>(2 * d + 1), RouterId(to),
                        static_cast<std::uint16_t>(2 * d + 2));
    }
    for (std::uint32_t d = n; d-- > 0;) {
      if (++at[d] < dimensions[d]) break;
      at[d] = 0;
    }
  }
  place_terminals(builder, RouterId(0), routers, terminals, 2 * n + 1);
  builder.set_coordinates(std::move(coordinates));
  return std::move(builder).build();
}

Parameter dimensions_parameter() {
  return {.name = "dims", .kind = ParameterKind::list, .help = "size of each dimension, as 4x4x2", .min = 1};
}

}  // namespace

Network torus(const std::vector<std::uint32_t>& dimensions, const TerminalPlacement& terminals) {
  return grid(dimensions, true, terminals);
}

Network mesh(const std::vector<std::uint32_t>& dimensions, const TerminalPlacement& terminals) {
  return grid(dimensions, false, terminals);
}

Topology torus_topology() {
  return {.name = "torus",
          .summary = "torus of any dimensions; size 2 is one cable",
          .parameters = {dimensions_parameter()},
          .size = [](const Parameters& p) { return grid_size(p.list("dims"), true, placement_from(p)); },
          .make = [](const Parameters& p) { return torus(p.list("dims"), placement_from(p)); },
          .examples = {"torus:4x4", "torus:4x2x2x2", "torus:5x1x3,p=2", "torus:3x3x3,terminals=40"}};
}

Topology mesh_topology() {
  return {.name = "mesh",
          .summary = "mesh of any dimensions",
          .parameters = {dimensions_parameter()},
          .size = [](const Parameters& p) { return grid_size(p.list("dims"), false, placement_from(p)); },
          .make = [](const Parameters& p) { return mesh(p.list("dims"), placement_from(p)); },
          .examples = {"mesh:4x3", "mesh:3x3x2,p=2", "mesh:7"}};
}

}  // namespace unknot
