// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/tables/routing.hpp"

/// Networks with the ports in BookSim2's order, and its routes: its arbiters start at the lowest port.
namespace unknot::simulate {

struct RoutedNetwork {
  Network network;
  Routing routing;
};

/// Fills forwarding tables by a rule: next(router, destination router) is a port of the router.
template <class NextPort>
Routing routing_by_port(const Network& network, NextPort next) {
  Routing routing;
  routing.engine = "test";
  routing.paths = ForwardingTable(network);
  for (const RouterId r : network.routers()) {
    for (const TerminalId t : network.terminals()) {
      const RouterId home = network.router_of(t);
      if (home == r) continue;
      const ChannelId channel = network.channel_at(r, next(r, home));
      routing.table().set(r, t, channel.value - network.out(r).first());
    }
  }
  return routing;
}

/// k x k routers, ports +x, -x, +y, -y, terminal; `around` closes the lines. Dimension-order routing, in a
/// torus of odd k the shorter way.
inline RoutedNetwork grid(std::uint32_t k, bool around) {
  NetworkBuilder builder;
  builder.add_routers(k * k);
  const auto at = [k](std::uint32_t x, std::uint32_t y) { return RouterId(x % k + k * (y % k)); };
  for (std::uint32_t y = 0; y < k; ++y) {
    for (std::uint32_t x = 0; x < k; ++x) {
      if (around || x + 1 < k) builder.add_cable(at(x, y), 1, at(x + 1, y), 2);
      if (around || y + 1 < k) builder.add_cable(at(x, y), 3, at(x, y + 1), 4);
    }
  }
  for (std::uint32_t r = 0; r < k * k; ++r) builder.add_terminal(RouterId(r), 5);
  RoutedNetwork made{std::move(builder).build(), {}};
  const auto up = [=](std::uint32_t from, std::uint32_t to) {
    return around ? 2 * ((to + k - from) % k) < k : to > from;
  };
  made.routing = routing_by_port(made.network, [=](RouterId r, RouterId d) -> std::uint16_t {
    const std::uint32_t x = r.value % k, y = r.value / k, dx = d.value % k, dy = d.value / k;
    if (x != dx) return up(x, dx) ? 1 : 2;
    return up(y, dy) ? 3 : 4;
  });
  return made;
}

/// The lanes of BookSim2's dim_order on a torus: in a dimension, the second half of them for packets that
/// cross the dateline, the first for the others. Bit d of a packet's level says so for dimension d.
inline void add_datelines(RoutedNetwork& made, std::uint32_t k) {
  const Network& network = made.network;
  ServiceLevels levels(network, ServiceLevels::Rows::by_terminal);
  // Upwards past k-1; downwards it asks the same question, which is not the dateline but its rule.
  const auto crosses = [](std::uint32_t from, std::uint32_t to) { return from > to; };
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId d : network.terminals()) {
      const std::uint32_t from = network.router_of(s).value, to = network.router_of(d).value;
      levels.row(levels.row_of(s))[d.value] = static_cast<std::uint8_t>((crosses(from % k, to % k) ? 1 : 0) |
                                                                        (crosses(from / k, to / k) ? 2 : 0));
    }
  }
  made.routing.service_levels = levels;
  auto lanes = std::make_shared<LaneMap>(network, 2);
  for (const RouterId r : network.routers()) {
    for (std::uint16_t in = 0; in <= 5; ++in) {
      for (std::uint16_t out = 1; out <= 5; ++out) {
        LaneMap::Row row{};
        for (std::uint8_t level = 0; level < 4; ++level) row[level] = level >> (out > 2 ? 1U : 0U) & 1U;
        lanes->set(r, in, out, row);
      }
    }
  }
  made.routing.lane_map = lanes;
  made.routing.virtual_lanes = 2;
}

/// The network with ports in anynet's order: terminals, then neighbours by number. Shortest paths of at most
/// two channels by way of the neighbour with the lowest number.
inline RoutedNetwork anynet(const Network& source) {
  NetworkBuilder builder;
  builder.add_routers(source.router_count());
  const auto terminals = [&](RouterId r) { return source.terminals_at(r).size(); };
  const auto port_to = [&](RouterId r, RouterId to) {
    auto port = static_cast<std::uint16_t>(terminals(r) + 1);
    for (const ChannelId c : source.out(r)) port += source.target(c) < to ? 1 : 0;
    return port;
  };
  for (const RouterId r : source.routers()) {
    for (std::uint16_t i = 0; i < terminals(r); ++i)
      builder.add_terminal(r, static_cast<std::uint16_t>(i + 1));
  }
  for (const ChannelId c : source.channels()) {
    const RouterId a = source.source(c), b = source.target(c);
    if (a < b) builder.add_cable(a, port_to(a, b), b, port_to(b, a));
  }
  RoutedNetwork made{std::move(builder).build(), {}};
  const Network& network = made.network;
  made.routing.engine = "test";
  made.routing.paths = ForwardingTable(network);
  for (const RouterId r : network.routers()) {
    for (const TerminalId t : network.terminals()) {
      const RouterId home = network.router_of(t);
      if (home == r) continue;
      ChannelId best;
      bool direct = false;
      for (const ChannelId c : network.out(r)) {
        if (network.target(c) == home) {
          best = c;
          direct = true;
        }
        for (const ChannelId d : network.out(network.target(c))) {
          if (!direct && network.target(d) == home &&
              (!best.valid() || network.target(c) < network.target(best))) {
            best = c;
          }
        }
      }
      if (best.valid()) made.routing.table().set(r, t, best.value - network.out(r).first());
    }
  }
  return made;
}

}  // namespace unknot::simulate
