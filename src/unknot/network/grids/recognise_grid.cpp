// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/grids/recognise_grid.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "unknot/network/bfs.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/network/grid.hpp"
#include "unknot/network/grids/faulty_grid.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;
constexpr std::uint32_t kMostNeighbours = 4096;  // of the first router: their pairs are looked at

/// Coordinates as they are found, "marks": 0 at the first router, then a new number for each router found on
/// an axis (the routers that differ from the first in one dimension). An axis is put in order at the end.
class GridFinder {
 public:
  explicit GridFinder(const Network& network) : network_(network) {}

  std::optional<Coordinates> find() {
    if (network_.router_count() < 2 || !part_first_neighbours() || !spread_marks()) return std::nullopt;
    std::uint64_t routers = 1;
    for (const Axis& axis : axes_) {
      routers *= axis.routers.size();
      if (routers > network_.router_count()) return std::nullopt;
    }
    if (routers != network_.router_count()) return std::nullopt;
    std::vector<std::vector<std::uint32_t>> places;
    bool ring = false;
    bool no_ring = false;  // lines and full meshes longer than three; what is shorter is a ring as well
    for (const Axis& axis : axes_) {
      Shape shape{};
      std::optional<std::vector<std::uint32_t>> place = arrange(axis, shape);
      if (!place) return std::nullopt;
      places.push_back(std::move(*place));
      if (shape == Shape::ring) ring = true;
      if (shape == Shape::line || shape == Shape::mesh) no_ring = true;
      if (shape == Shape::triangle) triangle_ = true;
    }
    if (ring && no_ring) return std::nullopt;
    Coordinates result{
        .dimensions = dimensions(), .value = {}, .extent = {}, .wraps = ring || (triangle_ && !no_ring)};
    for (const Axis& axis : axes_) result.extent.push_back(static_cast<std::uint32_t>(axis.routers.size()));
    result.value.reserve(mark_.size());
    for (const RouterId r : network_.routers()) {
      for (std::uint32_t d = 0; d < dimensions(); ++d) result.value.push_back(places[d][marks_of(r)[d]]);
    }
    if (!grid_trouble(network_, result).empty()) return std::nullopt;
    return result;
  }

 private:
  enum class Shape : std::uint8_t { pair, line, ring, triangle, mesh };

  struct Axis {
    std::vector<RouterId> routers;        // by mark
    std::vector<std::uint32_t> distance;  // by mark: from the first router
    void add(RouterId router, std::uint32_t far) {
      routers.push_back(router);
      distance.push_back(far);
    }
  };

  [[nodiscard]] std::uint32_t dimensions() const { return static_cast<std::uint32_t>(axes_.size()); }
  std::span<std::uint32_t> marks_of(RouterId r) {
    return {mark_.data() + std::size_t{r.value} * axes_.size(), axes_.size()};
  }

  /// The first router's neighbours by dimension, each with its mark. False where no grid can be.
  bool part_first_neighbours() {
    std::vector<RouterId> neighbours;
    std::vector<std::uint32_t> index(network_.router_count(), kNone);
    const RouterId first(0);
    for (const ChannelId c : network_.out(first)) {
      const RouterId to = network_.target(c);
      if (index[to.value] != kNone) continue;
      index[to.value] = static_cast<std::uint32_t>(neighbours.size());
      neighbours.push_back(to);
    }
    const auto count = static_cast<std::uint32_t>(neighbours.size());
    if (count == 0 || count > kMostNeighbours) return false;
    enum Relation : std::uint8_t { apart, adjacent, across };  // across: along different dimensions
    std::vector<std::uint8_t> relation(std::size_t{count} * count, apart);
    const auto relate = [&](std::uint32_t a, std::uint32_t b, Relation as) {
      relation[std::size_t{a} * count + b] = as;
      relation[std::size_t{b} * count + a] = as;
    };
    // By router two hops away: the neighbours of the first by which it is reached, two at most in a grid.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> via(network_.router_count(), {kNone, kNone});
    for (std::uint32_t i = 0; i < count; ++i) {
      for (const ChannelId c : network_.out(neighbours[i])) {
        const RouterId to = network_.target(c);
        if (to == first) continue;
        if (index[to.value] != kNone) {
          relate(i, index[to.value], adjacent);
          continue;
        }
        auto& [one, other] = via[to.value];
        if (one == i || other == i) continue;
        if (other != kNone) return false;
        (one == kNone ? one : other) = i;
        if (other != kNone) relate(one, other, across);
      }
    }
    return group(neighbours, relation, across, adjacent);
  }

  /// Neighbours not across from each other share a dimension: one, both ways along it, or a full mesh.
  bool group(const std::vector<RouterId>& neighbours, const std::vector<std::uint8_t>& relation,
             std::uint8_t across, std::uint8_t adjacent) {
    const std::size_t count = neighbours.size();
    std::vector<bool> taken(count, false);
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < count; ++i) {
      if (taken[i]) continue;
      members.clear();
      for (std::size_t j = i; j < count; ++j) {
        if (j != i && relation[i * count + j] == across) continue;
        if (taken[j]) return false;
        taken[j] = true;
        members.push_back(j);
      }
      for (const std::size_t a : members) {
        for (const std::size_t b : members) {
          if (a != b && relation[a * count + b] != adjacent && members.size() != 2) return false;
        }
      }
      axes_.emplace_back().add(RouterId(0), 0);
      for (const std::size_t j : members) axes_.back().add(neighbours[j], 1);
      if (axes_.size() >= 32 || network_.router_count() >> axes_.size() == 0) return false;
    }
    return true;
  }

  /// The marks of all routers, nearest first.
  bool spread_marks() {
    BreadthFirstSearch search(network_);
    const std::span<const std::uint32_t> distance = search.from(RouterId(0));
    if (search.order().size() != network_.router_count()) return false;
    mark_.assign(std::size_t{network_.router_count()} * axes_.size(), 0);
    for (std::uint32_t d = 0; d < dimensions(); ++d) {
      for (std::uint32_t m = 1; m < axes_[d].routers.size(); ++m) marks_of(axes_[d].routers[m])[d] = m;
    }
    for (const RouterId r : search.order()) {
      if (distance[r.value] >= 2 && !mark_from_nearer(r, distance)) return false;
    }
    return true;
  }

  bool mark_from_nearer(RouterId r, std::span<const std::uint32_t> distance) {
    const std::span<std::uint32_t> mark = marks_of(r);
    for (const ChannelId c : network_.out(r)) {
      const RouterId nearer = network_.target(c);
      if (distance[nearer.value] + 1 != distance[r.value]) continue;
      const std::span<const std::uint32_t> other = marks_of(nearer);
      for (std::uint32_t d = 0; d < dimensions(); ++d) {
        if (axes_[d].distance[other[d]] > axes_[d].distance[mark[d]]) mark[d] = other[d];
      }
    }
    std::uint32_t sum = 0;
    std::uint32_t along = kNone;
    std::uint32_t axes = 0;
    for (std::uint32_t d = 0; d < dimensions(); ++d) {
      if (mark[d] == 0) continue;
      sum += axes_[d].distance[mark[d]];
      along = d;
      ++axes;
    }
    if (sum == distance[r.value]) return true;
    // As far as its nearer neighbours, all on one axis: the axis goes on.
    if (axes != 1 || sum + 1 != distance[r.value]) return false;
    mark[along] = static_cast<std::uint32_t>(axes_[along].routers.size());
    axes_[along].add(r, distance[r.value]);
    return true;
  }

  /// By mark, the place along the axis: walked from one end, or around from the first router.
  std::optional<std::vector<std::uint32_t>> arrange(const Axis& axis, Shape& shape) {
    const auto size = static_cast<std::uint32_t>(axis.routers.size());
    std::vector<std::uint32_t> place(size, kNone);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> beside(size, {kNone, kNone});
    std::vector<std::uint32_t> mark_at(network_.router_count(), kNone);
    for (std::uint32_t m = 0; m < size; ++m) mark_at[axis.routers[m].value] = m;
    bool beyond_two = false;
    for (std::uint32_t m = 0; m < size; ++m) {
      for (const ChannelId c : network_.out(axis.routers[m])) {
        const std::uint32_t to = mark_at[network_.target(c).value];
        auto& [one, other] = beside[m];
        if (to == kNone || to == one || to == other) continue;
        beyond_two = beyond_two || other != kNone;
        if (other == kNone) (one == kNone ? one : other) = to;
      }
    }
    if (beyond_two || size == 2) {  // a full mesh, or no grid: any order shows which
      for (std::uint32_t m = 0; m < size; ++m) place[m] = m;
      shape = size == 2 ? Shape::pair : Shape::mesh;
      return place;
    }
    std::uint32_t at = 0;
    while (at < size && beside[at].second != kNone) ++at;
    const bool ring = at == size;
    shape = !ring ? Shape::line : size == 3 ? Shape::triangle : Shape::ring;
    if (ring) at = 0;
    for (std::uint32_t next = 0; next < size; ++next) {
      place[at] = next;
      const auto [one, other] = beside[at];
      if (one != kNone && place[one] == kNone) {
        at = one;
      } else if (other != kNone && place[other] == kNone) {
        at = other;
      } else if (next + 1 < size) {
        return std::nullopt;
      }
    }
    return place;
  }

  const Network& network_;
  std::vector<Axis> axes_;
  std::vector<std::uint32_t> mark_;  // by router, dimension
  bool triangle_ = false;
};

}  // namespace

std::optional<Coordinates> recognise_grid(const Network& network) {
  return GridFinder(network).find();
}

Network with_recognised_grid(Network network) {
  if (network.coordinates() != nullptr) return network;
  std::optional<Coordinates> found = recognise_grid(network);
  if (!found) found = recognise_faulty_grid(network);
  if (!found) return network;
  return NetworkBuilder::with_coordinates(std::move(network), std::move(*found));
}

}  // namespace unknot
