// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/priced/cheapest_trees.hpp"

#include <algorithm>
#include <utility>

namespace unknot {
namespace {

/// Sums may come together at so many nodes that take no part, those with most capacity, beside the members.
constexpr std::size_t kMostSwitches = 64;

}  // namespace

CheapestTrees::CheapestTrees(const BandwidthProblem& problem) : problem_(problem) {
  const bool plain = !problem.branch_outward() || (problem.all_reduce && !problem.branch_inward());
  if (plain) distances_.emplace(*problem.graph, problem.members);
  if (problem.all_reduce) find_meeting_places();
}

void CheapestTrees::set_prices(std::span<const double> price, std::uint32_t threads) {
  price_ = price;
  if (!distances_) return;
  distances_->measure(price, threads);
  if (!problem_.all_reduce) return;
  const CostMatrix& costs = distances_->costs();
  turned_ = costs;
  for (std::uint32_t u = 0; u < costs.places; ++u) {
    for (std::uint32_t v = 0; v < costs.places; ++v)
      turned_.cost[std::size_t{u} * costs.places + v] = costs.at(v, u);
  }
}

std::uint32_t CheapestTrees::place_of(NodeId member) const {
  const auto at = std::lower_bound(problem_.members.begin(), problem_.members.end(), member);
  return static_cast<std::uint32_t>(at - problem_.members.begin());
}

void CheapestTrees::add_ways(NodeId root, bool inward, Found& found) const {
  std::vector<PricedTree::Way>& ways = inward ? found.tree.inward : found.tree.outward;
  if (inward ? problem_.branch_inward() : problem_.branch_outward()) {
    ways = branching_ways(*problem_.graph, problem_.member_, root, inward, price_, found.cost);
    return;
  }
  const CostMatrix& costs = inward ? turned_ : distances_->costs();
  const std::uint32_t top = place_of(root);
  const std::vector<std::uint32_t> parent = cheapest_branching(costs, top);
  std::vector<std::vector<std::uint32_t>> below(costs.places);
  for (std::uint32_t v = 0; v < costs.places; ++v) {
    if (v != top) below[parent[v]].push_back(v);
  }
  std::vector<std::uint32_t> order{top};
  ways.reserve(costs.places - 1);
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const std::uint32_t v : below[order[i]]) {
      found.cost += costs.at(order[i], v);
      ways.push_back(inward ? distances_->way(v, order[i]) : distances_->way(order[i], v));
      order.push_back(v);
    }
  }
  if (inward) std::reverse(ways.begin(), ways.end());
}

CheapestTrees::Found CheapestTrees::from(NodeId root) const {
  Found found;
  found.tree.root = root;
  add_ways(root, false, found);
  return found;
}

void CheapestTrees::find_meeting_places() {
  meeting_places_ = problem_.members;
  if (!problem_.branch_inward() || !problem_.branch_outward()) return;
  const NodeGraph& graph = *problem_.graph;
  std::vector<std::uint32_t> there, back;
  graph.distances_from(problem_.members.front(), there);
  graph.distances_to(problem_.members.front(), back);
  std::vector<NodeId> switches;
  for (const NodeId n : graph.nodes()) {
    const bool joined = there[n.value] != NodeGraph::kUnreached && back[n.value] != NodeGraph::kUnreached;
    if (joined && !problem_.is_member(n) && !graph.is_leaf(n)) switches.push_back(n);
  }
  const auto room = [&](NodeId n) { return std::min(graph.in_capacity(n), graph.out_capacity(n)); };
  std::stable_sort(switches.begin(), switches.end(), [&](NodeId a, NodeId b) { return room(a) > room(b); });
  if (switches.size() > kMostSwitches) switches.resize(kMostSwitches);
  meeting_places_.insert(meeting_places_.begin(), switches.begin(), switches.end());
}

CheapestTrees::Found CheapestTrees::there_and_back() const {
  Found best;
  bool any = false;
  for (const NodeId root : meeting_places_) {
    Found found;
    found.tree.root = root;
    add_ways(root, true, found);
    if (any && found.cost >= best.cost) continue;
    add_ways(root, false, found);
    if (any && found.cost >= best.cost * (1 - 1e-12)) continue;
    best = std::move(found);
    any = true;
  }
  return best;
}

}  // namespace unknot
