// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/saturating.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

// HyperX(L, S, K, T): routers on a grid of L dimensions, each joined to all that differ from it in one
// coordinate, by K cables. One dimension is a full mesh, sizes of two a hypercube, equal sizes a Hamming
// graph, two dimensions of equal size the flattened butterfly. [Ahn, Binkert, Davis, McLaren, Schreiber
// 2009]
struct HyperxParams {
  std::vector<std::uint32_t> dimensions;  // S: routers along each dimension
  std::uint32_t cables = 1;               // K: parallel cables between two neighbours
};

constexpr std::uint32_t kMostPorts = 65'535;

NetworkSize hyperx_size(const HyperxParams& shape, const TerminalPlacement& terminals) {
  NetworkSize size;
  size.routers = 1;
  for (const std::uint32_t extent : shape.dimensions)
    size.routers = saturating_multiply(size.routers, extent);
  for (const std::uint32_t extent : shape.dimensions) {
    // Each line of `extent` routers is a full mesh; one of extent and extent - 1 is even.
    const std::uint64_t others = std::uint64_t{extent} - 1;
    const std::uint64_t mesh =
        extent % 2 == 0 ? saturating_multiply(extent / 2, others) : saturating_multiply(extent, others / 2);
    const std::uint64_t lines = size.routers / extent;
    size.cables =
        saturating_add(size.cables, saturating_multiply(saturating_multiply(lines, mesh), shape.cables));
  }
  size.terminals = terminals.total(size.routers);
  return size;
}

HyperxParams params_from(const Parameters& p) {
  return {p.list("dims"), p.number32("cables")};
}

}  // namespace

// Routers are numbered with the last coordinate running fastest. Ports go dimension by dimension and, within
// one, by the neighbour's coordinate, its cables side by side; terminals follow. Fills coordinates.
// InputError beyond 65,535 ports.
static Network hyperx(const HyperxParams& shape, const TerminalPlacement& terminals) {
  const NetworkSize size = hyperx_size(shape, terminals);
  const auto routers = static_cast<std::uint32_t>(size.routers);
  const auto n = static_cast<std::uint32_t>(shape.dimensions.size());
  std::uint64_t ports = 0;
  for (const std::uint32_t extent : shape.dimensions) ports += (std::uint64_t{extent} - 1) * shape.cables;
  if (ports > kMostPorts) {
    throw InputError(
        fmt::format("topology hyperx: a router would have {} ports, at most {} fit", ports, kMostPorts));
  }
  NetworkBuilder builder;
  builder.reserve(routers, size.cables, size.terminals);
  builder.add_routers(routers);
  Coordinates coordinates{.dimensions = n, .value = {}, .extent = shape.dimensions, .wraps = false};
  coordinates.value.reserve(std::size_t{routers} * n);
  for (std::uint32_t r = 0; r < routers; ++r) {
    std::uint32_t stride = routers;
    std::uint32_t first_port = 1;  // of the dimension, on every router
    for (const std::uint32_t extent : shape.dimensions) {
      stride /= extent;
      const std::uint32_t here = r / stride % extent;
      coordinates.value.push_back(here);
      for (std::uint32_t there = here + 1; there < extent; ++there) {
        for (std::uint32_t k = 0; k < shape.cables; ++k) {
          // A router's ports skip its own coordinate.
          const std::uint32_t port = first_port + (there - 1) * shape.cables + k;
          const std::uint32_t far_port = first_port + here * shape.cables + k;
          builder.add_cable(RouterId(r), static_cast<std::uint16_t>(port),
                            RouterId(r + (there - here) * stride), static_cast<std::uint16_t>(far_port));
        }
      }
      first_port += (extent - 1) * shape.cables;
    }
  }
  place_terminals(builder, RouterId(0), routers, terminals);
  builder.set_coordinates(std::move(coordinates));
  return std::move(builder).build();
}

Topology hyperx_topology() {
  return {.name = "hyperx",
          .summary = "HyperX: a full mesh along each dimension of a grid",
          .parameters =
              {{.name = "dims",
                .kind = ParameterKind::list,
                .help = "routers along each dimension, as 4x4",
                .min = 1},
               {.name = "cables", .help = "parallel cables of two neighbours", .fallback = "1", .min = 1}},
          .size = [](const Parameters& p) { return hyperx_size(params_from(p), placement_from(p)); },
          .make = [](const Parameters& p) { return hyperx(params_from(p), placement_from(p)); },
          .examples = {"hyperx:4x3,p=2", "hyperx:3x3x2", "hyperx:5", "hyperx:3x1x4,cables=2,terminals=20"},
          .known_cut = [](const Parameters& p) -> std::optional<double> {
            // across the middle of one dimension; the shortest even one gives least
            const HyperxParams shape = params_from(p);
            double routers = 1;
            std::uint32_t least = 0;
            for (const std::uint32_t extent : shape.dimensions) {
              routers *= extent;
              if (extent % 2 == 0 && (least == 0 || extent < least)) least = extent;
            }
            if (least == 0) return std::nullopt;
            return routers * least / 4 * shape.cables;
          }};
}

}  // namespace unknot
