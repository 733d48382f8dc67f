// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "unknot/drawing/node_layout.hpp"

namespace unknot::report {
namespace {

constexpr std::uint32_t kFewest = 12;  // routers that need no folding

/// Blocks of a grid, their sides doubled in turn until there are no more than the square root of the routers.
Groups blocks_of_grid(const Network& network) {
  const Coordinates& grid = *network.coordinates();
  std::vector<std::uint32_t> side(grid.dimensions, 1);
  const auto pieces = [&](std::uint32_t d) { return (grid.extent[d] + side[d] - 1) / side[d]; };
  while (true) {
    std::uint64_t blocks = 1;
    std::uint32_t widest = 0;
    for (std::uint32_t d = 0; d < grid.dimensions; ++d) {
      blocks *= pieces(d);
      if (pieces(d) > pieces(widest)) widest = d;
    }
    if (blocks * blocks <= network.router_count()) break;
    side[widest] *= 2;
  }
  Groups groups;
  std::map<std::vector<std::uint32_t>, std::uint32_t> known;
  for (const RouterId r : network.routers()) {
    std::vector<std::uint32_t> block(grid.dimensions);
    std::string name = "block ";
    for (std::uint32_t d = 0; d < grid.dimensions; ++d) {
      block[d] = grid.value[std::size_t{r.value} * grid.dimensions + d] / side[d];
      const std::uint32_t first = block[d] * side[d];
      const std::uint32_t last = std::min(first + side[d], grid.extent[d]) - 1;
      name += (d > 0 ? ", " : "") +
              (first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last));
    }
    const auto [at, fresh] = known.emplace(std::move(block), static_cast<std::uint32_t>(groups.names.size()));
    if (fresh) groups.names.push_back(std::move(name));
    groups.of.push_back(at->second);
  }
  return groups;
}

/// What can be reached from a router by the channels that `takes`, and was not seen before.
template <class Takes>
std::vector<RouterId> part_of(const Network& network, RouterId first, const Takes& takes,
                              std::vector<bool>& seen) {
  std::vector<RouterId> queue = {first};
  seen[first.value] = true;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto visit = [&, from = queue[i]](RouterId next) {
      if (seen[next.value] || !takes(from, next)) return;
      seen[next.value] = true;
      queue.push_back(next);
    };
    for (const ChannelId c : network.out(queue[i])) visit(network.target(c));
    for (const ChannelId c : network.in(queue[i])) visit(network.source(c));
  }
  return queue;
}

/// What is left of a tree without its top level, part by part; and the top with what it is cabled to, without
/// all below.
Groups pods(const Network& network, const std::vector<std::uint32_t>& levels) {
  const std::uint32_t top = *std::max_element(levels.begin(), levels.end());
  const auto is_top = [&](RouterId r) { return levels[r.value] == top; };
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  Groups groups{std::vector<std::uint32_t>(network.router_count(), kNone), {}};
  for (const bool above : {false, true}) {
    std::uint32_t number = 0;
    std::vector<bool> seen(network.router_count());
    for (const RouterId first : network.routers()) {
      if (groups.of[first.value] != kNone || is_top(first) != above) continue;
      const auto takes = [&](RouterId from, RouterId to) {
        return above ? is_top(from) != is_top(to) : !is_top(to);
      };
      const auto part = part_of(network, first, takes, seen);
      for (const RouterId r : part) {
        if (is_top(r) == above) groups.of[r.value] = static_cast<std::uint32_t>(groups.names.size());
      }
      groups.names.push_back(fmt::format("{} {}", above ? "spines" : "pod", number++));
    }
  }
  return groups;
}

}  // namespace

Groups router_groups(const Network& network) {
  if (network.router_count() < kFewest) return {};
  Groups groups;
  if (drawing::grid_places(network)) {
    groups = blocks_of_grid(network);
  } else if (drawing::stage_places(network)) {
    return {};
  } else if (const std::vector<std::uint32_t> levels = drawing::router_levels(network); !levels.empty()) {
    groups = pods(network, levels);
  } else {
    groups.of = modules(network);
    const std::uint32_t count = *std::max_element(groups.of.begin(), groups.of.end()) + 1;
    for (std::uint32_t m = 0; m < count; ++m) groups.names.push_back(fmt::format("module {}", m));
  }
  const std::size_t count = groups.names.size();
  return count < 2 || 2 * count > network.router_count() ? Groups{} : groups;
}

}  // namespace unknot::report
