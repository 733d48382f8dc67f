// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/tables/management_routes.hpp"

#include <algorithm>

#include "unknot/support/parallel.hpp"
#include "unknot/tables/model_terminal.hpp"

namespace unknot {
namespace {

/// Turns from one channel into the next that the routes between terminals make: a bit for each channel and
/// position among the channels that leave its target.
class UsedTurns {
 public:
  UsedTurns(const Network& network, const ForwardingTable& table)
      : degree_(network.max_out_degree()),
        used_(static_cast<std::size_t>(network.channel_count()) * degree_, false) {
    // A turn counts when some terminal's packets make it: walk in from the routers that carry terminals.
    std::vector<std::uint32_t> visited(network.router_count(), TerminalId::kNone);
    for (const TerminalId t : network.terminals()) {
      for (const RouterId start : network.routers()) {
        if (network.terminals_at(start).empty()) continue;
        RouterId at = start;
        ChannelId came_by;
        while (true) {
          const std::uint32_t position = table.get(at, t);
          if (position >= ForwardingTable::kStray) break;
          if (came_by.valid()) used_[came_by.value * std::size_t{degree_} + position] = true;
          if (visited[at.value] == t.value) break;  // the rest of the way has been walked
          visited[at.value] = t.value;
          came_by = network.out(at)[position];
          at = network.target(came_by);
        }
      }
    }
  }
  [[nodiscard]] bool has(ChannelId from, std::uint32_t position) const {
    return used_[from.value * std::size_t{degree_} + position];
  }

 private:
  std::uint32_t degree_;
  std::vector<bool> used_;
};

/// Grows the tree of switch `s` backwards: position[r] is the way from r.
void grow_tree(const Network& network, const UsedTurns& turns, RouterId s, std::uint32_t* position,
               std::vector<RouterId>& queue) {
  std::fill_n(position, network.router_count(), ForwardingTable::kNone);
  position[s.value] = ForwardingTable::kHere;
  for (const bool any_turn : {false, true}) {
    // The second pass starts from all that the first one reached, in the order it was reached.
    if (!any_turn) queue.assign(1, s);
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const RouterId at = queue[head];
      for (const ChannelId c : network.in(at)) {
        const RouterId from = network.source(c);
        if (position[from.value] != ForwardingTable::kNone) continue;
        if (!any_turn && at != s && !turns.has(c, position[at.value])) continue;
        position[from.value] = c.value - network.out(from).first();
        queue.push_back(from);
      }
    }
  }
}

}  // namespace

ManagementRoutes::ManagementRoutes(const Network& network, const ForwardingTable& table)
    : table_(table), router_count_(network.router_count()), target_(network.router_count()) {
  std::vector<RouterId> own_trees;
  for (const RouterId r : network.routers()) {
    Target& target = target_[r.value];
    target.terminal = model_terminal(network, table, r);
    if (target.terminal.valid()) continue;
    target.tree = static_cast<std::uint32_t>(own_trees.size());
    own_trees.push_back(r);
  }
  if (own_trees.empty()) return;
  const UsedTurns turns(network, table);
  position_.resize(own_trees.size() * router_count_);
  std::vector<std::vector<RouterId>> queues(hardware_threads());
  parallel_blocks(static_cast<std::uint32_t>(own_trees.size()), 1, hardware_threads(),
                  [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                    for (std::uint32_t i = begin; i < end; ++i) {
                      grow_tree(network, turns, own_trees[i],
                                position_.data() + std::size_t{i} * router_count_, queues[worker]);
                    }
                  });
}

}  // namespace unknot
