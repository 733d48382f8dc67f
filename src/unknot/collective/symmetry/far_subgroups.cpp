// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/symmetry/far_subgroups.hpp"

#include <algorithm>

namespace unknot {
namespace {

/// A node that no element but the identity leaves in place; kNone where there is none.
std::uint32_t moved_by_all(const Symmetry& group, const std::vector<std::uint32_t>& ends) {
  const auto is_moved = [&](std::uint32_t n) {
    for (std::uint32_t e = 1; e < group.order(); ++e) {
      if (group.image(e, NodeId(n)).value == n) return false;
    }
    return true;
  };
  const auto it = std::find_if(ends.begin(), ends.end(), is_moved);
  return it == ends.end() ? Problem::kNone : *it;
}

}  // namespace

Symmetry far_subgroups(const NodeGraph& graph, const Symmetry& group,
                       const std::vector<std::uint32_t>& ends) {
  const std::uint32_t order = group.order(), end = moved_by_all(group, ends);
  if (end == Problem::kNone) return group;
  std::vector<std::uint32_t> moves(order, 0xFFFFFFFFU),
      hops;  // by element: least hops from a node to its image
  for (const NodeId n : graph.nodes()) {
    graph.distances_from(n, hops);
    for (std::uint32_t e = 1; e < order; ++e) {
      const std::uint32_t far = hops[group.image(e, n).value];
      if (far > 0) moves[e] = std::min(moves[e], far);
    }
  }
  // An element is known by where it takes a node that takes part.
  std::vector<std::uint32_t> element(graph.node_count(), 0);
  for (std::uint32_t e = 0; e < order; ++e) element[group.image(e, NodeId(end)).value] = e;
  const auto product = [&](std::uint32_t a, std::uint32_t b) {
    return element[group.image(a, group.image(b, NodeId(end))).value];
  };
  std::vector<std::uint32_t> inverse(order, 0);
  for (std::uint32_t e = 0; e < order; ++e) {
    while (product(e, inverse[e]) != 0) inverse[e] = product(e, inverse[e]);
  }
  Symmetry result(graph.node_count());
  std::vector<std::uint32_t> members{0}, generators;
  std::vector<std::uint8_t> in(order, 0);
  in[0] = 1;
  while (members.size() < order) {
    std::uint32_t best = 0, best_index = 0, best_moves = 0;
    for (std::uint32_t e = 1; e < order; ++e) {
      if (in[e] != 0) continue;
      std::uint32_t index = 1, least = 0xFFFFFFFFU;
      for (std::uint32_t power = e; in[power] == 0; power = product(e, power), ++index) {
        for (const std::uint32_t member : members) least = std::min(least, moves[product(power, member)]);
      }
      // The subgroup so far must stay where it is.
      bool prime = std::all_of(generators.begin(), generators.end(),
                               [&](std::uint32_t g) { return in[product(product(e, g), inverse[e])] != 0; });
      for (std::uint32_t d = 2; d * d <= index; ++d) prime = prime && index % d != 0;
      if (!prime || (best != 0 && (least < best_moves || (least == best_moves && index >= best_index))))
        continue;
      best = e;
      best_index = index;
      best_moves = least;
    }
    if (best == 0) return group;
    generators.push_back(best);
    result.extend(group.images(best), best_index);
    const std::size_t before = members.size();
    for (std::uint32_t i = 1, power = best; i < best_index; ++i, power = product(best, power)) {
      for (std::size_t k = 0; k < before; ++k) members.push_back(product(power, members[k]));
    }
    for (const std::uint32_t member : members) in[member] = 1;
  }
  return result;
}

}  // namespace unknot
