// SPDX-License-Identifier: Apache-2.0
#include "unknot/slurm/topology/placed_cubes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot::slurm {
namespace {

constexpr std::uint32_t kNobody = 0xFFFFFFFFU;
constexpr std::uint32_t kBlock = 16;
constexpr double kMostSteps = 1e10;

InputError too_many(const CubeShape& shape, const char* what) {
  return InputError(fmt::format("placement {}x{}x{}: its {} sub-cubes are too many to {}", shape.dims[0],
                                shape.dims[1], shape.dims[2], shape.anchors, what));
}

/// Where sub-cubes lie: along each dimension, the anchors whose sub-cubes hold a coordinate.
class PlacedCubes {
 public:
  PlacedCubes(const Torus& torus, const CubeShape& shape) : torus_(torus), shape_(shape) {
    for (std::uint32_t d = 0; d < 3; ++d) {
      along_[d] = anchors_along(torus, shape, d);
      words_[d] = (along_[d].size() + 63) / 64;
      holds_[d].assign(words_[d] * torus.dims[d], 0);
      for (std::size_t a = 0; a < along_[d].size(); ++a) {
        for (std::uint32_t i = 0; i < shape.dims[d]; ++i)
          holds_[d][(along_[d][a] + i) % torus.dims[d] * words_[d] + a / 64] |= std::uint64_t{1} << a % 64;
      }
    }
  }

  /// Whether a sub-cube holds both places.
  [[nodiscard]] bool together(const Extents& a, const Extents& b) const {
    return shared(0, a, b) && shared(1, a, b) && shared(2, a, b);
  }
  /// Whether one that holds both does not hold the third. Of two that a sub-cube holds.
  [[nodiscard]] bool parted(const Extents& a, const Extents& b, const Extents& third) const {
    for (std::uint32_t d = 0; d < 3; ++d) {
      for (std::size_t w = 0; w < words_[d]; ++w)
        if ((word(d, a, w) & word(d, b, w) & ~word(d, third, w)) != 0) return true;
    }
    return false;
  }

  [[nodiscard]] Extents anchor(std::uint32_t cube) const {
    const std::size_t ys = along_[1].size(), zs = along_[2].size();
    return {along_[0][cube / zs / ys], along_[1][cube / zs % ys], along_[2][cube % zs]};
  }
  [[nodiscard]] std::vector<std::uint32_t> places(std::uint32_t cube) const {
    const Extents first = anchor(cube);
    std::vector<std::uint32_t> all;
    for (std::uint32_t z = 0; z < shape_.dims[2]; ++z) {
      for (std::uint32_t y = 0; y < shape_.dims[1]; ++y) {
        for (std::uint32_t x = 0; x < shape_.dims[0]; ++x) {
          all.push_back(torus_.place({(first[0] + x) % torus_.dims[0], (first[1] + y) % torus_.dims[1],
                                      (first[2] + z) % torus_.dims[2]}));
        }
      }
    }
    return all;
  }
  [[nodiscard]] bool overlap(std::uint32_t a, std::uint32_t b) const {
    const Extents one = anchor(a), other = anchor(b);
    for (std::uint32_t d = 0; d < 3; ++d) {
      const std::uint32_t ahead = (other[d] + torus_.dims[d] - one[d]) % torus_.dims[d];
      if (ahead >= shape_.dims[d] && torus_.dims[d] - ahead >= shape_.dims[d]) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] std::uint64_t word(std::uint32_t d, const Extents& at, std::size_t w) const {
    return holds_[d][at[d] * words_[d] + w];
  }
  [[nodiscard]] bool shared(std::uint32_t d, const Extents& a, const Extents& b) const {
    for (std::size_t w = 0; w < words_[d]; ++w)
      if ((word(d, a, w) & word(d, b, w)) != 0) return true;
    return false;
  }

  const Torus& torus_;
  const CubeShape& shape_;
  std::array<std::vector<std::uint32_t>, 3> along_;
  std::array<std::size_t, 3> words_{};
  std::array<std::vector<std::uint64_t>, 3> holds_;  // by dimension, coordinate and word: bits of anchors
};

/// Every entry of a node towards another of one of its sub-cubes leads to a node of all these.
bool all_inside(const Network& network, const Torus& torus, const NextChannels& next,
                const std::vector<std::uint32_t>& place, std::uint32_t threads, const PlacedCubes& cubes) {
  std::atomic<bool> inside{true};
  const std::uint32_t workers = threads == 0 ? hardware_threads() : threads;
  std::vector<std::vector<ChannelId>> columns(workers);
  const auto look = [&](std::uint32_t to, std::vector<ChannelId>& column) {
    const TerminalId node = torus.node[to];
    if (!node.valid()) return true;
    column.resize(network.router_count());
    next(node, column);
    const Extents there = torus.at(to);
    for (std::uint32_t from = 0; from < torus.places(); ++from) {
      if (from == to || !torus.node[from].valid() || !cubes.together(torus.at(from), there)) continue;
      const RouterId r = network.router_of(torus.node[from]);
      const ChannelId c = column[r.value];
      if (place[r.value] == kNobody) return false;
      if (!c.valid()) continue;
      const std::uint32_t by = place[network.target(c).value];
      if (by == kNobody || cubes.parted(torus.at(from), there, torus.at(by))) return false;
    }
    return true;
  };
  parallel_blocks(torus.places(), kBlock, workers,
                  [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                    for (std::uint32_t to = begin; to < end && inside.load(std::memory_order_relaxed); ++to)
                      if (!look(to, columns[worker])) inside.store(false, std::memory_order_relaxed);
                  });
  return inside;
}

/// By channel the sub-cubes whose routes take it, in order: walked one by one.
std::vector<std::vector<std::uint32_t>> takers_of(const Network& network, const Torus& torus,
                                                  const NextChannels& next, const CubeShape& shape,
                                                  const PlacedCubes& cubes) {
  std::vector<std::vector<std::uint32_t>> takers(network.channel_count());
  std::vector<ChannelId> column(network.router_count());
  std::vector<std::uint32_t> seen(network.router_count(), 0);
  std::uint32_t walk = 0;
  for (std::uint32_t cube = 0; cube < shape.anchors; ++cube) {
    const std::vector<std::uint32_t> places = cubes.places(cube);
    for (const std::uint32_t to : places) {
      if (!torus.node[to].valid()) continue;
      next(torus.node[to], column);
      seen[network.router_of(torus.node[to]).value] = ++walk;
      for (const std::uint32_t from : places) {
        if (!torus.node[from].valid()) continue;
        RouterId r = network.router_of(torus.node[from]);
        while (seen[r.value] != walk) {
          seen[r.value] = walk;
          const ChannelId c = column[r.value];
          if (!c.valid()) break;
          std::vector<std::uint32_t>& of = takers[c.value];
          if (of.empty() || of.back() != cube) of.push_back(cube);
          r = network.target(c);
        }
      }
    }
  }
  return takers;
}

}  // namespace

void prove_placed(const Network& network, const Torus& torus, const NextChannels& next,
                  const std::vector<std::uint32_t>& place, std::uint32_t threads, CubeShape& shape) {
  double words = 0;
  for (std::uint32_t d = 0; d < 3; ++d)
    words += std::ceil(static_cast<double>(anchors_along(torus, shape, d).size()) / 64);
  if (words * torus.places() * torus.places() > kMostSteps) throw too_many(shape, "compare");
  const PlacedCubes cubes(torus, shape);
  shape.inside = all_inside(network, torus, next, place, threads, cubes);
  shape.shared = 0;
  if (shape.inside) return;
  if (static_cast<double>(shape.anchors) * shape.nodes * network.router_count() > kMostSteps) {
    throw too_many(shape, "walk all of their routes, as packets leave");
  }
  const std::vector<std::vector<std::uint32_t>> takers = takers_of(network, torus, next, shape, cubes);
  for (std::uint32_t c = 0; c < takers.size(); ++c) {
    const auto apart = [&](std::uint32_t a) {
      return std::find_if(takers[c].begin(), takers[c].end(),
                          [&](std::uint32_t b) { return b > a && !cubes.overlap(a, b); });
    };
    for (const std::uint32_t a : takers[c]) {
      const auto b = apart(a);
      if (b == takers[c].end()) continue;
      if (shape.shared++ == 0) {
        shape.example = ChannelId(c);
        shape.first = cubes.anchor(a);
        shape.second = cubes.anchor(*b);
      }
      break;
    }
  }
}

}  // namespace unknot::slurm
