// SPDX-License-Identifier: Apache-2.0
#include "held/whole_fabric.hpp"

#include <fmt/format.h>

#include <utility>

#include "line_reader.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"

namespace unknot::opensm {
namespace {

/// Whether it is where hosts are.
bool is_host(const unknot_fabric::Adapter& a) {
  return a.lid != 0 && a.at_switch != unknot_fabric::kNowhere && !is_aggregation_node(a);
}

/// Finds what is other than in the whole, port by port.
class Comparer {
 public:
  Comparer(const WholeFabric& whole, const LiveNetwork& live, const unknot_fabric& fabric)
      : whole_(whole), network_(live.network()), live_(live), fabric_(fabric) {}

  LaterSweep run() {
    match_switches();
    for (std::uint32_t s = 0; later_.other.empty() && s < fabric_.switches.size(); ++s) compare_ports(s);
    for (const unknot_fabric::Adapter& a : fabric_.adapters) {
      if (later_.other.empty() && is_host(a)) compare_host(a);
    }
    return std::move(later_);
  }

 private:
  void match_switches() {
    switch_of_.assign(network_.router_count(), kNone);
    for (std::uint32_t s = 0; s < fabric_.switches.size(); ++s) {
      const auto found = whole_.router_of_guid.find(fabric_.switches[s].guid);
      if (found == whole_.router_of_guid.end()) {
        later_.other = name_of(fabric_.switches[s]) + " is new";
        return;
      }
      later_.router_of_switch.push_back(found->second);
      switch_of_[found->second.value] = s;
    }
    for (const RouterId r : network_.routers()) {
      const bool there = switch_of_[r.value] != kNone;
      if (there && !live_.alive(r)) later_.change.back_routers.push_back(r);
      if (!there && live_.alive(r)) later_.change.dead_routers.push_back(r);
    }
  }

  void compare_ports(std::uint32_t s) {
    const unknot_fabric::Switch& sw = fabric_.switches[s];
    const RouterId r = later_.router_of_switch[s];
    std::uint32_t known = 0;
    for (const ChannelId c : network_.out(r)) {
      const std::uint16_t port = network_.source_port(c);
      const std::uint32_t peer = switch_of_[network_.target(c).value];
      bool there = port < sw.ports.size() && is_cable(fabric_, s, port);
      if (there) {
        ++known;
        if (sw.ports[port].index != peer || sw.ports[port].port != network_.target_port(c)) {
          later_.other = fmt::format("the cable at port {} of {} leads elsewhere", port, name_of(sw));
          return;
        }
      }
      // Of a cable to a switch that is away nothing is known.
      if (peer != kNone && r < network_.target(c)) note(c, there);
    }
    std::uint32_t cables = 0;
    for (std::size_t port = 1; port < sw.ports.size(); ++port) cables += is_cable(fabric_, s, port) ? 1U : 0U;
    if (cables != known) later_.other = name_of(sw) + " has a new cable";
  }

  void note(ChannelId c, bool there) {
    if (there == live_.alive(c)) {
      // A cable that died with its switch is as dead as before it, or the switch is back without it.
      if (there || (live_.alive(network_.source(c)) && live_.alive(network_.target(c)))) return;
    }
    auto& list = there ? later_.change.back_channels : later_.change.dead_channels;
    list.push_back(c);
    list.push_back(network_.reverse(c));
    ++(there ? later_.back_cables : later_.dead_cables);
  }

  void compare_host(const unknot_fabric::Adapter& a) {
    const auto found = whole_.host_of_guid.find(a.port_guid);
    if (found == whole_.host_of_guid.end()) {
      later_.other = name_of(a) + " is new";
      return;
    }
    const RouterId r = network_.router_of(found->second);
    if (later_.router_of_switch[a.at_switch] != r || network_.terminal_port(found->second) != a.at_port)
      later_.other = name_of(a) + " has moved to another port";
  }

  const WholeFabric& whole_;
  const Network& network_;
  const LiveNetwork& live_;
  const unknot_fabric& fabric_;
  LaterSweep later_;
  std::vector<std::uint32_t> switch_of_;  // by router; kNone
};

}  // namespace

bool is_cable(const unknot_fabric& fabric, std::uint32_t s, std::size_t port) {
  const unknot_fabric::Link& link = fabric.switches[s].ports[port];
  if (link.kind != Peer::node || link.index == s) return false;
  const unknot_fabric::Link& back = fabric.switches[link.index].ports[link.port];
  return back.kind == Peer::node && back.index == s && back.port == port;
}

WholeFabric WholeFabric::of(const unknot_fabric& fabric) {
  WholeFabric whole;
  NetworkBuilder builder;
  for (const unknot_fabric::Switch& sw : fabric.switches) {
    const RouterId r = builder.add_router();
    builder.labels().router_guid.push_back(sw.guid);
    builder.labels().router_name.push_back(sw.name);
    if (!whole.router_of_guid.emplace(sw.guid, r).second) throw Misfit(name_of(sw) + " is there twice");
  }
  for (std::uint32_t s = 0; s < fabric.switches.size(); ++s) {
    const auto& ports = fabric.switches[s].ports;
    for (std::size_t port = 1; port < ports.size(); ++port) {
      if (!is_cable(fabric, s, port) || ports[port].index < s) continue;
      builder.add_cable(RouterId(s), static_cast<std::uint16_t>(port), RouterId(ports[port].index),
                        ports[port].port);
    }
  }
  for (const unknot_fabric::Adapter& a : fabric.adapters) {
    if (!is_host(a)) continue;
    builder.add_terminal(RouterId(a.at_switch), a.at_port);
    builder.labels().terminal_port_guid.push_back(a.port_guid);
  }
  try {
    whole.network = std::move(builder).build();
  } catch (const InputError& error) {
    throw Misfit(error.what());
  }
  for (const TerminalId t : whole.network.terminals())
    whole.host_of_guid.emplace(whole.network.terminal_port_guid(t), t);
  if (whole.host_of_guid.size() != whole.network.terminal_count())
    throw Misfit("a port GUID of an adapter is there twice");
  return whole;
}

LaterSweep compare(const WholeFabric& whole, const LiveNetwork& live, const unknot_fabric& fabric) {
  return Comparer(whole, live, fabric).run();
}

}  // namespace unknot::opensm
