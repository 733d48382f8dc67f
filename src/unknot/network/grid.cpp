// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

namespace unknot {
namespace {

constexpr std::uint32_t kNoDimension = 0xFFFFFFFFU;
constexpr std::uint32_t kMostDimensions = 255;
constexpr std::uint32_t kSmallRing = 3;  // a ring of this many is a full mesh

enum class Line : std::uint8_t { line, ring, mesh };

class GridReader {
 public:
  GridReader(const Network& network, const Coordinates& coordinates)
      : network_(network), grid_(coordinates) {}

  std::span<const std::uint32_t> at(RouterId r) const {
    return {grid_.value.data() + std::size_t{r.value} * grid_.dimensions, grid_.dimensions};
  }

  /// The one dimension in which the ends differ, or kNoDimension.
  std::uint32_t dimension_of(ChannelId c) const {
    const auto from = at(network_.source(c));
    const auto to = at(network_.target(c));
    std::uint32_t found = kNoDimension;
    for (std::uint32_t d = 0; d < grid_.dimensions; ++d) {
      if (from[d] == to[d]) continue;
      if (found != kNoDimension) return kNoDimension;
      found = d;
    }
    return found;
  }

  /// Neighbours along a line, but not over its ends.
  bool adjacent(std::uint32_t a, std::uint32_t b) const { return std::max(a, b) - std::min(a, b) == 1; }

  std::vector<Line> shapes() const {
    std::vector<Line> shape(grid_.dimensions, Line::line);
    for (std::uint32_t d = 0; d < grid_.dimensions; ++d) {
      if (grid_.wraps && grid_.extent[d] > 2) shape[d] = Line::ring;
    }
    if (grid_.wraps) return shape;
    for (const ChannelId c : network_.channels()) {
      const std::uint32_t d = dimension_of(c);
      if (d == kNoDimension) continue;
      if (!adjacent(at(network_.source(c))[d], at(network_.target(c))[d])) shape[d] = Line::mesh;
    }
    return shape;
  }

  std::string trouble() const {
    if (grid_.dimensions > kMostDimensions) return fmt::format("more than {} dimensions", kMostDimensions);
    if (std::string missing = missing_router(); !missing.empty()) return missing;
    const std::vector<Line> shape = shapes();
    std::vector<std::uint32_t> first(grid_.dimensions + 1, 0);
    for (std::uint32_t d = 0; d < grid_.dimensions; ++d) first[d + 1] = first[d] + grid_.extent[d];
    // By dimension and coordinate: one more than the last router that has this neighbour.
    std::vector<std::uint32_t> joined(first.back(), 0);
    std::vector<std::uint32_t> neighbours;
    for (const RouterId r : network_.routers()) {
      const auto here = at(r);
      for (const ChannelId c : network_.out(r)) {
        const std::uint32_t d = dimension_of(c);
        if (d == kNoDimension) {
          return fmt::format("{} leads along no single dimension", network_.channel_name(c));
        }
        const std::uint32_t to = at(network_.target(c))[d];
        if (!belongs(shape[d], grid_.extent[d], here[d], to)) {
          return fmt::format("{} skips routers of dimension {}", network_.channel_name(c), d);
        }
        joined[first[d] + to] = r.value + 1;
      }
      for (std::uint32_t d = 0; d < grid_.dimensions; ++d) {
        list_neighbours(shape[d], grid_.extent[d], here[d], neighbours);
        for (const std::uint32_t to : neighbours) {
          if (joined[first[d] + to] == r.value + 1) continue;
          return fmt::format("{} at ({}) has no channel along dimension {} to coordinate {}",
                             network_.router_name(r), fmt::join(here, ","), d, to);
        }
      }
    }
    return "";
  }

 private:
  bool belongs(Line shape, std::uint32_t extent, std::uint32_t from, std::uint32_t to) const {
    if (shape == Line::mesh || adjacent(from, to)) return true;
    return shape == Line::ring && std::max(from, to) - std::min(from, to) == extent - 1;
  }

  /// Coordinates that a router must be joined to along a dimension.
  void list_neighbours(Line shape, std::uint32_t extent, std::uint32_t here,
                       std::vector<std::uint32_t>& to) const {
    to.clear();
    if (shape == Line::mesh) {
      for (std::uint32_t other = 0; other < extent; ++other) {
        if (other != here) to.push_back(other);
      }
      return;
    }
    if (here > 0 || shape == Line::ring) to.push_back(here > 0 ? here - 1 : extent - 1);
    if (here + 1 < extent || shape == Line::ring) to.push_back(here + 1 < extent ? here + 1 : 0);
  }

  std::string missing_router() const {
    std::uint64_t whole = 1;
    for (const std::uint32_t extent : grid_.extent) {
      whole *= extent;
      if (whole > network_.router_count()) {
        return fmt::format("a grid of {} has more than the {} routers that are here",
                           fmt::join(grid_.extent, "x"), network_.router_count());
      }
    }
    std::vector<std::uint8_t> taken(static_cast<std::size_t>(whole), 0);
    for (const RouterId r : network_.routers()) {
      std::uint64_t number = 0;
      for (std::uint32_t d = 0; d < grid_.dimensions; ++d) number = number * grid_.extent[d] + at(r)[d];
      if (taken[static_cast<std::size_t>(number)]++ != 0) {
        return fmt::format("{} shares its place ({}) with another router", network_.router_name(r),
                           fmt::join(at(r), ","));
      }
    }
    return "";
  }

  const Network& network_;
  const Coordinates& grid_;
};

}  // namespace

std::string grid_trouble(const Network& network) {
  if (network.coordinates() == nullptr) return "its routers have no coordinates";
  return grid_trouble(network, *network.coordinates());
}

std::string grid_trouble(const Network& network, const Coordinates& coordinates) {
  return GridReader(network, coordinates).trouble();
}

Grid grid_of(const Network& network) {
  const GridReader reader(network, *network.coordinates());
  const std::vector<Line> shape = reader.shapes();
  Grid grid;
  grid.dimension.reserve(network.channel_count());
  for (const ChannelId c : network.channels()) {
    grid.dimension.push_back(static_cast<std::uint8_t>(reader.dimension_of(c)));
  }
  for (std::size_t d = 0; d < shape.size(); ++d) {
    grid.ring.push_back(shape[d] == Line::ring && network.coordinates()->extent[d] > kSmallRing ? 1 : 0);
  }
  return grid;
}

}  // namespace unknot
