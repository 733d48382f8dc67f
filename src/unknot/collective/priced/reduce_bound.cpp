// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/priced/reduce_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// Arcs into any of some sets, or out of any.
std::vector<ArcId> crossing(const NodeGraph& graph, const std::vector<std::vector<NodeId>>& sets,
                            bool leaving) {
  std::vector<std::size_t> in(graph.node_count(), 0);
  std::vector<ArcId> arcs;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    for (const NodeId n : sets[set]) in[n.value] = set + 1;
    for (const NodeId n : sets[set]) {
      if (leaving) {
        for (const ArcId a : graph.out(n)) {
          if (in[graph.head(a).value] != set + 1) arcs.push_back(a);
        }
      } else {
        for (const ArcId a : graph.in(n)) {
          if (in[graph.tail(a).value] != set + 1) arcs.push_back(a);
        }
      }
    }
  }
  return arcs;
}

}  // namespace

Fraction ReduceBound::time() const {
  return std::visit([](const auto& one) { return one.time(); }, proof);
}

BandwidthCut count_separating_cut(const BandwidthProblem& problem, std::vector<NodeId> inside) {
  BandwidthCut cut = count_cut(problem, std::move(inside));
  const auto members = static_cast<std::size_t>(
      std::count_if(cut.inside.begin(), cut.inside.end(), [&](NodeId n) { return problem.is_member(n); }));
  cut.shares = members > 0 && members < problem.members.size() ? problem.all_shares : 0;
  return cut;
}

BandwidthCut separating_cut(const BandwidthProblem& problem, Progress& progress) {
  const NodeGraph& graph = *problem.graph;
  BandwidthCut best;
  const auto offer = [&](BandwidthCut cut, NodeId from, NodeId to) {
    if (cut.capacity == 0)
      throw InputError(fmt::format("node {} does not reach node {}", from.value, to.value));
    if (best.inside.empty() || cut.time() > best.time()) best = std::move(cut);
  };
  const NodeId first = problem.members.front();
  for (const NodeId n : problem.members)
    offer(count_separating_cut(problem, {n}), n == first ? problem.members.back() : first, n);
  SuppliedFlow flow(graph.node_count());
  for (const ArcId a : graph.arcs())
    flow.add_arc(graph.tail(a).value, graph.head(a).value, graph.capacity(a));
  progress.begin("cuts", problem.members.size());
  for (std::size_t i = 1; i < problem.members.size(); ++i) {
    if (progress.interrupted()) throw Interrupted();
    for (const bool turn : {false, true}) {
      const NodeId from = turn ? problem.members[i] : first;
      const NodeId to = turn ? first : problem.members[i];
      flow.set_supply(from.value, SuppliedFlow::kEndless);
      if (flow.run(std::array{to.value}, best.capacity) < best.capacity)
        offer(count_separating_cut(problem, nodes_in_want(graph, flow)), from, to);
      flow.set_supply(from.value, 0);
    }
    progress.update(i + 1);
  }
  return best;
}

ReduceBound reduce_bound(const BandwidthProblem& problem, Progress& progress) {
  const NodeGraph& graph = *problem.graph;
  ReduceBound bound{separating_cut(problem, progress)};
  // Where as much enters every node as leaves it, as much enters every set.
  const auto nodes = graph.nodes();
  const bool balanced = std::all_of(nodes.begin(), nodes.end(),
                                    [&](NodeId n) { return graph.in_capacity(n) == graph.out_capacity(n); });
  for (const bool leaving : {false, true}) {
    if (leaving ? problem.powers.copy || (balanced && !problem.powers.sum) : problem.powers.sum) continue;
    if (auto parts = better_partition(problem, bound.time(), leaving, progress))
      bound.proof = std::move(*parts);
  }
  std::vector<std::vector<NodeId>> singles;
  singles.reserve(problem.members.size());
  for (const NodeId n : problem.members) singles.push_back({n});
  std::vector<std::vector<ArcId>> given{crossing(graph, singles, false), crossing(graph, singles, true)};
  if (const auto* parts = std::get_if<PartitionBound>(&bound.proof)) {
    given.push_back(crossing(graph, parts->parts, parts->leaving));
  } else {
    given.push_back(crossing(graph, {std::get<BandwidthCut>(bound.proof).inside}, false));
  }
  if (auto channels = better_channels(problem, given, bound.time(), progress))
    bound.proof = std::move(*channels);
  return bound;
}

Fraction counted_anew(const BandwidthProblem& problem, const ReduceBound& bound) {
  if (const auto* cut = std::get_if<BandwidthCut>(&bound.proof))
    return count_separating_cut(problem, cut->inside).time();
  if (const auto* channels = std::get_if<ChannelBound>(&bound.proof))
    return count_channels(problem, channels->channels).time();
  const auto& parts = std::get<PartitionBound>(bound.proof);
  return count_partition(problem, parts.parts, parts.leaving).time();
}

}  // namespace unknot
