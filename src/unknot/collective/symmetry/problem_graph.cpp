// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/symmetry/problem_graph.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace unknot {

bool is_complete(const Problem& problem) {
  const std::vector<Role> roles = problem.roles();
  const auto receivers = static_cast<std::size_t>(std::count_if(
      roles.begin(), roles.end(), [](Role r) { return r == Role::receiver || r == Role::both; }));
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    const std::size_t itself = roles[problem.owner[g].value] == Role::both ? 1 : 0;
    if (problem.partners(g).size() + itself != receivers) return false;
  }
  return true;
}

ColouredGraph coloured_graph(const Problem& problem) {
  const NodeGraph& graph = *problem.graph;
  const std::vector<Role> roles = problem.roles();
  ColouredGraph result;
  for (const NodeId n : graph.nodes()) {
    result.colour.push_back(2 * static_cast<std::uint32_t>(roles[n.value]) + (graph.is_leaf(n) ? 1 : 0));
  }
  constexpr std::uint32_t kMessage = 8;  // the colours above are less
  using Kind = std::pair<std::uint32_t, std::uint32_t>;
  const auto kind_of = [&](ArcId a) { return Kind{graph.capacity(a), graph.link_capacity(graph.link(a))}; };
  std::map<Kind, std::uint32_t> kinds;
  for (const ArcId a : graph.arcs()) ++kinds[kind_of(a)];
  Kind common{};
  std::uint32_t most = 0;
  for (const auto& [kind, count] : kinds) {
    if (count > most) std::tie(common, most) = std::pair(kind, count);
  }
  std::uint32_t colour = kMessage;
  for (auto& [kind, count] : kinds) count = ++colour;
  const auto through = [&](NodeId from, NodeId to, std::uint32_t with) {
    const auto middle = static_cast<std::uint32_t>(result.colour.size());
    result.colour.push_back(with);
    result.arcs.emplace_back(from.value, middle);
    result.arcs.emplace_back(middle, to.value);
  };
  for (const ArcId a : graph.arcs()) {
    if (kind_of(a) == common) {
      result.arcs.emplace_back(graph.tail(a).value, graph.head(a).value);
    } else {
      through(graph.tail(a), graph.head(a), kinds[kind_of(a)]);
    }
  }
  if (!is_complete(problem)) {
    for (std::uint32_t g = 0; g < problem.groups(); ++g) {
      for (const NodeId partner : problem.partners(g)) through(problem.owner[g], partner, kMessage);
    }
  }
  return result;
}

}  // namespace unknot
