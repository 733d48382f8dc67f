// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/model/pair_routes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::size_t kMostLines = std::size_t{1} << 28U;

/// Channels from one terminal's router to the other's; false where there is no route.
bool walk(const Network& network, const Routing& routing, TerminalId from, TerminalId to,
          std::vector<std::uint32_t>& lines) {
  lines.clear();
  RouterId at = network.router_of(from);
  if (at == network.router_of(to)) return true;
  if (routing.routes() != nullptr) {
    if (!delivers(network, *routing.routes(), from, to)) return false;
    for (const ChannelId c : routing.routes()->route(from, to)) lines.push_back(c.value);
    return true;
  }
  while (at != network.router_of(to)) {
    const std::uint32_t entry = routing.table().get(at, to);
    if (entry == ForwardingTable::kNone) return false;
    const ChannelId c = routing.table().next(network, at, to);
    if (!c.valid() || lines.size() > network.router_count()) {
      throw InputError(fmt::format("routing {}: packets from {} to {} {} at {}", routing.engine,
                                   network.terminal_name(from), network.terminal_name(to),
                                   c.valid() ? "go in a circle" : "are led astray", network.router_name(at)));
    }
    lines.push_back(c.value);
    at = network.target(c);
  }
  return true;
}

}  // namespace

void PairRoutes::add_lines(const Network& network, const NodeGraph& graph, Lists& all) const {
  for (const ChannelId c : network.channels()) {
    all.tail.emplace_back(network.source(c).value);
    all.head.emplace_back(network.target(c).value);
    all.capacity.push_back(1);
    all.cable.push_back(network.reverse(c).valid() ? std::min(c, network.reverse(c)).value : c.value);
  }
  if (!graph.has_terminal_nodes()) return;
  for (const TerminalId t : network.terminals()) {
    const NodeId router(network.router_of(t).value), leaf(graph.router_count() + t.value);
    const auto line = static_cast<std::uint32_t>(all.tail.size());
    all.tail.insert(all.tail.end(), {leaf, router});
    all.head.insert(all.head.end(), {router, leaf});
    all.capacity.insert(all.capacity.end(), 2, graph.capacity(graph.find(leaf, router)));
    all.cable.insert(all.cable.end(), 2, line);
  }
}

PairRoutes::PairRoutes(const Network& network, const NodeGraph& graph, const Routing& routing) {
  require_fit(network, routing);
  auto all = std::make_shared<Lists>();
  add_lines(network, graph, *all);
  const bool leaves = graph.has_terminal_nodes();
  std::vector<TerminalId> ends;  // of each node one terminal
  all->end.assign(graph.node_count(), kNoEnd);
  for (const NodeId n : graph.nodes()) {
    if (!graph.has_endpoint(n)) continue;
    all->end[n.value] = static_cast<std::uint32_t>(ends.size());
    ends.push_back(leaves ? TerminalId(n.value - graph.router_count())
                          : *network.terminals_at(RouterId(n.value)).begin());
  }
  all->ends = static_cast<std::uint32_t>(ends.size());
  all->first.reserve(ends.size() * ends.size() + 1);
  std::vector<std::uint32_t> lines;
  for (const TerminalId from : ends) {
    for (const TerminalId to : ends) {
      if (from != to && walk(network, routing, from, to, lines)) {
        if (leaves) all->lines.push_back(network.channel_count() + 2 * from.value);
        all->lines.insert(all->lines.end(), lines.begin(), lines.end());
        if (leaves) all->lines.push_back(network.channel_count() + 2 * to.value + 1);
      }
      all->first.push_back(all->lines.size());
    }
    if (all->lines.size() > kMostLines)
      throw InputError("too many pairs of nodes: the paths of all of them do not fit into memory");
  }
  all_ = std::move(all);
}

std::vector<NodeId> PairRoutes::path(NodeId from, NodeId to) const {
  const auto on_way = lines(from, to);
  std::vector<NodeId> nodes;
  if (on_way.empty()) return nodes;
  nodes.push_back(all_->tail[on_way.front()]);
  for (const std::uint32_t line : on_way) nodes.push_back(all_->head[line]);
  if (backwards_) std::reverse(nodes.begin(), nodes.end());
  return nodes;
}

PairRoutes PairRoutes::reversed() const {
  PairRoutes result = *this;
  result.backwards_ = !backwards_;
  return result;
}

}  // namespace unknot
