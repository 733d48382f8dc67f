// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/patterns/grid_of_processes.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>

namespace unknot {
namespace {

/// Grid of smallest surface with exactly `count` processes and no side longer than twice another; ascending.
std::optional<GridExtents> compact_grid(std::uint32_t count) {
  std::optional<GridExtents> best;
  std::uint64_t best_surface = 0;
  for (std::uint32_t a = 1; std::uint64_t{a} * a * a <= count; ++a) {
    if (count % a != 0) continue;
    const std::uint32_t rest = count / a;
    for (std::uint32_t b = a; std::uint64_t{b} * b <= rest; ++b) {
      if (rest % b != 0) continue;
      const std::uint32_t c = rest / b;
      if (c > 2 * a) continue;
      const std::uint64_t surface = std::uint64_t{a} * b + std::uint64_t{b} * c + std::uint64_t{a} * c;
      if (!best || surface < best_surface) {
        best = GridExtents{a, b, c};
        best_surface = surface;
      }
    }
  }
  return best;
}

std::vector<RouterId> neighbours(const Network& network, RouterId r) {
  std::vector<RouterId> list;
  for (const ChannelId c : network.out(r)) list.push_back(network.target(c));
  std::sort(list.begin(), list.end());
  return list;
}

/// Number of endpoint routers after which the neighbours of the first come again; 0 where they never do.
std::uint32_t layer_size(const Network& network, const std::vector<RouterId>& routers) {
  const std::vector<RouterId> first = neighbours(network, routers[0]);
  if (first.empty()) return 0;
  for (std::uint32_t i = 1; i < routers.size(); ++i) {
    if (network.out(routers[i]).size() == first.size() && neighbours(network, routers[i]) == first) return i;
  }
  return 0;
}

/// Splits a piece of the grid and a run of routers in step until one router is left.
class Bisection {
 public:
  Bisection(const Network& network, const GridExtents& extents)
      : network_(network), extents_(extents), routers_(network.endpoint_routers()) {
    process_.resize(std::size_t{extents[0]} * extents[1] * extents[2]);
    std::iota(process_.begin(), process_.end(), 0U);
  }

  std::vector<std::uint32_t> run() {
    // routers beyond the grid stay idle
    std::uint32_t last = 0;
    while (last < routers_.size() && first_terminal(last) < process_.size()) ++last;
    split(0, last);
    return std::move(process_);
  }

 private:
  /// Number of the first terminal of the i-th endpoint router: those before it have all the lower ones.
  [[nodiscard]] std::uint32_t first_terminal(std::uint32_t i) const {
    return network_.terminals_at(routers_[i]).first();
  }
  [[nodiscard]] std::uint32_t coordinate(std::uint32_t process, std::uint32_t dimension) const {
    for (std::uint32_t d = 0; d < dimension; ++d) process /= extents_[d];
    return process % extents_[dimension];
  }

  void split(std::uint32_t first, std::uint32_t last) {
    const auto size = static_cast<std::uint32_t>(process_.size());
    const std::uint32_t begin = first_terminal(first);
    const std::uint32_t end = last < routers_.size() ? std::min(size, first_terminal(last)) : size;
    const auto from = process_.begin() + begin;
    const auto to = process_.begin() + end;
    if (last - first < 2) {
      std::sort(from, to);
      return;
    }
    const std::uint32_t middle = first + (last - first) / 2;
    const std::uint32_t dimension = longest_side({from, to});
    std::nth_element(from, process_.begin() + first_terminal(middle), to,
                     [&](std::uint32_t p, std::uint32_t q) {
                       const std::uint32_t at_p = coordinate(p, dimension);
                       const std::uint32_t at_q = coordinate(q, dimension);
                       return at_p != at_q ? at_p < at_q : p < q;
                     });
    split(first, middle);
    split(middle, last);
  }

  [[nodiscard]] std::uint32_t longest_side(std::span<const std::uint32_t> piece) const {
    std::uint32_t longest = 0;
    std::uint32_t length = 0;
    for (std::uint32_t d = 0; d < 3; ++d) {
      std::uint32_t low = extents_[d];
      std::uint32_t high = 0;
      for (const std::uint32_t process : piece) {
        low = std::min(low, coordinate(process, d));
        high = std::max(high, coordinate(process, d));
      }
      // the last dimension wins ties: its planes are consecutive processes
      if (high + 1 - low >= length) {
        length = high + 1 - low;
        longest = d;
      }
    }
    return longest;
  }

  const Network& network_;
  GridExtents extents_;
  std::vector<RouterId> routers_;
  std::vector<std::uint32_t> process_;  // by terminal
};

}  // namespace

GridExtents default_grid(const Network& network) {
  const std::uint32_t terminals = network.terminal_count();
  if (terminals == 0) return {1, 1, 1};
  std::uint32_t count = terminals;
  std::optional<GridExtents> found = compact_grid(count);
  while (!found) found = compact_grid(--count);
  GridExtents extents = *found;
  const std::vector<RouterId> routers = network.endpoint_routers();
  if (const auto at = std::find(extents.begin(), extents.end(), network.terminals_at(routers[0]).size());
      at != extents.end()) {
    std::rotate(extents.begin(), at, at + 1);
  }
  if (const std::uint32_t layer = layer_size(network, routers); layer != 0 && layer == extents[2])
    std::swap(extents[1], extents[2]);
  return extents;
}

std::vector<std::uint32_t> partitioned_processes(const Network& network, const GridExtents& extents) {
  return Bisection(network, extents).run();
}

}  // namespace unknot
