// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/priced/branching.hpp"

#include <algorithm>
#include <limits>

namespace unknot {
namespace {

constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;

struct Contraction {
  CostMatrix costs;
  std::vector<std::uint32_t> from, to;  // by entry: the ends, before, of what it costs
};

/// By place the circle that it is on, numbered from 0, or kNowhere.
std::vector<std::uint32_t> circles_of(const std::vector<std::uint32_t>& parent, std::uint32_t root,
                                      std::uint32_t& circles) {
  const auto n = static_cast<std::uint32_t>(parent.size());
  std::vector<std::uint32_t> circle(n, kNowhere), seen(n, kNowhere);
  circles = 0;
  seen[root] = root;
  for (std::uint32_t start = 0; start < n; ++start) {
    std::uint32_t v = start;
    while (seen[v] == kNowhere) {
      seen[v] = start;
      v = parent[v];
    }
    if (v == root || seen[v] != start || circle[v] != kNowhere) continue;
    for (std::uint32_t u = v; circle[u] == kNowhere; u = parent[u]) circle[u] = circles;
    ++circles;
  }
  return circle;
}

/// Where it costs no more to hang from a place nearer to the root.
void make_shallow(const CostMatrix& costs, std::uint32_t root, std::vector<std::uint32_t>& parent) {
  constexpr int kMostSweeps = 8;
  const std::uint32_t n = costs.places;
  std::vector<std::uint32_t> depth(n), way;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    depth.assign(n, kNowhere);
    depth[root] = 0;
    for (std::uint32_t v = 0; v < n; ++v) {
      for (std::uint32_t u = v; depth[u] == kNowhere; u = parent[u]) way.push_back(u);
      for (; !way.empty(); way.pop_back()) depth[way.back()] = depth[parent[way.back()]] + 1;
    }
    bool changed = false;
    for (std::uint32_t v = 0; v < n; ++v) {
      if (depth[v] < 2) continue;
      const double enough = costs.at(parent[v], v) * (1 + 1e-9);
      std::uint32_t best = v;
      for (std::uint32_t u = 0; u < n; ++u) {
        // Depths are those before the sweep: no place below v is nearer to the root than v.
        if (depth[u] + 1 >= depth[v] || costs.at(u, v) > enough) continue;
        if (best == v || depth[u] < depth[best]) best = u;
      }
      if (best == v) continue;
      parent[v] = best;
      changed = true;
    }
    if (!changed) return;
  }
}

std::vector<std::uint32_t> branching(const CostMatrix& costs, std::uint32_t root) {
  const std::uint32_t n = costs.places;
  std::vector<std::uint32_t> parent(n, root);
  for (std::uint32_t v = 0; v < n; ++v) {
    if (v == root) continue;
    for (std::uint32_t u = 0; u < n; ++u) {
      if (u != v && costs.at(u, v) < costs.at(parent[v], v)) parent[v] = u;
    }
  }
  std::uint32_t circles = 0;
  std::vector<std::uint32_t> place = circles_of(parent, root, circles);
  if (circles == 0) return parent;
  // Each circle becomes a place; who enters it saves what the circle paid where it enters.
  std::vector<std::uint8_t> on_circle(n, 0);
  std::uint32_t places = circles;
  for (std::uint32_t v = 0; v < n; ++v) {
    on_circle[v] = place[v] == kNowhere ? 0 : 1;
    if (on_circle[v] == 0) place[v] = places++;
  }
  Contraction small{
      {places, std::vector<double>(std::size_t{places} * places, std::numeric_limits<double>::infinity())},
      std::vector<std::uint32_t>(std::size_t{places} * places, 0),
      std::vector<std::uint32_t>(std::size_t{places} * places, 0)};
  for (std::uint32_t u = 0; u < n; ++u) {
    for (std::uint32_t v = 0; v < n; ++v) {
      if (v == root || place[u] == place[v]) continue;
      const double cost = costs.at(u, v) - (on_circle[v] != 0 ? costs.at(parent[v], v) : 0);
      const std::size_t at = std::size_t{place[u]} * places + place[v];
      if (cost >= small.costs.cost[at]) continue;
      small.costs.cost[at] = cost;
      small.from[at] = u;
      small.to[at] = v;
    }
  }
  const std::vector<std::uint32_t> above = branching(small.costs, place[root]);
  for (std::uint32_t p = 0; p < places; ++p) {
    if (p == place[root]) continue;
    const std::size_t at = std::size_t{above[p]} * places + p;
    parent[small.to[at]] = small.from[at];
  }
  return parent;
}

}  // namespace

std::vector<std::uint32_t> cheapest_branching(const CostMatrix& costs, std::uint32_t root) {
  std::vector<std::uint32_t> parent = branching(costs, root);
  make_shallow(costs, root, parent);
  return parent;
}

}  // namespace unknot
