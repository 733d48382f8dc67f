// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "unknot/network/builder.hpp"

namespace unknot {
namespace {

/// By old id: does the part remain, and under which new id.
class Survivors {
 public:
  explicit Survivors(std::uint32_t count) : new_id_(count, 0) {}
  void fail(std::uint32_t id) { new_id_.at(id) = kFailed; }
  /// Gives new ids in the old order.
  void number() {
    old_id_.clear();
    for (std::uint32_t id = 0; id < new_id_.size(); ++id) {
      if (new_id_[id] == kFailed) continue;
      new_id_[id] = static_cast<std::uint32_t>(old_id_.size());
      old_id_.push_back(id);
    }
  }
  [[nodiscard]] bool alive(std::uint32_t id) const { return new_id_[id] != kFailed; }
  [[nodiscard]] std::uint32_t new_id(std::uint32_t old) const { return new_id_[old]; }
  [[nodiscard]] const std::vector<std::uint32_t>& old_ids() const { return old_id_; }

 private:
  static constexpr std::uint32_t kFailed = 0xFFFFFFFFU;
  std::vector<std::uint32_t> new_id_, old_id_;
};

void keep_router_labels(const Network& network, const Survivors& routers, Labels& labels) {
  for (const std::uint32_t old : routers.old_ids()) {
    const RouterId r(old);
    labels.router_name.push_back(network.router_name(r));
    labels.router_guid.push_back(network.router_guid(r));
    labels.router_lid.push_back(network.router_lid(r));
    labels.router_ports.push_back(network.port_count(r));
  }
}

void keep_terminal_labels(const Network& network, const Survivors& terminals, Labels& labels) {
  for (const std::uint32_t old : terminals.old_ids()) {
    const TerminalId t(old);
    labels.terminal_name.push_back(network.terminal_name(t));
    labels.terminal_node_guid.push_back(network.terminal_node_guid(t));
    labels.terminal_port_guid.push_back(network.terminal_port_guid(t));
    labels.terminal_lid.push_back(network.terminal_lid(t));
    if (!network.labels().terminal_adapter_port.empty()) {
      labels.terminal_adapter_port.push_back(network.terminal_adapter_port(t));
    }
    if (!network.labels().terminal_adapter_ports.empty()) {
      labels.terminal_adapter_ports.push_back(network.terminal_adapter_ports(t));
    }
    if (!network.labels().terminal_rate.empty()) labels.terminal_rate.push_back(network.terminal_rate(t));
    if (!network.labels().terminal_latency.empty())
      labels.terminal_latency.push_back(network.terminal_latency(t));
    if (!network.labels().terminal_capacity.empty())
      labels.terminal_capacity.push_back(network.terminal_capacity(t));
  }
}

Coordinates keep_coordinates(const Coordinates& all, const Survivors& routers) {
  Coordinates kept{.dimensions = all.dimensions, .value = {}, .extent = all.extent, .wraps = all.wraps};
  kept.value.reserve(routers.old_ids().size() * all.dimensions);
  for (const std::uint32_t old : routers.old_ids()) {
    const auto from = all.value.begin() + static_cast<std::ptrdiff_t>(std::size_t{old} * all.dimensions);
    kept.value.insert(kept.value.end(), from, from + all.dimensions);
  }
  return kept;
}

}  // namespace

Network with_faults(const Network& network, const Faults& faults) {
  Survivors routers(network.router_count());
  for (const RouterId r : faults.routers) routers.fail(r.value);
  routers.number();
  Survivors terminals(network.terminal_count());
  for (const TerminalId t : faults.terminals) terminals.fail(t.value);
  for (const TerminalId t : network.terminals()) {
    if (!routers.alive(network.router_of(t).value)) terminals.fail(t.value);
  }
  terminals.number();
  std::vector<bool> dead(network.channel_count(), false);
  for (const ChannelId c : faults.channels) dead.at(c.value) = true;

  NetworkBuilder builder;
  const auto kept = static_cast<std::uint32_t>(routers.old_ids().size());
  builder.reserve(kept, network.channel_count() / 2, terminals.old_ids().size());
  builder.add_routers(kept);
  for (const ChannelId c : network.channels()) {
    if (dead[c.value] || !routers.alive(network.source(c).value) || !routers.alive(network.target(c).value)) {
      continue;
    }
    const ChannelId back = network.reverse(c);
    const bool two_way = back.valid() && !dead[back.value];
    if (two_way && back < c) continue;
    const RouterId from(routers.new_id(network.source(c).value));
    const RouterId to(routers.new_id(network.target(c).value));
    if (two_way) {
      builder.add_cable(from, network.source_port(c), to, network.target_port(c), network.channel_rate(c));
    } else {
      builder.add_channel(from, network.source_port(c), to, network.target_port(c), network.channel_rate(c));
    }
    builder.set_as(network, c);
  }
  for (const std::uint32_t old : terminals.old_ids()) {
    const TerminalId t(old);
    if (network.further_address(t)) {  // whose first address has just been added: they fail together
      builder.add_further_address();
    } else {
      builder.add_terminal(RouterId(routers.new_id(network.router_of(t).value)), network.terminal_port(t));
    }
  }

  keep_router_labels(network, routers, builder.labels());
  keep_terminal_labels(network, terminals, builder.labels());
  for (ServiceNode node : network.labels().service_nodes) {
    if (!routers.alive(node.router.value)) continue;
    node.router = RouterId(routers.new_id(node.router.value));
    builder.labels().service_nodes.push_back(std::move(node));
  }
  builder.labels().kept_lids = network.labels().kept_lids;
  builder.labels().lmc = network.labels().lmc;
  if (network.coordinates() != nullptr) {
    builder.set_coordinates(keep_coordinates(*network.coordinates(), routers));
  }
  if (!network.levels().empty()) {
    std::vector<std::uint32_t> levels;
    for (const std::uint32_t old : routers.old_ids()) levels.push_back(network.levels()[old]);
    builder.set_levels(std::move(levels));
  }
  builder.set_description(fmt::format("{} with {} routers, {} channels and {} terminals failed",
                                      network.description(), faults.routers.size(), faults.channels.size(),
                                      faults.terminals.size()));
  return std::move(builder).build();
}

}  // namespace unknot
