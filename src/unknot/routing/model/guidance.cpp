// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/model/guidance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <unordered_map>
#include <utility>

namespace unknot {

std::string unheeded(const Guidance& guidance, const Heeds& heeds) {
  std::vector<std::string> names;
  if (!guidance.roots.empty() && !heeds.roots) names.emplace_back("roots");
  if (!guidance.order.empty() && !heeds.order) names.emplace_back("an order of destinations");
  if (!(guidance.compute_nodes.empty() && guidance.io_nodes.empty()) && !heeds.nodes)
    names.emplace_back("lists of compute and I/O nodes");
  if (!guidance.hop_weights.empty() && !heeds.hop_weights) names.emplace_back("hop weights");
  if (guidance.by_rate && !heeds.by_rate) names.emplace_back("rates of cables");
  if (guidance.ties() && !heeds.ties)
    names.emplace_back(guidance.port_shifting ? "port shifting" : "scattered ports");
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

Guidance heeded(Guidance guidance, const Heeds& heeds) {
  if (!heeds.roots) guidance.roots.clear();
  if (!heeds.order) guidance.order.clear();
  if (!heeds.nodes) {
    guidance.compute_nodes.clear();
    guidance.io_nodes.clear();
  }
  if (!heeds.hop_weights) guidance.hop_weights.clear();
  guidance.by_rate = guidance.by_rate && heeds.by_rate;
  if (!heeds.ties) {
    guidance.port_shifting = false;
    guidance.scatter_seed = 0;
  }
  return guidance;
}

std::vector<RouterId> routers_with(const Network& network, std::span<const std::uint64_t> guids) {
  std::vector<RouterId> routers;
  if (guids.empty()) return routers;
  std::vector<std::uint64_t> sorted(guids.begin(), guids.end());
  std::sort(sorted.begin(), sorted.end());
  const auto named = [&](std::uint64_t guid) {
    return std::binary_search(sorted.begin(), sorted.end(), guid);
  };
  for (const RouterId r : network.routers()) {
    bool wanted = named(network.router_guid(r));
    for (const TerminalId t : network.terminals_at(r)) {
      if (wanted) break;
      wanted = named(network.terminal_port_guid(t)) || named(network.terminal_node_guid(t));
    }
    if (wanted) routers.push_back(r);
  }
  return routers;
}

std::vector<TerminalId> terminals_in_order(const Network& network, const Guidance& guidance) {
  const std::array<std::span<const std::uint64_t>, 3> lists{guidance.order, guidance.compute_nodes,
                                                            guidance.io_nodes};
  std::vector<TerminalId> order;
  order.reserve(network.terminal_count());
  std::vector<bool> taken(network.terminal_count(), false);
  std::unordered_map<std::uint64_t, TerminalId> by_guid;
  if (std::any_of(lists.begin(), lists.end(), [](const auto& list) { return !list.empty(); })) {
    by_guid.reserve(network.terminal_count());
    for (const TerminalId t : network.terminals()) by_guid.emplace(network.terminal_port_guid(t), t);
  }
  for (const std::span<const std::uint64_t> list : lists) {
    for (const std::uint64_t guid : list) {
      const auto found = by_guid.find(guid);
      if (found == by_guid.end() || taken[found->second.value]) continue;
      taken[found->second.value] = true;
      order.push_back(found->second);
      // Its further addresses have the same GUID, and follow it.
      for (TerminalId next(found->second.value + 1);
           next.value < network.terminal_count() && network.further_address(next); ++next.value) {
        taken[next.value] = true;
        order.push_back(next);
      }
    }
  }
  for (const TerminalId t : network.terminals()) {
    if (!taken[t.value]) order.push_back(t);
  }
  return order;
}

std::vector<std::uint32_t> weights_by_channel(const Network& network, std::span<const HopWeight> weights) {
  std::vector<std::uint32_t> by_channel;
  if (weights.empty()) return by_channel;
  using Port = std::pair<std::uint64_t, std::uint16_t>;
  std::vector<std::pair<Port, std::uint32_t>> sorted;
  sorted.reserve(weights.size());
  for (const HopWeight& one : weights) sorted.push_back({{one.router_guid, one.port}, one.weight});
  // Of two lines for one port the later holds, as OpenSM has it.
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  by_channel.assign(network.channel_count(), 1);
  bool any = false;
  for (const ChannelId c : network.channels()) {
    const Port port{network.router_guid(network.source(c)), network.source_port(c)};
    const auto after = std::upper_bound(sorted.begin(), sorted.end(), port,
                                        [](const Port& p, const auto& entry) { return p < entry.first; });
    if (after == sorted.begin() || std::prev(after)->first != port) continue;
    by_channel[c.value] = std::prev(after)->second;
    any = any || by_channel[c.value] != 1;
  }
  if (!any) by_channel.clear();
  return by_channel;
}

std::vector<std::uint32_t> costs_by_rate(const Network& network) {
  constexpr double kFastest = 16;
  double fastest = 0;
  double slowest = 0;  // of those known
  for (const ChannelId c : network.channels()) {
    const double rate = link_rate_gigabits(network.channel_rate(c));
    if (rate == 0) continue;
    fastest = std::max(fastest, rate);
    slowest = slowest == 0 ? rate : std::min(slowest, rate);
  }
  std::vector<std::uint32_t> costs;
  if (fastest == slowest) return costs;
  costs.reserve(network.channel_count());
  for (const ChannelId c : network.channels()) {
    const double rate = link_rate_gigabits(network.channel_rate(c));
    costs.push_back(static_cast<std::uint32_t>(std::lround(kFastest * (rate == 0 ? 1 : fastest / rate))));
  }
  return costs;
}

}  // namespace unknot
