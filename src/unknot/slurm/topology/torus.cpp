// SPDX-License-Identifier: Apache-2.0
#include "unknot/slurm/topology/torus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "unknot/network/grid.hpp"
#include "unknot/network/recognise_grid.hpp"
#include "unknot/support/error.hpp"

namespace unknot::slurm {
namespace {

constexpr std::uint32_t kMostNodes = 65'536;

/// The narrowest cut across a dimension: messages of an all-to-all that pass each of its channels.
double load_across(const Torus& torus, const Extents& cube, std::uint32_t d) {
  const std::uint32_t half = cube[d] / 2;
  const double near = half, far = cube[d] - half;  // on both sides of the cut
  const double rows = static_cast<double>(cube[0]) * cube[1] * cube[2] / cube[d];
  const double cuts = torus.ring[d] && cube[d] == torus.dims[d] ? 2 : 1;
  return near * far * rows / cuts / torus.cables[d];
}

double all_to_all(const Torus& torus, const Extents& cube) {
  const double others = static_cast<double>(cube[0]) * cube[1] * cube[2] - 1;
  double load = others;  // what every node's own link carries
  for (std::uint32_t d = 0; d < 3; ++d) load = std::max(load, load_across(torus, cube, d));
  return load == 0 ? 1 : others / load;
}

/// Mean over two different nodes of a sub-cube.
double distance_within(const Torus& torus, const Extents& cube) {
  const double nodes = static_cast<double>(cube[0]) * cube[1] * cube[2];
  double sum = 0;  // over ordered pairs, of each dimension
  for (std::uint32_t d = 0; d < 3; ++d) {
    const bool ring = torus.ring[d] && cube[d] == torus.dims[d];
    double of_line = 0;
    for (std::uint32_t apart = 1; apart < cube[d]; ++apart) {
      const double pairs = ring ? cube[d] : 2.0 * (cube[d] - apart);
      of_line += pairs * (ring ? std::min(apart, cube[d] - apart) : apart);
    }
    sum += of_line * (nodes / cube[d]) * (nodes / cube[d]);
  }
  return nodes == 1 ? 0 : sum / (nodes * (nodes - 1));
}

}  // namespace

Torus find_torus(const Network& given) {
  const Network network = with_recognised_grid(given);
  const Coordinates* where = network.coordinates();
  if (where == nullptr) throw InputError("the fabric is no torus or mesh that can be told from its cables");
  if (const std::string trouble = grid_trouble(network); !trouble.empty())
    throw InputError(fmt::format("the fabric is no whole torus or mesh: {}", trouble));
  if (where->dimensions > 3)
    throw InputError(fmt::format("the torus has {} dimensions, and topology/torus3d 3", where->dimensions));
  if (network.router_count() > kMostNodes) {
    throw InputError(
        fmt::format("{} routers are more than the {} nodes of a list", network.router_count(), kMostNodes));
  }
  Torus torus;
  std::copy(where->extent.begin(), where->extent.end(), torus.dims.begin());
  torus.node.resize(torus.places());
  const auto coordinates = [&](RouterId r) {
    Extents at{};
    const auto* values = where->value.data() + std::size_t{r.value} * where->dimensions;
    std::copy(values, values + where->dimensions, at.begin());
    return at;
  };
  for (const RouterId r : network.routers()) {
    if (network.terminals_at(r).size() != 1) {
      throw InputError(fmt::format("{} has {} terminals: a place of topology/torus3d has one node",
                                   network.router_name(r), network.terminals_at(r).size()));
    }
    torus.node[torus.place(coordinates(r))] = TerminalId(network.terminals_at(r).first());
  }
  const Grid grid = grid_of(network);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> cables;
  for (const ChannelId c : network.channels()) {
    const std::uint32_t d = grid.dimension[c.value];
    const std::uint32_t from = coordinates(network.source(c))[d], to = coordinates(network.target(c))[d];
    const std::uint32_t apart = std::max(from, to) - std::min(from, to);
    if (apart != 1 && apart + 1 != torus.dims[d]) {
      throw InputError(
          fmt::format("{} joins routers {} apart: its rows are full meshes, and those of a torus rings",
                      network.channel_name(c), apart));
    }
    if (apart > 1) torus.ring[d] = true;
    ++cables[{network.source(c).value, network.target(c).value}];
  }
  torus.cables.fill(std::numeric_limits<std::uint32_t>::max());
  for (const auto& [ends, count] : cables) {
    const Extents a = coordinates(RouterId(ends.first)), b = coordinates(RouterId(ends.second));
    for (std::uint32_t d = 0; d < 3; ++d)
      if (a[d] != b[d]) torus.cables[d] = std::min(torus.cables[d], count);
  }
  return torus;
}

std::vector<CubeShape> cube_shapes(const Torus& torus) {
  std::vector<CubeShape> shapes;
  for (std::uint32_t x = 1; x <= torus.dims[0]; ++x) {
    if (torus.dims[0] % x != 0) continue;
    for (std::uint32_t y = 1; y <= torus.dims[1]; ++y) {
      if (torus.dims[1] % y != 0) continue;
      for (std::uint32_t z = 1; z <= torus.dims[2]; ++z) {
        if (torus.dims[2] % z != 0) continue;
        CubeShape& shape = shapes.emplace_back();
        shape.dims = {x, y, z};
        shape.nodes = x * y * z;
        shape.anchors = torus.places() / shape.nodes;
        shape.all_to_all_bound = all_to_all(torus, shape.dims);
        shape.mean_distance = distance_within(torus, shape.dims);
      }
    }
  }
  std::sort(shapes.begin(), shapes.end(), [](const CubeShape& a, const CubeShape& b) {
    if (a.nodes != b.nodes) return a.nodes < b.nodes;
    if (a.all_to_all_bound != b.all_to_all_bound) return a.all_to_all_bound > b.all_to_all_bound;
    if (a.mean_distance != b.mean_distance) return a.mean_distance < b.mean_distance;
    return a.dims < b.dims;
  });
  return shapes;
}

std::vector<CubeShape> best_shapes(const std::vector<CubeShape>& shapes) {
  std::vector<CubeShape> best;
  for (const CubeShape& shape : shapes)
    if (best.empty() || best.back().nodes != shape.nodes) best.push_back(shape);
  return best;
}

}  // namespace unknot::slurm
