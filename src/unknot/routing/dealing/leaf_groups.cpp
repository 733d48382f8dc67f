// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/dealing/leaf_groups.hpp"

#include <algorithm>
#include <numeric>

#include "unknot/support/joined_parts.hpp"

namespace unknot {
namespace {

/// What groups of one level are.
struct Cut {
  std::uint32_t level = 0;
  std::vector<std::uint32_t> part;  // by router up to that level
};

std::uint64_t count_groups(const LiveNetwork& network, const std::vector<std::uint32_t>& height,
                           const Cut& cut) {
  std::vector<std::uint8_t> seen(network.router_count(), 0);
  std::uint64_t count = 0;
  for (const RouterId r : network.routers()) {
    if (network.terminals_at(r).empty()) continue;
    std::uint8_t& known = seen[height[r.value] <= cut.level ? cut.part[r.value] : r.value];
    count += known == 0 ? 1 : 0;
    known = 1;
  }
  return count;
}

void number_groups(const LiveNetwork& network, const std::vector<std::uint32_t>& height, const Cut& cut,
                   LeafGroups& groups) {
  const std::uint32_t routers = network.router_count();
  std::vector<std::uint32_t> number(routers, LeafGroups::kNone);  // by smallest router of the part
  const auto part_of = [&](RouterId r) { return height[r.value] <= cut.level ? cut.part[r.value] : r.value; };
  for (const RouterId r : network.routers()) {
    const std::uint32_t here = network.terminals_at(r).size();
    if (here == 0) continue;
    std::uint32_t& group = number[part_of(r)];
    if (group == LeafGroups::kNone) {
      group = groups.count++;
      groups.terminals.push_back(0);
    }
    groups.terminals[group] += static_cast<float>(here);
  }
  groups.of_router.assign(routers, LeafGroups::kNone);
  for (const RouterId r : network.routers()) {
    if (height[r.value] <= cut.level || !network.terminals_at(r).empty())
      groups.of_router[r.value] = number[part_of(r)];
  }
}

/// Ways down from each router to the terminals of its part, level by level.
std::vector<double> ways_down(const LiveNetwork& network, const std::vector<std::uint32_t>& height,
                              std::uint32_t level) {
  std::vector<double> ways(network.router_count(), 0);
  for (std::uint32_t h = 0; h <= level; ++h) {
    for (const RouterId r : network.routers()) {
      if (height[r.value] != h) continue;
      ways[r.value] = network.terminals_at(r).size();
      for (const ChannelId c : network.out(r)) {
        const std::uint32_t to = network.target(c).value;
        if (height[to] < h) ways[r.value] += ways[to];
      }
    }
  }
  return ways;
}

void find_gates(const LiveNetwork& network, const std::vector<std::uint32_t>& height, std::uint32_t level,
                LeafGroups& groups) {
  const std::vector<double> ways = ways_down(network, height, level);
  std::vector<std::vector<LeafGroups::Gate>> gates(groups.count);
  std::vector<double> most(groups.count, 0);
  for (const RouterId r : network.routers()) {
    const std::uint32_t group = groups.of_router[r.value];
    if (group == LeafGroups::kNone || height[r.value] < level) continue;
    const double here = height[r.value] > level ? 1 : ways[r.value];
    if (here == 0) continue;
    gates[group].push_back({r.value, static_cast<float>(here)});
    most[group] = std::max(most[group], here);
  }
  for (std::uint32_t g = 0; g < groups.count; ++g) {
    for (LeafGroups::Gate gate : gates[g]) {
      gate.share = static_cast<float>(gate.share / most[g]);
      groups.gates.push_back(gate);
    }
    groups.first_gate.push_back(static_cast<std::uint32_t>(groups.gates.size()));
  }
}

}  // namespace

LeafGroups groups_of_tree(const LiveNetwork& network, const std::vector<std::uint32_t>& height,
                          std::uint64_t most) {
  LeafGroups groups;
  const std::uint32_t routers = network.router_count();
  const std::uint32_t top = routers == 0 ? 0 : *std::max_element(height.begin(), height.end());
  groups.level = height;
  groups.part.resize(routers);
  groups.sibling.resize(routers);
  std::uint64_t above = network.live_channel_count();  // channels above the level
  JoinedParts parts(routers);
  Cut cut;
  bool fits = false;
  std::vector<std::uint32_t> of_part(routers);
  for (std::uint32_t h = 0; h <= top; ++h) {
    for (const ChannelId c : network.network().channels()) {
      if (!network.alive(c)) continue;
      const std::uint32_t lower = network.source(c).value;
      const std::uint32_t upper = network.target(c).value;
      if (height[upper] == h && height[lower] + 1 == h) parts.join(lower, upper);
    }
    std::fill(of_part.begin(), of_part.end(), 0);
    for (std::uint32_t r = 0; r < routers; ++r) {
      if (height[r] == h) groups.part[r] = parts.of(r);
      if (height[r] + 1 == h || (h == top && height[r] == top)) groups.sibling[r] = of_part[parts.of(r)]++;
    }
    if (fits || (h == top && top > 0)) continue;
    cut.level = h;
    cut.part.assign(routers, 0);
    for (std::uint32_t r = 0; r < routers; ++r) cut.part[r] = parts.of(r);
    if (h > 0) {
      for (const ChannelId c : network.network().channels()) {
        const std::uint32_t lower =
            std::min(height[network.source(c).value], height[network.target(c).value]);
        above -= network.alive(c) && lower + 1 == h ? 1 : 0;
      }
    }
    fits = count_groups(network, height, cut) * above <= most;
  }
  number_groups(network, height, cut, groups);
  find_gates(network, height, cut.level, groups);
  return groups;
}

LeafGroups single_groups(const LiveNetwork& network) {
  LeafGroups groups;
  const std::uint32_t routers = network.router_count();
  groups.of_router.assign(routers, LeafGroups::kNone);
  groups.part.resize(routers);
  std::iota(groups.part.begin(), groups.part.end(), 0U);
  groups.sibling = groups.part;
  groups.level.assign(routers, 0);
  for (const RouterId r : network.routers()) {
    if (network.terminals_at(r).empty()) continue;
    groups.of_router[r.value] = groups.count++;
    groups.terminals.push_back(static_cast<float>(network.terminals_at(r).size()));
    groups.gates.push_back({r.value, 1});
    groups.first_gate.push_back(groups.count);
  }
  return groups;
}

LeafGroups one_group(const LiveNetwork& network, const std::vector<std::uint32_t>& height) {
  LeafGroups groups = single_groups(network);
  groups.count = 1;
  groups.of_router.assign(network.router_count(), 0);
  groups.terminals.assign(1, static_cast<float>(network.network().terminal_count()));
  groups.gates.clear();
  groups.first_gate.assign(2, 0);
  groups.level = height;
  return groups;
}

}  // namespace unknot
