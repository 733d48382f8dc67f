// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/symmetry/symmetry.hpp"

#include <algorithm>
#include <numeric>

namespace unknot {

Symmetry::Symmetry(std::uint32_t nodes) : nodes_(nodes), images_(nodes) {
  std::iota(images_.begin(), images_.end(), 0U);
}

Symmetry Symmetry::subgroup(std::uint32_t order) const {
  Symmetry part(static_cast<std::uint32_t>(nodes_));
  part.images_.assign(images_.begin(), images_.begin() + static_cast<std::ptrdiff_t>(order * nodes_));
  const auto last = std::find(subgroup_orders_.begin(), subgroup_orders_.end(), order);
  part.subgroup_orders_.assign(subgroup_orders_.begin(), last + 1);
  return part;
}

void Symmetry::extend(std::span<const std::uint32_t> generator, std::uint32_t index) {
  const std::size_t before = images_.size();
  images_.reserve(before * index);
  for (std::uint32_t i = 1; i < index; ++i) {
    const std::size_t last = images_.size() - before;
    for (std::size_t k = 0; k < before; ++k) images_.push_back(generator[images_[last + k]]);
  }
  subgroup_orders_.push_back(subgroup_orders_.back() * index);
}

std::uint32_t Symmetry::inverse(std::uint32_t element) const {
  const auto undoes = [&](std::uint32_t other) {
    for (std::uint32_t n = 0; n < nodes_; ++n) {
      if (image(other, image(element, NodeId(n))).value != n) return false;
    }
    return true;
  };
  std::uint32_t other = 0;
  while (!undoes(other)) ++other;
  return other;
}

std::vector<NodeId> Symmetry::node_orbits() const {
  std::vector<NodeId> least;
  for (std::uint32_t n = 0; n < nodes_; ++n) {
    std::uint32_t best = n;
    for (std::uint32_t e = 1; e < order(); ++e) best = std::min(best, image(e, NodeId(n)).value);
    least.emplace_back(best);
  }
  return least;
}

std::vector<ArcId> Symmetry::arc_orbits(const NodeGraph& graph) const {
  std::vector<ArcId> least(graph.arc_count());
  std::vector<std::uint8_t> known(graph.arc_count(), 0);
  for (const ArcId a : graph.arcs()) {
    if (known[a.value] != 0) continue;
    for (std::uint32_t e = 0; e < order(); ++e) {
      const ArcId b = image(e, graph, a);
      known[b.value] = 1;
      least[b.value] = a;
    }
  }
  return least;
}

Problem representatives(const Problem& problem, const Symmetry& symmetry) {
  Problem part = problem;
  const std::vector<NodeId> orbit = symmetry.node_orbits();
  part.owner.clear();
  part.first.assign(1, 0);
  part.partner.clear();
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    if (orbit[problem.owner[g].value] != problem.owner[g]) continue;
    const NodeId owner = problem.owner[g];
    // Elements that leave the owner in place move its partners.
    std::vector<std::uint32_t> stay;
    for (std::uint32_t e = 1; e < symmetry.order(); ++e) {
      if (symmetry.image(e, owner) == owner) stay.push_back(e);
    }
    for (const NodeId partner : problem.partners(g)) {
      const bool first = std::all_of(stay.begin(), stay.end(), [&](std::uint32_t e) {
        return partner.value <= symmetry.image(e, partner).value;
      });
      if (first) part.partner.push_back(partner);
    }
    part.owner.push_back(owner);
    part.first.push_back(part.messages());
  }
  return part;
}

bool check_symmetry(const Problem& problem, const Symmetry& symmetry) {
  const NodeGraph& graph = *problem.graph;
  const std::vector<Role> roles = problem.roles();
  for (std::uint32_t e = 0; e < symmetry.order(); ++e) {
    std::vector<std::uint8_t> taken(graph.node_count(), 0);
    for (const NodeId n : graph.nodes()) {
      const NodeId to = symmetry.image(e, n);
      if (to.value >= graph.node_count() || taken[to.value]++ != 0 || roles[n.value] != roles[to.value] ||
          graph.is_leaf(n) != graph.is_leaf(to)) {
        return false;
      }
    }
    for (const ArcId a : graph.arcs()) {
      const ArcId to = symmetry.image(e, graph, a);
      if (!to.valid() || graph.capacity(a) != graph.capacity(to) ||
          graph.link_capacity(graph.link(a)) != graph.link_capacity(graph.link(to)) || (e > 0 && a == to)) {
        return false;
      }
    }
    for (std::uint32_t g = 0; g < problem.groups(); ++g) {
      const std::uint32_t other = problem.group_of(symmetry.image(e, problem.owner[g]));
      if (other == Problem::kNone || problem.partners(g).size() != problem.partners(other).size())
        return false;
      const bool stays = e > 0 && other == g;
      if (stays && problem.delivery != Delivery::scatter) return false;
      for (const NodeId partner : problem.partners(g)) {
        if (stays && symmetry.image(e, partner) == partner) return false;
        if (problem.message_of(other, symmetry.image(e, partner)) == Problem::kNone) return false;
      }
    }
  }
  return true;
}

}  // namespace unknot
