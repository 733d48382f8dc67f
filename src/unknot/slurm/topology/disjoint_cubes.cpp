// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>

#include "unknot/slurm/topology/torus.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot::slurm {
namespace {

constexpr std::uint32_t kNobody = 0xFFFFFFFFU;
constexpr std::uint32_t kBlock = 16;

Extents anchor_of(const Torus& torus, const CubeShape& shape, std::uint32_t place) {
  Extents at = torus.at(place);
  for (std::uint32_t d = 0; d < 3; ++d) at[d] = at[d] / shape.dims[d] * shape.dims[d];
  return at;
}

/// By place: the number of its sub-cube, which is the place of its anchor.
std::vector<std::uint32_t> cubes_of(const Torus& torus, const CubeShape& shape) {
  std::vector<std::uint32_t> cube(torus.places());
  for (std::uint32_t p = 0; p < cube.size(); ++p) cube[p] = torus.place(anchor_of(torus, shape, p));
  return cube;
}

/// Calls visit(first place, count) for the rows of a sub-cube.
template <class Visit>
void for_each_row(const Torus& torus, const Extents& anchor, const Extents& dims, const Visit& visit) {
  for (std::uint32_t z = 0; z < dims[2]; ++z) {
    for (std::uint32_t y = 0; y < dims[1]; ++y)
      visit(torus.place({anchor[0], anchor[1] + y, anchor[2] + z}), dims[0]);
  }
}

/// By router: the place of its one node; kNobody where it has none or several.
std::vector<std::uint32_t> places_of_routers(const Network& network, const Torus& torus) {
  std::vector<std::uint32_t> place(network.router_count(), kNobody), nodes(network.router_count(), 0);
  for (std::uint32_t p = 0; p < torus.places(); ++p) {
    const std::uint32_t r = network.router_of(torus.node[p]).value;
    place[r] = ++nodes[r] == 1 ? p : kNobody;
  }
  return place;
}

/// Whether every node of a sub-cube, towards every other, has a next router of the same sub-cube: then all
/// routes between them stay inside, and no two sub-cubes share a channel.
class InsideCheck {
 public:
  InsideCheck(const Network& network, const Torus& torus, const std::vector<CubeShape>& shapes)
      : network_(network), torus_(torus), shapes_(shapes), place_(places_of_routers(network, torus)) {
    for (const CubeShape& shape : shapes) cube_.push_back(cubes_of(torus, shape));
  }

  /// By shape.
  std::vector<std::uint8_t> run(const NextChannels& next, std::uint32_t threads) const {
    std::vector<std::atomic<bool>> outside(shapes_.size());
    const std::uint32_t workers = threads == 0 ? hardware_threads() : threads;
    std::vector<Scratch> scratch(workers);
    parallel_blocks(torus_.places(), kBlock, workers,
                    [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                      for (std::uint32_t p = begin; p < end; ++p) look(p, next, scratch[worker], outside);
                    });
    std::vector<std::uint8_t> inside;
    inside.reserve(outside.size());
    for (const std::atomic<bool>& one : outside) inside.push_back(one ? 0 : 1);
    return inside;
  }

 private:
  struct Scratch {
    std::vector<ChannelId> next;
    std::vector<std::uint32_t> follower;  // by place: the place that packets go to
  };

  void look(std::uint32_t to, const NextChannels& next, Scratch& scratch,
            std::vector<std::atomic<bool>>& outside) const {
    scratch.next.resize(network_.router_count());
    scratch.follower.resize(torus_.places());
    next(torus_.node[to], scratch.next);
    for (std::uint32_t p = 0; p < torus_.places(); ++p) {
      const RouterId r = network_.router_of(torus_.node[p]);
      const ChannelId c = scratch.next[r.value];
      if (place_[r.value] == kNobody) {
        scratch.follower[p] = kNobody;
      } else {
        // Packets that nobody passes on leave no sub-cube.
        scratch.follower[p] = !c.valid() || p == to ? p : place_[network_.target(c).value];
      }
    }
    for (std::size_t s = 0; s < shapes_.size(); ++s) {
      if (outside[s]) continue;
      const std::vector<std::uint32_t>& cube = cube_[s];
      const std::uint32_t own = cube[to];
      bool all = true;
      for_each_row(torus_, torus_.at(own), shapes_[s].dims, [&](std::uint32_t first, std::uint32_t count) {
        for (std::uint32_t p = first; p < first + count; ++p) {
          const std::uint32_t after = scratch.follower[p];
          all = all && after != kNobody && cube[after] == own;
        }
      });
      if (!all) outside[s] = true;
    }
  }

  const Network& network_;
  const Torus& torus_;
  const std::vector<CubeShape>& shapes_;
  std::vector<std::uint32_t> place_;
  std::vector<std::vector<std::uint32_t>> cube_;
};

/// What the routes within the sub-cubes of one shape take: by channel the first and the last sub-cube that
/// takes it, by number. Walked one by one.
class CubeWalker {
 public:
  CubeWalker(const Network& network, const Torus& torus, const CubeShape& shape)
      : network_(network),
        torus_(torus),
        shape_(shape),
        least_(network.channel_count(), kNobody),
        most_(network.channel_count(), 0),
        seen_(network.router_count(), kNobody),
        next_(network.router_count()) {}

  /// All routes to the node at this place from the nodes of its sub-cube.
  void walk(std::uint32_t place, const NextChannels& next) {
    next(torus_.node[place], next_);
    const Extents anchor = anchor_of(torus_, shape_, place);
    const std::uint32_t cube = torus_.place(anchor);
    seen_[network_.router_of(torus_.node[place]).value] = place;
    for_each_row(torus_, anchor, shape_.dims, [&](std::uint32_t first, std::uint32_t count) {
      for (std::uint32_t from = first; from < first + count; ++from) walk_from(from, place, cube);
    });
  }

  void report(CubeShape& shape) const {
    shape.shared = 0;
    for (std::uint32_t c = 0; c < least_.size(); ++c) {
      if (least_[c] == kNobody || least_[c] == most_[c]) continue;
      if (shape.shared++ > 0) continue;
      shape.example = ChannelId(c);
      shape.first = torus_.at(least_[c]);
      shape.second = torus_.at(most_[c]);
    }
  }

 private:
  /// Up to a router that a route to the same place has passed: they go on alike.
  void walk_from(std::uint32_t from, std::uint32_t to, std::uint32_t cube) {
    RouterId r = network_.router_of(torus_.node[from]);
    while (seen_[r.value] != to) {
      seen_[r.value] = to;
      const ChannelId c = next_[r.value];
      if (!c.valid()) return;
      least_[c.value] = std::min(least_[c.value], cube);
      most_[c.value] = std::max(most_[c.value], cube);
      r = network_.target(c);
    }
  }

  const Network& network_;
  const Torus& torus_;
  const CubeShape& shape_;
  std::vector<std::uint32_t> least_, most_;
  std::vector<std::uint32_t> seen_;  // by router: the place that a route which passed it leads to
  std::vector<ChannelId> next_;
};

}  // namespace

void prove_disjoint(const Network& network, const Torus& torus, const NextChannels& next,
                    std::uint32_t threads, std::vector<CubeShape>& shapes) {
  // Where there is but one sub-cube it shares nothing, and nothing is outside where all routers are in it.
  const std::vector<std::uint32_t> places = places_of_routers(network, torus);
  const bool all = std::find(places.begin(), places.end(), kNobody) == places.end();
  std::vector<CubeShape> several;
  std::vector<std::size_t> number;
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    shapes[s].proven = true;
    shapes[s].inside = all && shapes[s].anchors == 1;
    shapes[s].shared = 0;
    if (shapes[s].anchors == 1) continue;
    several.push_back(shapes[s]);
    number.push_back(s);
  }
  const std::vector<std::uint8_t> inside = InsideCheck(network, torus, several).run(next, threads);
  for (std::size_t s = 0; s < several.size(); ++s) shapes[number[s]].inside = inside[s] != 0;
  parallel_blocks(static_cast<std::uint32_t>(shapes.size()), 1, threads,
                  [&](std::uint32_t /*worker*/, std::uint32_t begin, std::uint32_t end) {
                    for (std::uint32_t s = begin; s < end; ++s) {
                      if (shapes[s].inside || shapes[s].anchors == 1) continue;
                      const CubeShape shape = shapes[s];
                      CubeWalker walker(network, torus, shape);
                      for (std::uint32_t p = 0; p < torus.places(); ++p) walker.walk(p, next);
                      walker.report(shapes[s]);
                    }
                  });
}

}  // namespace unknot::slurm
