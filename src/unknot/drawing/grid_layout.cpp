// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <set>

#include "unknot/drawing/node_layout.hpp"

namespace unknot::drawing {
namespace {

/// One step along each dimension: the first three to the right, down and obliquely up. Further ones put
/// copies of all that side by side, to the right and below in turns, and a little askew so that the cables
/// between copies do not lead through other nodes.
std::vector<Point> axes(const std::vector<std::uint32_t>& extent) {
  const auto hops = [&](std::size_t d) {
    return d < extent.size() ? static_cast<double>(extent[d]) - 1 : 0.0;
  };
  const double deep = hops(2);
  // A depth of two shows as a cube; of more, so that the last layer stays clear of the next cell.
  const double cell = deep == 0 ? 1 : deep == 1 ? 1.5 : 0.55 * (deep + 1);
  const Point oblique =
      deep <= 1 ? Point{0.6, -0.5} : Point{0.84 * cell / (deep + 1), -0.6 * cell / (deep + 1)};
  std::vector<Point> axis = {{cell, 0}, {0, cell}, oblique};
  axis.resize(std::min(axis.size(), extent.size()));
  Point block{cell * hops(0) + deep * oblique.x, cell * hops(1) - deep * oblique.y};
  const double askew = cell / 2;
  for (std::size_t d = 3; d < extent.size(); ++d) {
    const bool right = d % 2 == 1;
    const Point step = right ? Point{block.x + cell, askew} : Point{askew, block.y + cell};
    axis.push_back(step);
    block = block + hops(d) * step;
  }
  return axis;
}

}  // namespace

std::optional<std::vector<Point>> grid_places(const Network& network) {
  const Coordinates* const coordinates = network.coordinates();
  if (coordinates == nullptr) return std::nullopt;
  std::vector<std::uint32_t> used, extent;                     // dimensions with more than one value
  for (std::uint32_t d = coordinates->dimensions; d-- > 0;) {  // the last one, along which numbers run, first
    if (coordinates->extent[d] < 2) continue;
    used.push_back(d);
    extent.push_back(coordinates->extent[d]);
  }
  const auto value = [&](RouterId r, std::size_t i) {
    return coordinates->value[std::size_t{r.value} * coordinates->dimensions + used[i]];
  };
  if (used.size() == 1) {  // a line; rings and full meshes are better on a circle
    for (const ChannelId c : network.channels()) {
      const auto from = static_cast<std::int64_t>(value(network.source(c), 0));
      if (std::abs(from - static_cast<std::int64_t>(value(network.target(c), 0))) > 1) return std::nullopt;
    }
  }
  const std::vector<Point> axis = axes(extent);
  std::vector<Point> places;
  std::set<std::vector<std::uint32_t>> taken;
  for (const RouterId r : network.routers()) {
    Point at;
    std::vector<std::uint32_t> values;
    for (std::size_t i = 0; i < used.size(); ++i) {
      values.push_back(value(r, i));
      at = at + static_cast<double>(values.back()) * axis[i];
    }
    if (!taken.insert(std::move(values)).second) return std::nullopt;
    places.push_back(at);
  }
  return places;
}

}  // namespace unknot::drawing
