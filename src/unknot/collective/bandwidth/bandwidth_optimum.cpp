// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bandwidth/bandwidth_optimum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// The product, where it is no more than a flow may be asked for.
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  if (a != 0 && b > SuppliedFlow::kMostNeeded / a) refuse_large_capacities();
  return a * b;
}

void scale(const BandwidthProblem& problem, const Fraction& rate, SuppliedFlow& flow) {
  const NodeGraph& graph = *problem.graph;
  for (const ArcId a : graph.arcs()) flow.set_capacity(a.value, product(graph.capacity(a), rate.under()));
  for (const NodeId n : graph.nodes())
    flow.set_supply(n.value, product(problem.shares[n.value], rate.over()));
}

[[noreturn]] void refuse_unreached(const BandwidthProblem& problem, NodeId node) {
  if (problem.backward)
    throw InputError(fmt::format("what node {} has does not reach all who need it", node.value));
  throw InputError(fmt::format("node {} cannot be reached by all who have something for it", node.value));
}

}  // namespace

void refuse_large_capacities() {
  throw InputError(
      "optimal in bandwidth: capacities have more digits than can be counted with; give them in larger "
      "units");
}

std::vector<NodeId> nodes_in_want(const NodeGraph& graph, const SuppliedFlow& flow) {
  std::vector<NodeId> nodes;
  for (const NodeId n : graph.nodes()) {
    if (flow.on_sink_side(n.value)) nodes.push_back(n);
  }
  return nodes;
}

BandwidthCut count_cut(const BandwidthProblem& problem, std::vector<NodeId> inside) {
  const NodeGraph& graph = *problem.graph;
  std::sort(inside.begin(), inside.end());
  inside.erase(std::unique(inside.begin(), inside.end()), inside.end());
  std::vector<std::uint8_t> in(graph.node_count(), 0);
  for (const NodeId n : inside) in[n.value] = 1;
  BandwidthCut cut;
  bool counts = false;
  std::uint64_t owned = 0;
  for (const NodeId n : inside) {
    counts = counts || problem.is_member(n);
    owned += problem.shares[n.value];
    for (const ArcId a : graph.in(n)) {
      if (in[graph.tail(a).value] == 0) cut.capacity += graph.capacity(a);
    }
  }
  if (counts) cut.shares = problem.all_shares - owned;
  cut.inside = std::move(inside);
  return cut;
}

std::vector<std::uint32_t> members_in_order(const BandwidthProblem& problem) {
  const NodeGraph& graph = *problem.graph;
  std::vector<std::uint8_t> seen(graph.node_count(), 0);
  std::vector<NodeId> queue{problem.members.front()};
  std::vector<std::uint32_t> order;
  order.reserve(problem.members.size());
  seen[queue[0].value] = 1;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (problem.is_member(queue[i])) order.push_back(queue[i].value);
    for (const ArcId a : graph.out(queue[i])) {
      if (seen[graph.head(a).value] != 0) continue;
      seen[graph.head(a).value] = 1;
      queue.push_back(graph.head(a));
    }
  }
  for (const NodeId n : problem.members) {
    if (seen[n.value] == 0) order.push_back(n.value);
  }
  return order;
}

std::size_t first_in_want(SuppliedFlow& flow, std::span<const std::uint32_t> sinks, std::uint64_t needed) {
  std::vector<std::uint64_t> before(sinks.size());
  std::size_t i = 0;
  for (; i < sinks.size(); ++i) {
    before[i] = flow.supply(sinks[i]);
    if (flow.run({&sinks[i], 1}, needed) < needed) break;
    flow.set_supply(sinks[i], SuppliedFlow::kEndless);
  }
  for (std::size_t passed = 0; passed < i; ++passed) flow.set_supply(sinks[passed], before[passed]);
  return i;
}

BandwidthCut bandwidth_optimum(const BandwidthProblem& problem, Progress& progress) {
  const NodeGraph& graph = *problem.graph;
  const std::vector<std::uint32_t> order = members_in_order(problem);
  // The first guess: the member with the narrowest way in.
  BandwidthCut best;
  for (const NodeId n : problem.members) {
    BandwidthCut own{{n}, problem.all_shares - problem.shares[n.value], graph.in_capacity(n)};
    if (own.shares == 0) continue;
    if (own.capacity == 0) refuse_unreached(problem, n);
    if (best.inside.empty() || own.time() > best.time()) best = std::move(own);
  }
  SuppliedFlow flow(graph.node_count());
  for (const ArcId a : graph.arcs()) flow.add_arc(graph.tail(a).value, graph.head(a).value, 0);
  const auto rescale = [&] { scale(problem, {best.capacity, best.shares}, flow); };
  rescale();
  progress.begin("optimum", order.size());
  std::vector<std::uint32_t> passed;
  for (const std::uint32_t sink : order) {
    if (progress.interrupted()) throw Interrupted();
    while (true) {
      const Fraction rate(best.capacity, best.shares);
      const std::uint64_t needed = product(problem.all_shares, rate.over());
      if (flow.run(std::array{sink}, needed) == needed) break;
      best = count_cut(problem, nodes_in_want(graph, flow));
      if (best.capacity == 0) refuse_unreached(problem, NodeId(sink));
      rescale();
      for (const std::uint32_t done : passed) flow.set_supply(done, SuppliedFlow::kEndless);
    }
    flow.set_supply(sink, SuppliedFlow::kEndless);
    passed.push_back(sink);
    progress.update(passed.size());
  }
  return best;
}

}  // namespace unknot
