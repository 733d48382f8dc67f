// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/model/node_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "unknot/collective/model/link_capacities.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

bool one_terminal_each(const Network& network) {
  for (const RouterId r : network.routers()) {
    if (network.terminals_at(r).size() != 1) return false;
  }
  return true;
}

}  // namespace

NodeGraph::NodeGraph(const Network& network, const NodeGraphOptions& options)
    : routers_(network.router_count()), links_(options.links) {
  const bool separate = options.model == NodeModel::terminals ||
                        (options.model == NodeModel::automatic && !one_terminal_each(network));
  if (separate && network.terminal_count() > NodeId::kNone - 1 - routers_)
    throw InputError("too many terminals to be nodes beside the routers");
  const LinkCapacities capacities = link_capacities(network, options, separate);
  unit_ = capacities.unit;
  assumed_links_ = capacities.assumed;
  std::vector<Arc> arcs;
  arcs.reserve(network.channel_count() + (separate ? 2 * std::size_t{network.terminal_count()} : 0));
  for (const ChannelId c : network.channels()) {
    const std::uint32_t capacity = capacities.channels[c.value];
    const ChannelId back = network.reverse(c);
    arcs.push_back({NodeId(network.source(c).value), NodeId(network.target(c).value), capacity,
                    back.valid() ? std::min(capacity, capacities.channels[back.value]) : 0});
  }
  const std::uint32_t nodes = routers_ + (separate ? network.terminal_count() : 0);
  endpoint_.assign(nodes, 0);
  for (const TerminalId t : network.terminals()) {
    const NodeId router(network.router_of(t).value);
    if (!separate) {
      endpoint_[router.value] = 1;
      continue;
    }
    const NodeId leaf(routers_ + t.value);
    endpoint_[leaf.value] = 1;
    const std::uint32_t capacity = capacities.terminals[t.value];
    arcs.push_back({leaf, router, capacity, capacity});
    arcs.push_back({router, leaf, capacity, capacity});
  }
  if (unit_ != CapacityUnit::cables) take_unit(arcs);
  require_countable(nodes, arcs);
  build(nodes, std::move(arcs));
}

/// What a node has in all must fit the numbers of arcs and of sums.
void NodeGraph::require_countable(std::uint32_t nodes, const std::vector<Arc>& arcs) {
  std::vector<std::uint64_t> out(nodes, 0);
  std::vector<std::uint64_t> in(nodes, 0);
  for (const Arc& arc : arcs) {
    out[arc.tail.value] += arc.capacity;
    in[arc.head.value] += arc.capacity;
  }
  for (std::uint32_t n = 0; n < nodes; ++n) {
    if (std::max(out[n], in[n]) <= std::numeric_limits<std::uint32_t>::max()) continue;
    throw InputError(fmt::format(
        "the capacities of node {} add up to more than can be counted with; give them in larger units", n));
  }
}

/// From megabits a second to units.
void NodeGraph::take_unit(std::vector<Arc>& arcs) {
  for (const Arc& arc : arcs) unit_megabits_ = std::gcd(unit_megabits_, arc.capacity);
  for (Arc& arc : arcs) {
    arc.capacity /= unit_megabits_;
    arc.shared /= unit_megabits_;
  }
}

void NodeGraph::build(std::uint32_t nodes, std::vector<Arc> arcs) {
  std::sort(arcs.begin(), arcs.end(),
            [](const Arc& a, const Arc& b) { return a.tail != b.tail ? a.tail < b.tail : a.head < b.head; });
  first_.assign(std::size_t{nodes} + 1, 0);
  in_first_.assign(std::size_t{nodes} + 1, 0);
  for (const Arc& arc : arcs) {
    if (!tail_.empty() && tail_.back() == arc.tail && head_.back() == arc.head) {
      capacity_.back() += arc.capacity;
      shared_.back() += arc.shared;
      continue;
    }
    tail_.push_back(arc.tail);
    head_.push_back(arc.head);
    capacity_.push_back(arc.capacity);
    shared_.push_back(arc.shared);
    ++first_[arc.tail.value + 1];
    ++in_first_[arc.head.value + 1];
  }
  for (std::uint32_t n = 0; n < nodes; ++n) {
    first_[n + 1] += first_[n];
    in_first_[n + 1] += in_first_[n];
  }
  in_.resize(arc_count());
  std::vector<std::uint32_t> next(in_first_.begin(), in_first_.end() - 1);
  for (const ArcId a : this->arcs()) in_[next[head(a).value]++] = a;
  link_.resize(arc_count());
  for (const ArcId a : this->arcs()) {
    const ArcId opposite = find(head(a), tail(a));
    if (opposite.valid() && opposite < a) {
      const std::uint32_t link = link_[opposite.value];
      link_[a.value] = link;
      link_capacity_[link] += capacity(a);
      if (links_ == LinkClass::half_duplex) link_capacity_[link] -= shared_[a.value];
    } else {
      link_[a.value] = link_count();
      link_capacity_.push_back(capacity(a));
    }
  }
}

ArcId NodeGraph::find(NodeId from, NodeId to) const {
  const auto begin = head_.begin() + first_[from.value];
  const auto end = head_.begin() + first_[from.value + 1];
  const auto found = std::lower_bound(begin, end, to);
  if (found == end || *found != to) return {};
  return ArcId(static_cast<std::uint32_t>(found - head_.begin()));
}

ArcId NodeGraph::first_uneven() const {
  for (const ArcId a : arcs()) {
    const ArcId back = find(head(a), tail(a));
    if (!back.valid() || capacity(back) != capacity(a)) return a;
  }
  return {};
}

std::uint32_t NodeGraph::out_capacity(NodeId n) const {
  std::uint32_t sum = 0;
  for (const ArcId a : out(n)) sum += capacity(a);
  return sum;
}

std::uint32_t NodeGraph::in_capacity(NodeId n) const {
  std::uint32_t sum = 0;
  for (const ArcId a : in(n)) sum += capacity(a);
  return sum;
}

/// Breadth-first from `start`; arcs_at(n) are those looked at from a node, far(a) where one leads.
template <class Arcs, class Far>
void NodeGraph::search(NodeId start, std::vector<std::uint32_t>& hops, Arcs arcs_at, Far far) const {
  hops.assign(node_count(), kUnreached);
  std::vector<NodeId> queue{start};
  hops[start.value] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const NodeId n = queue[i];
    if (is_leaf(n) && n != start) continue;
    for (const ArcId a : arcs_at(n)) {
      const NodeId next = far(a);
      if (hops[next.value] != kUnreached) continue;
      hops[next.value] = hops[n.value] + 1;
      queue.push_back(next);
    }
  }
}

void NodeGraph::distances_from(NodeId source, std::vector<std::uint32_t>& hops) const {
  search(
      source, hops, [this](NodeId n) { return out(n); }, [this](ArcId a) { return head(a); });
}

void NodeGraph::distances_to(NodeId target, std::vector<std::uint32_t>& hops) const {
  search(
      target, hops, [this](NodeId n) { return in(n); }, [this](ArcId a) { return tail(a); });
}

/// The nodes, of which arcs are to be built.
NodeGraph NodeGraph::without_arcs() const {
  NodeGraph result;
  result.routers_ = routers_;
  result.unit_ = unit_;
  result.assumed_links_ = assumed_links_;
  result.unit_megabits_ = unit_megabits_;
  result.links_ = links_;
  result.endpoint_ = endpoint_;
  return result;
}

NodeGraph NodeGraph::with_capacities(std::span<const std::uint32_t> capacities) const {
  NodeGraph result = without_arcs();
  std::vector<Arc> arcs;
  for (const ArcId a : this->arcs()) {
    const std::uint32_t capacity = capacities[a.value];
    if (capacity > 0) arcs.push_back({tail(a), head(a), capacity, std::min(capacity, shared_[a.value])});
  }
  require_countable(node_count(), arcs);
  result.build(node_count(), std::move(arcs));
  return result;
}

NodeGraph NodeGraph::reversed() const {
  NodeGraph result = without_arcs();
  std::vector<Arc> arcs;
  arcs.reserve(arc_count());
  for (const ArcId a : this->arcs()) arcs.push_back({head(a), tail(a), capacity(a), shared_[a.value]});
  result.build(node_count(), std::move(arcs));
  return result;
}

}  // namespace unknot
