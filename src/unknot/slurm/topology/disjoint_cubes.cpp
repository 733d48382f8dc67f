// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>

#include "unknot/slurm/topology/placed_cubes.hpp"
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

/// The sub-cubes part the torus, from its first place on.
bool at_multiples(const Torus& torus, const CubePlacement& placement) {
  for (std::uint32_t d = 0; d < 3; ++d) {
    if (placement.spacing[d] != placement.dims[d] || torus.dims[d] % placement.dims[d] != 0 ||
        placement.seed[d] % placement.dims[d] != 0)
      return false;
  }
  return true;
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
    if (!torus.node[p].valid()) continue;
    const std::uint32_t r = network.router_of(torus.node[p]).value;
    place[r] = ++nodes[r] == 1 ? p : kNobody;
  }
  return place;
}

/// Whether every node of a sub-cube, towards every other, has a next router of the same sub-cube: then all
/// routes between them stay inside, and no two sub-cubes share a channel. Every entry of the tables is looked
/// at once, for 64 shapes together: nothing is concluded from one sub-cube for another.
class InsideCheck {
 public:
  InsideCheck(const Network& network, const Torus& torus, const std::vector<CubeShape>& shapes)
      : network_(network),
        torus_(torus),
        shapes_(shapes),
        words_((shapes.size() + 63) / 64),
        place_(places_of_routers(network, torus)) {
    router_.reserve(torus.places());
    for (const TerminalId t : torus.node)
      router_.push_back(t.valid() ? network.router_of(t) : RouterId(network.router_count()));
    leaves_.resize(words_ * network.channel_count());
    for (const ChannelId c : network.channels()) {
      for (std::size_t w = 0; w < words_; ++w) leaves_[w * network.channel_count() + c.value] = leaving(c, w);
    }
  }

  /// By shape.
  std::vector<std::uint8_t> run(const NextChannels& next, std::uint32_t threads) const {
    std::vector<std::atomic<Mask>> outside(words_);
    if (shapes_.size() % 64 != 0)
      outside.back() = ~Mask{0} << shapes_.size() % 64;  // no shapes, not to be looked for
    const std::uint32_t workers = threads == 0 ? hardware_threads() : threads;
    std::vector<Scratch> scratch(workers);
    parallel_blocks(torus_.places(), kBlock, workers,
                    [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                      for (std::uint32_t p = begin; p < end; ++p) look(p, next, scratch[worker], outside);
                    });
    std::vector<std::uint8_t> inside;
    inside.reserve(shapes_.size());
    for (std::size_t s = 0; s < shapes_.size(); ++s) inside.push_back((outside[s / 64] >> s % 64 & 1) ^ 1);
    return inside;
  }

 private:
  /// Bit s % 64: of shape s, of those of one word.
  using Mask = std::uint64_t;

  struct Scratch {
    std::vector<ChannelId> next;
    std::array<std::vector<Mask>, 3> same;  // by dimension and coordinate: in which the destination's are
  };

  /// The shapes whose sub-cubes the channel leaves.
  [[nodiscard]] Mask leaving(ChannelId c, std::size_t word) const {
    const std::uint32_t from = place_[network_.source(c).value], to = place_[network_.target(c).value];
    if (from == kNobody || to == kNobody) return ~Mask{0};
    const Extents a = torus_.at(from), b = torus_.at(to);
    Mask all = 0;
    for (std::size_t s = word * 64; s < shapes_.size() && s < word * 64 + 64; ++s) {
      bool leaves = false;
      for (std::uint32_t d = 0; d < 3; ++d) {
        const std::uint32_t extent = shapes_[s].dims[d];
        leaves = leaves || (a[d] != b[d] && a[d] / extent != b[d] / extent);
      }
      all |= Mask{leaves} << s % 64;
    }
    return all;
  }

  void look(std::uint32_t to, const NextChannels& next, Scratch& scratch,
            std::vector<std::atomic<Mask>>& outside) const {
    if (std::all_of(outside.begin(), outside.end(), [](const auto& of_word) { return ~of_word == 0; }))
      return;
    if (!torus_.node[to].valid()) return;
    scratch.next.resize(network_.router_count() +
                        1);  // the last: of places without a node, which send nothing
    next(torus_.node[to], std::span(scratch.next).first(network_.router_count()));
    scratch.next[router_[to].value] = ChannelId();  // arrived
    for (std::size_t w = 0; w < words_; ++w) {
      find_same(to, w, ~outside[w].load(std::memory_order_relaxed), scratch.same);
      const Mask found = leaving_column(w, scratch);
      if (found != 0) outside[w].fetch_or(found);
    }
  }

  /// Of the shapes that are `open`: those in whose sub-cube of the destination a coordinate is.
  void find_same(std::uint32_t to, std::size_t word, Mask open,
                 std::array<std::vector<Mask>, 3>& same) const {
    const Extents at = torus_.at(to);
    for (std::uint32_t d = 0; d < 3; ++d) {
      same[d].assign(torus_.dims[d], 0);
      for (std::size_t s = word * 64; s < shapes_.size() && s < word * 64 + 64; ++s) {
        const Mask bit = Mask{1} << s % 64;
        if ((open & bit) == 0) continue;
        const std::uint32_t extent = shapes_[s].dims[d], first = at[d] / extent * extent;
        for (std::uint32_t i = first; i < first + extent; ++i) same[d][i] |= bit;
      }
    }
  }

  /// The shapes of which a node in the destination's sub-cube sends packets out of it.
  [[nodiscard]] Mask leaving_column(std::size_t word, const Scratch& scratch) const {
    const Mask* const leaves = leaves_.data() + word * network_.channel_count();
    const auto& [across, along, up] = scratch.same;
    // All of them hold the destination, so that what they take of a row is one range.
    std::uint32_t first = 0, last = torus_.dims[0];
    while (first < last && across[first] == 0) ++first;
    while (first < last && across[last - 1] == 0) --last;
    Mask found = 0;
    for (std::uint32_t z = 0; z < torus_.dims[2]; ++z) {
      for (std::uint32_t y = 0; y < torus_.dims[1]; ++y) {
        const Mask row = along[y] & up[z];
        if (row == 0) continue;
        const RouterId* const router = router_.data() + torus_.place({0, y, z});
        Mask of_row = 0;
        for (std::uint32_t x = first; x < last; ++x) {
          const ChannelId c = scratch.next[router[x].value];
          assert(!c.valid() || network_.source(c) == router[x]);
          // Packets that nobody passes on leave no sub-cube.
          if (c.valid()) of_row |= leaves[c.value] & across[x];
        }
        found |= of_row & row;
      }
    }
    return found;
  }

  const Network& network_;
  const Torus& torus_;
  const std::vector<CubeShape>& shapes_;
  std::size_t words_;                 // of 64 shapes each
  std::vector<std::uint32_t> place_;  // by router
  std::vector<RouterId> router_;      // by place; one more than the last where there is no node
  std::vector<Mask> leaves_;          // by word and channel
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
    if (!torus_.node[place].valid()) return;
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
    if (!torus_.node[from].valid()) return;
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
  const std::vector<std::uint32_t> places = places_of_routers(network, torus);
  const bool all = std::find(places.begin(), places.end(), kNobody) == places.end();
  // A router of several nodes is of several places, and of no one sub-cube.
  const bool alone = std::all_of(torus.node.begin(), torus.node.end(), [&](TerminalId t) {
    return !t.valid() || places[network.router_of(t).value] != kNobody;
  });
  std::vector<CubeShape> open;
  std::vector<std::size_t> number;
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    shapes[s].proven = true;
    shapes[s].shared = 0;
    if (!at_multiples(torus, shapes[s])) {
      prove_placed(network, torus, next, places, threads, shapes[s]);
      continue;
    }
    // Where there is but one sub-cube it shares nothing, and nothing is outside where all routers are in it;
    // a single node sends itself nothing.
    shapes[s].inside = shapes[s].anchors == 1 ? all : alone && shapes[s].nodes == 1;
    if (shapes[s].anchors == 1 || shapes[s].nodes == 1 || !alone) continue;
    open.push_back(shapes[s]);
    number.push_back(s);
  }
  const std::vector<std::uint8_t> inside = InsideCheck(network, torus, open).run(next, threads);
  for (std::size_t s = 0; s < open.size(); ++s) shapes[number[s]].inside = inside[s] != 0;
  parallel_blocks(static_cast<std::uint32_t>(shapes.size()), 1, threads,
                  [&](std::uint32_t /*worker*/, std::uint32_t begin, std::uint32_t end) {
                    for (std::uint32_t s = begin; s < end; ++s) {
                      if (shapes[s].inside || shapes[s].anchors == 1 || !at_multiples(torus, shapes[s]))
                        continue;
                      const CubeShape shape = shapes[s];
                      CubeWalker walker(network, torus, shape);
                      for (std::uint32_t p = 0; p < torus.places(); ++p) walker.walk(p, next);
                      walker.report(shapes[s]);
                    }
                  });
}

}  // namespace unknot::slurm
