// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/up_down/up_down_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "unknot/routing/trees/path_dag.hpp"
#include "unknot/routing/trees/sibling_uses.hpp"
#include "unknot/routing/up_down/down_up_turn.hpp"
#include "unknot/routing/up_down/level_order.hpp"

namespace unknot {
namespace {

struct LeastServed {
  explicit LeastServed(const Network& network) : served(network.channel_count(), 0), siblings(network) {}
  std::vector<std::uint32_t> served;  // by channel: destinations it serves
  SiblingUses siblings;
  [[nodiscard]] bool better(ChannelId a, ChannelId b) const {
    const std::uint32_t uses_a = siblings.of(a.value);
    const std::uint32_t uses_b = siblings.of(b.value);
    return uses_a != uses_b ? uses_a < uses_b : served[a.value] < served[b.value];
  }
  void take(RouterId /*router*/, ChannelId channel) {
    ++served[channel.value];
    siblings.take(channel.value);
  }
  void begin(const UpDownTree& /*tree*/, TerminalId destination) { siblings.begin(destination); }
  void end(const UpDownTree& /*tree*/, TerminalId /*destination*/) {}
};

}  // namespace

std::uint64_t fill_least_served(const Network& network, const UpDownOrder& order,
                                std::span<const TerminalId> destinations, ForwardingTable& table,
                                Progress& progress) {
  LeastServed choice(network);
  return fill_up_down_table(network, order, destinations, choice, table, progress);
}

std::uint64_t unconnected_pairs(const Network& network) {
  std::uint64_t pairs = 0;
  PathDags dags(network);
  for (const RouterId root : network.routers()) {
    const std::uint64_t here = network.terminals_at(root).size();
    if (here == 0) continue;
    dags.towards(root);
    for (const RouterId r : network.routers()) {
      if (dags.level()[r.value] == PathDags::kUnreached) pairs += here * network.terminals_at(r).size();
    }
  }
  return pairs;
}

std::string one_way_trouble(const Network& network) {
  for (const ChannelId c : network.channels()) {
    if (!network.reverse(c).valid()) {
      return fmt::format("{} is one-way, Up*/Down* needs both directions", network.channel_name(c));
    }
  }
  return "";
}

std::string tree_trouble(const Network& network) {
  if (std::string trouble = one_way_trouble(network); !trouble.empty()) return trouble;
  if (network.router_count() < 2) return "";
  const std::vector<std::uint32_t> height = heights_above_terminals(network);
  if (std::any_of(height.begin(), height.end(), [](std::uint32_t h) { return h > 0; })) return "";
  return "every router carries terminals, a tree has routers above them that carry none";
}

void require_up_down(const Network& network, const UpDownOrder& order, const ForwardingTable& table) {
  if (find_down_up_turn(network, table, order.place)) {
    throw std::logic_error("an Up*/Down* engine made a table that goes down and then up");
  }
}

}  // namespace unknot
