// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/symmetry/translation_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace unknot {
namespace {

/// The least power that is the identity; 0 where it is beyond `most`.
std::uint64_t order_of(const NodeImages& images, std::uint64_t most) {
  std::uint64_t order = 1;
  std::vector<std::uint8_t> seen(images.size(), 0);
  for (std::uint32_t n = 0; n < images.size(); ++n) {
    std::uint64_t length = 0;
    for (std::uint32_t at = n; seen[at] == 0; at = images[at].value) {
      seen[at] = 1;
      ++length;
    }
    if (length == 0) continue;
    order = std::lcm(order, length);
    if (order > most) return 0;
  }
  return order;
}

std::string automorphism_fault(const NodeGraph& graph, const std::vector<std::uint8_t>& is_member,
                               const NodeImages& images) {
  if (images.size() != graph.node_count())
    return fmt::format("it has images of {} nodes, there are {}", images.size(), graph.node_count());
  std::vector<std::uint8_t> seen(images.size(), 0);
  for (const NodeId n : graph.nodes()) {
    const NodeId image = images[n.value];
    if (image.value >= images.size()) return fmt::format("the image of node {} is no node", n.value);
    if (seen[image.value] != 0) return fmt::format("node {} is the image of two", image.value);
    seen[image.value] = 1;
    if (is_member[n.value] != is_member[image.value]) {
      return fmt::format("one of node {} and its image {} takes part, the other does not", n.value,
                         image.value);
    }
    if (graph.is_leaf(n) != graph.is_leaf(image)) {
      return fmt::format("one of node {} and its image {} is a terminal, the other is not", n.value,
                         image.value);
    }
  }
  for (const ArcId a : graph.arcs()) {
    const NodeId from = images[graph.tail(a).value], to = images[graph.head(a).value];
    const ArcId image = graph.find(from, to);
    if (image.valid() && graph.capacity(image) == graph.capacity(a)) continue;
    return fmt::format("from node {} to {} there is {}, from {} to {}, their images, {}", graph.tail(a).value,
                       graph.head(a).value, graph.capacity(a), from.value, to.value,
                       image.valid() ? graph.capacity(image) : 0);
  }
  return {};
}

}  // namespace

std::string translation_fault(const NodeGraph& graph, std::span<const NodeId> members,
                              std::span<const NodeImages> generators) {
  std::vector<std::uint8_t> is_member(graph.node_count(), 0);
  for (const NodeId n : members) is_member[n.value] = 1;
  std::uint64_t elements = 1;
  for (std::size_t g = 0; g < generators.size(); ++g) {
    const std::string why = automorphism_fault(graph, is_member, generators[g]);
    if (!why.empty()) return fmt::format("translation {}: {}", g + 1, why);
    const std::uint64_t order = order_of(generators[g], members.size());
    elements *= order;
    if (order == 0 || elements > members.size()) {
      return fmt::format("translation {}: there are more products than the {} nodes that take part", g + 1,
                         members.size());
    }
    for (std::size_t h = 0; h < g; ++h) {
      for (const NodeId n : graph.nodes()) {
        if (generators[g][generators[h][n.value].value] != generators[h][generators[g][n.value].value])
          return fmt::format("translations {} and {} do not commute at node {}", h + 1, g + 1, n.value);
      }
    }
  }
  std::vector<NodeId> reached{members.front()};
  std::vector<std::uint8_t> seen(graph.node_count(), 0);
  seen[members.front().value] = 1;
  std::size_t at = 0;
  while (at < reached.size()) {  // it grows
    const NodeId n = reached[at++];
    for (const NodeImages& images : generators) {
      const NodeId next = images[n.value];
      if (seen[next.value] != 0) continue;
      seen[next.value] = 1;
      reached.push_back(next);
    }
  }
  if (reached.size() == members.size()) return {};
  return fmt::format("translations lead node {} to {} of {} nodes", members.front().value, reached.size(),
                     members.size());
}

ArcOrbits arc_orbits(const NodeGraph& graph, std::span<const NodeImages> generators) {
  constexpr std::uint32_t kNoOrbit = 0xFFFFFFFFU;
  ArcOrbits orbits;
  orbits.first.assign(graph.arc_count(), kNoOrbit);
  orbits.size.assign(graph.arc_count(), 0);
  std::vector<ArcId> queue;
  for (const ArcId start : graph.arcs()) {
    if (orbits.first[start.value] != kNoOrbit) continue;
    orbits.first[start.value] = start.value;
    queue.assign(1, start);
    std::size_t at = 0;
    while (at < queue.size()) {  // it grows
      const ArcId a = queue[at++];
      for (const NodeImages& images : generators) {
        const ArcId next = graph.find(images[graph.tail(a).value], images[graph.head(a).value]);
        if (orbits.first[next.value] != kNoOrbit) continue;
        orbits.first[next.value] = start.value;
        queue.push_back(next);
      }
    }
    orbits.size[start.value] = static_cast<std::uint32_t>(queue.size());
  }
  return orbits;
}

}  // namespace unknot
