// SPDX-License-Identifier: Apache-2.0
#include "unknot/slurm/topology/torus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

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

/// Which dimensions of a grid make which of a torus. Cables do not tell a ring of four from two dimensions of
/// two: where there are more than three, these are joined again.
class JoinedDimensions {
 public:
  explicit JoinedDimensions(const Coordinates& where) : where_(where) {
    std::vector<std::uint32_t> twos;
    for (std::uint32_t d = 0; d < where.dimensions; ++d)
      if (where.dimensions > 3 && where.extent[d] == 2) twos.push_back(d);
    std::vector<std::uint32_t> second(where.dimensions, where.dimensions);  // what is joined to a dimension
    std::vector<bool> joined(where.dimensions, false);
    for (std::size_t i = 0; i + 1 < twos.size(); i += 2) {
      second[twos[i]] = twos[i + 1];
      joined[twos[i + 1]] = true;
    }
    of_.resize(where.dimensions);
    for (std::uint32_t d = 0; d < where.dimensions; ++d) {
      if (joined[d]) continue;
      of_[d] = static_cast<std::uint32_t>(parts_.size());
      if (second[d] < where.dimensions) of_[second[d]] = of_[d];
      parts_.emplace_back(d, second[d]);
    }
  }

  [[nodiscard]] std::size_t count() const { return parts_.size(); }
  /// Of the torus, the dimension that one of the grid is in.
  [[nodiscard]] std::uint32_t of(std::uint32_t dimension) const { return of_[dimension]; }
  [[nodiscard]] std::uint32_t extent(std::uint32_t d) const {
    const auto [first, second] = parts_[d];
    return second < where_.dimensions ? 4 : where_.extent[first];
  }
  /// Around the four places of two dimensions of two: each differs from the next in one of them.
  [[nodiscard]] std::uint32_t coordinate(RouterId r, std::uint32_t d) const {
    const auto [first, second] = parts_[d];
    const std::uint32_t* const at = where_.value.data() + std::size_t{r.value} * where_.dimensions;
    return second < where_.dimensions ? (at[second] * 2) + (at[first] ^ at[second]) : at[first];
  }

 private:
  const Coordinates& where_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> parts_;  // by dimension of the torus
  std::vector<std::uint32_t> of_;                               // by dimension of the grid
};

}  // namespace

Torus find_torus(const Network& given) {
  const Network network = with_recognised_grid(given);
  const Coordinates* where = network.coordinates();
  if (where == nullptr) throw InputError("the fabric is no torus or mesh that can be told from its cables");
  if (const std::string trouble = grid_trouble(network); !trouble.empty())
    throw InputError(fmt::format("the fabric is no whole torus or mesh: {}", trouble));
  const JoinedDimensions joined(*where);
  if (joined.count() > 3)
    throw InputError(fmt::format("the torus has {} dimensions, and topology/torus3d 3", joined.count()));
  if (network.router_count() > kMostNodes) {
    throw InputError(
        fmt::format("{} routers are more than the {} nodes of a list", network.router_count(), kMostNodes));
  }
  Torus torus;
  for (std::uint32_t d = 0; d < joined.count(); ++d) torus.dims[d] = joined.extent(d);
  torus.node.resize(torus.places());
  const auto coordinates = [&](RouterId r) {
    Extents at{};
    for (std::uint32_t d = 0; d < joined.count(); ++d) at[d] = joined.coordinate(r, d);
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
    const std::uint32_t d = joined.of(grid.dimension[c.value]);
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
