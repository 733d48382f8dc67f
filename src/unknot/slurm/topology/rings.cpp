// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "unknot/network/grid.hpp"
#include "unknot/network/grids/recognise_grid.hpp"
#include "unknot/slurm/topology/host_leaves.hpp"
#include "unknot/slurm/topology/node_groups.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::slurm {
namespace {

constexpr std::uint32_t kLeastOfRing = 3;

using Distances = std::vector<std::uint32_t>;  // of n things, n * n

/// Order of n things, the first one first, whose sum of distances around is least; of equal ones the first in
/// dictionary order from the back.
std::vector<std::uint32_t> shortest_ring(std::uint32_t n, const Distances& distance) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  if (n <= 3) return order;
  const std::uint32_t rest = n - 1, sets = 1U << rest;  // of all things but the first
  constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max() / 2;
  // By set and last thing of it: the shortest way from the first through all of the set.
  std::vector<std::uint32_t> shortest(std::size_t{sets} * rest, kFar);
  std::vector<std::uint8_t> before(shortest.size(), 0);
  const auto at = [rest](std::uint32_t set, std::uint32_t last) { return std::size_t{set} * rest + last; };
  for (std::uint32_t i = 0; i < rest; ++i) shortest[at(1U << i, i)] = distance[i + 1];
  for (std::uint32_t set = 1; set < sets; ++set) {
    for (std::uint32_t last = 0; last < rest; ++last) {
      const std::uint32_t way = shortest[at(set, last)];
      if (way >= kFar) continue;
      for (std::uint32_t next = 0; next < rest; ++next) {
        if ((set >> next & 1U) != 0) continue;
        const std::size_t there = at(set | 1U << next, next);
        const std::uint32_t longer = way + distance[std::size_t{last + 1} * n + next + 1];
        if (longer >= shortest[there]) continue;
        shortest[there] = longer;
        before[there] = static_cast<std::uint8_t>(last);
      }
    }
  }
  std::uint32_t set = sets - 1, last = 0, least = kFar;
  for (std::uint32_t i = 0; i < rest; ++i) {
    const std::uint32_t around = shortest[at(set, i)] + distance[std::size_t{i + 1} * n];
    if (around >= least) continue;
    least = around;
    last = i;
  }
  for (std::uint32_t place = n - 1; place > 0; --place) {
    order[place] = last + 1;
    const std::uint32_t previous = before[at(set, last)];
    set &= ~(1U << last);
    last = previous;
  }
  return order;
}

/// Orders leaves, and remembers what it has ordered: most rings of a regular fabric have the same distances.
class RingOrders {
 public:
  const std::vector<std::uint32_t>& of(std::uint32_t n, const Distances& distance) {
    const auto [found, added] = known_.try_emplace(distance);
    if (added) found->second = shortest_ring(n, distance);
    return found->second;
  }

 private:
  std::map<Distances, std::vector<std::uint32_t>> known_;
};

/// A host of a ring: its leaf, and its place there.
struct Seat {
  std::uint32_t leaf, host;
};

/// As many hosts that are neighbours in the tree as a ring takes, never more of a switch than fit.
class Neighbours {
 public:
  Neighbours(const TopologyTree& tree, const std::vector<HostLeaf>& leaves) : tree_(tree) {
    for (std::uint32_t l = 0; l < leaves.size(); ++l)
      for (std::uint32_t h = 0; h < leaves[l].hosts.size(); ++h) seat_[leaves[l].hosts[h]] = {l, h};
  }

  std::vector<std::vector<Seat>> run() {
    std::vector<Seat> left = below(static_cast<std::uint32_t>(tree_.switches.size() - 1));
    if (!left.empty()) rings_.push_back(std::move(left));
    return std::move(rings_);
  }

 private:
  /// Those below the switch that are in no ring yet: fewer than a ring takes.
  std::vector<Seat> below(std::uint32_t from) {
    const TopologyTree::Switch& one = tree_.switches[from];
    std::vector<Seat> open;
    for (const std::string& host : one.hosts) add(open, {seat_.at(host)});
    for (const std::uint32_t child : one.children) add(open, below(child));
    return open;
  }
  void add(std::vector<Seat>& open, std::vector<Seat> more) {
    if (open.size() + more.size() > kMostOfRing) {
      rings_.push_back(std::move(open));
      open.clear();
    }
    open.insert(open.end(), more.begin(), more.end());
  }

  const TopologyTree& tree_;
  std::map<std::string, Seat> seat_;
  std::vector<std::vector<Seat>> rings_;
};

/// Lines along the longest dimension that fits a ring; none where there is no such grid, or where routers
/// have no host, or several.
std::vector<std::vector<Seat>> lines_of_grid(const Network& network, const std::vector<HostLeaf>& leaves) {
  const Network grid = with_recognised_grid(network);
  const Coordinates* where = grid.coordinates();
  if (where == nullptr || !grid_trouble(grid).empty() || leaves.size() != network.router_count()) return {};
  for (const HostLeaf& leaf : leaves)
    if (leaf.hosts.size() != 1) return {};
  std::uint32_t longest = 0, along = 0;
  for (std::uint32_t d = 0; d < where->dimensions; ++d) {
    const std::uint32_t extent = where->extent[d];
    if (extent < kLeastOfRing || extent > kMostOfRing || extent <= longest) continue;
    longest = extent;
    along = d;
  }
  if (longest == 0) return {};
  std::map<std::vector<std::uint32_t>, std::vector<Seat>> lines;
  for (std::uint32_t l = 0; l < leaves.size(); ++l) {
    const auto* at = where->value.data() + std::size_t{leaves[l].routers.front().value} * where->dimensions;
    std::vector<std::uint32_t> line(at, at + where->dimensions);
    line[along] = 0;
    lines[line].push_back({l, 0});
  }
  std::vector<std::vector<Seat>> rings;
  rings.reserve(lines.size());
  for (auto& [key, line] : lines) rings.push_back(std::move(line));
  return rings;
}

}  // namespace

std::vector<NodeGroup> make_rings(const Network& network) {
  const std::vector<HostLeaf> leaves = host_leaves(network);
  std::vector<std::vector<Seat>> rings = lines_of_grid(network, leaves);
  if (rings.empty()) {
    const TopologyTree tree = topology_tree(network);
    rings = Neighbours(tree, leaves).run();
  }
  RingOrders orders;
  const DistanceMatrix distances = leaf_distances(network, leaves);
  std::vector<NodeGroup> groups;
  groups.reserve(rings.size());
  for (std::vector<Seat>& ring : rings) {
    // Hosts of a leaf follow each other: that costs nothing, and going there twice would.
    std::vector<std::uint32_t> stops;
    for (const Seat& seat : ring)
      if (std::find(stops.begin(), stops.end(), seat.leaf) == stops.end()) stops.push_back(seat.leaf);
    const auto n = static_cast<std::uint32_t>(stops.size());
    Distances between;
    between.reserve(std::size_t{n} * n);
    for (const std::uint32_t a : stops)
      for (const std::uint32_t b : stops) between.push_back(static_cast<std::uint32_t>(distances.at(a, b)));
    NodeGroup& group = groups.emplace_back();
    group.name = fmt::format("ring{}", groups.size() - 1);
    for (const std::uint32_t stop : orders.of(n, between)) {
      for (const Seat& seat : ring)
        if (seat.leaf == stops[stop]) group.nodes.push_back(leaves[seat.leaf].hosts[seat.host]);
    }
  }
  return groups;
}

double ring_step(const Network& network, const std::vector<NodeGroup>& rings) {
  const std::vector<HostLeaf> leaves = host_leaves(network);
  const DistanceMatrix distances = leaf_distances(network, leaves);
  std::map<std::string, std::uint32_t> leaf_of;
  for (std::uint32_t l = 0; l < leaves.size(); ++l)
    for (const std::string& host : leaves[l].hosts) leaf_of.emplace(host, l);
  const auto at = [&](const std::string& node) {
    const auto found = leaf_of.find(node);
    if (found == leaf_of.end())
      throw InputError(fmt::format("a ring has a node {}, and the fabric has none", shown(node)));
    return found->second;
  };
  double sum = 0;
  std::uint64_t steps = 0;
  for (const NodeGroup& ring : rings) {
    for (std::size_t i = 0; i < ring.nodes.size(); ++i)
      sum += distances.at(at(ring.nodes[i]), at(ring.nodes[(i + 1) % ring.nodes.size()]));
    steps += ring.nodes.size();
  }
  return steps == 0 ? 0 : sum / static_cast<double>(steps);
}

}  // namespace unknot::slurm
