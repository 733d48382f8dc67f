// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/paths/flow_division.hpp"

#include <stdexcept>
#include <utility>

#include "unknot/collective/paths/max_flow.hpp"

namespace unknot {
namespace {

using Visit = std::function<void(std::uint32_t, const ScatterShare&)>;

class Division {
 public:
  Division(const NodeGraph& graph, NodeId source, const Visit& visit)
      : graph_(graph), source_(source), visit_(visit), vertex_(graph.node_count(), kNone) {}

  void run(ScatterShare flow, std::uint32_t first, std::uint32_t steps) {
    if (steps == 1) {
      visit_(first, flow);
      return;
    }
    const std::uint32_t some = steps / 2;
    ScatterShare part = take(flow, some, steps);
    run(std::move(part), first, some);
    run(std::move(flow), first + some, steps - some);
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  std::uint32_t vertex(NodeId n) {
    std::uint32_t& v = vertex_[n.value];
    if (v == kNone) {
      v = static_cast<std::uint32_t>(surplus_.size());
      surplus_.push_back(0);
      used_.push_back(n);
    }
    return v;
  }

  /// `some` of `steps` equal shares: removed from the flow, and returned. Amounts are rounded down first.
  /// What vertices then have too much goes to those that lack it, along arcs that can be rounded up.
  ScatterShare take(ScatterShare& flow, std::uint32_t some, std::uint32_t steps) {
    const auto down = [&](std::uint64_t amount) { return static_cast<std::uint32_t>(amount * some / steps); };
    const auto up = [&](std::uint64_t amount) { return amount * some % steps != 0; };
    // Vertex 0 joins the ends with the source: the flow goes round.
    for (const NodeId n : used_) vertex_[n.value] = kNone;
    used_.clear();
    surplus_.assign(1, 0);
    edges_.clear();
    for (const auto& [arc, amount] : flow.arcs) {
      const std::uint32_t from = vertex(graph_.tail(arc)), to = vertex(graph_.head(arc));
      surplus_[from] -= down(amount);
      surplus_[to] += down(amount);
      if (up(amount)) edges_.emplace_back(from, to);
    }
    const std::uint32_t source = vertex(source_);
    surplus_[0] -= down(flow.ends.size());
    surplus_[source] += down(flow.ends.size());
    const auto arc_edges = static_cast<std::uint32_t>(edges_.size());
    for (const NodeId n : flow.ends) edges_.emplace_back(vertex(n), 0);
    if (up(flow.ends.size())) edges_.emplace_back(0, source);
    const auto vertices = static_cast<std::uint32_t>(surplus_.size());
    MaxFlow rounding(vertices + 2);
    for (const auto& [from, to] : edges_) rounding.set_capacity(rounding.add_edge(from, to), 1);
    std::uint64_t wanted = 0;
    for (std::uint32_t v = 0; v < vertices; ++v) {
      const std::int64_t more = surplus_[v];
      if (more == 0) continue;
      const std::uint32_t edge =
          more > 0 ? rounding.add_edge(vertices, v) : rounding.add_edge(v, vertices + 1);
      rounding.set_capacity(edge, static_cast<std::uint64_t>(more > 0 ? more : -more));
      if (more > 0) wanted += static_cast<std::uint64_t>(more);
    }
    if (rounding.run(vertices, vertices + 1) != wanted) throw std::logic_error("a flow that does not divide");

    ScatterShare part;
    std::uint32_t edge = 0;
    std::size_t kept = 0;
    for (const auto& [arc, amount] : flow.arcs) {
      std::uint32_t taken = down(amount);
      if (up(amount)) taken += static_cast<std::uint32_t>(rounding.flow(edge++));
      if (taken > 0) part.arcs.push_back({arc, taken});
      if (taken < amount) flow.arcs[kept++] = {arc, amount - taken};
    }
    flow.arcs.resize(kept);
    edge = arc_edges;
    kept = 0;
    for (const NodeId n : flow.ends) {
      if (rounding.flow(edge++) > 0) {
        part.ends.push_back(n);
      } else {
        flow.ends[kept++] = n;
      }
    }
    flow.ends.resize(kept);
    return part;
  }

  const NodeGraph& graph_;
  NodeId source_;
  const Visit& visit_;
  std::vector<std::uint32_t> vertex_;  // by node
  std::vector<NodeId> used_;           // nodes that are vertices
  std::vector<std::int64_t> surplus_;  // by vertex
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
};

}  // namespace

void divide_flow(const NodeGraph& graph, NodeId source, ScatterShare flow, std::uint32_t steps,
                 const Visit& visit) {
  Division(graph, source, visit).run(std::move(flow), 0, steps);
}

}  // namespace unknot
