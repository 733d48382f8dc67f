// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/network/distances.hpp"
#include "unknot/tables/adaptive/adaptive_routing.hpp"

namespace unknot {

struct RandomRelation {
  Network network;
  AdaptiveRouting routing;
};

/// A connected network of at most `most` routers and a relation on it, of all that a relation can have:
/// several planes, lane tables of both kinds, levels by pair, hashes, entries that lead nowhere. Most choices
/// lead nearer to the destination, so that many relations deliver.
inline RandomRelation random_relation(std::uint64_t seed, std::uint32_t most) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  NetworkBuilder builder;
  const std::uint32_t routers = 2 + below(most - 1);
  for (std::uint32_t r = 0; r < routers; ++r) builder.add_router();
  if (below(2) == 0 && routers > 2) {  // rings deadlock most
    for (std::uint32_t r = 0; r < routers; ++r) builder.add_cable(RouterId(r), RouterId((r + 1) % routers));
  } else {
    for (std::uint32_t r = 1; r < routers; ++r) builder.add_cable(RouterId(r), RouterId(below(r)));
  }
  for (std::uint32_t extra = below(routers); extra > 0; --extra) {
    const std::uint32_t a = below(routers);
    const std::uint32_t b = below(routers);
    if (a != b) builder.add_cable(RouterId(a), RouterId(b));
  }
  for (std::uint32_t r = 0; r < routers; ++r) {
    if (r < 2 || below(3) != 0) builder.add_terminal(RouterId(r));
  }
  RandomRelation result{std::move(builder).build(), {}};
  const Network& network = result.network;
  AdaptiveRouting& routing = result.routing;
  routing.source = "random";
  const bool plain = below(2) == 0;
  const std::uint32_t planes = plain ? 1 : 1 + below(2);
  const std::uint32_t wildness = below(4) == 0 ? 1 + below(8) : 0;  // of a hundred choices
  for (std::uint32_t plane = 0; plane < planes; ++plane) {
    AdaptivePlane tables(network);
    for (const TerminalId t : network.terminals()) {
      const std::vector<std::uint32_t> distance = [&] {
        std::vector<std::uint32_t> d(network.router_count(), 0xFFFFFFFFU);
        std::vector<RouterId> queue{network.router_of(t)};
        d[queue.front().value] = 0;
        for (std::size_t i = 0; i < queue.size(); ++i) {
          for (const ChannelId c : network.in(queue[i])) {
            const RouterId from = network.source(c);
            if (d[from.value] != 0xFFFFFFFFU) continue;
            d[from.value] = d[queue[i].value] + 1;
            queue.push_back(from);
          }
        }
        return d;
      }();
      for (const RouterId r : network.routers()) {
        if (r == network.router_of(t)) continue;
        std::vector<std::uint16_t> near;
        std::vector<std::uint16_t> group;
        const IdRange<ChannelId> out = network.out(r);
        for (std::uint16_t i = 0; i < out.size(); ++i) {
          const bool nearer = distance[network.target(out[i]).value] < distance[r.value];
          if (nearer) near.push_back(i);
          if ((nearer && below(4) != 0) || below(100) < wildness) group.push_back(i);
        }
        if (group.empty() && below(100) >= wildness) group = near;
        const auto any = [&] {
          return below(100) < wildness
                     ? static_cast<std::uint16_t>(below(static_cast<std::uint32_t>(out.size())))
                     : near[below(static_cast<std::uint32_t>(near.size()))];
        };
        Choice choice{static_cast<ChoiceKind>(below(8) == 0 ? 2 : below(5) == 0 ? 0 : 1), any(), 0};
        if (below(200) < wildness) choice.fixed = below(2) == 0 ? Choice::kNone : Choice::kStray;
        choice.group = tables.add_group(r, group);
        if (below(300) < wildness) continue;
        tables.set(r, t, tables.add_choice(r, choice));
      }
    }
    routing.planes.push_back(std::move(tables));
  }
  const auto row = [&](std::uint32_t values) {
    std::array<std::uint8_t, 16> lanes{};
    for (std::uint8_t& lane : lanes)
      lane = static_cast<std::uint8_t>(below(100) < wildness ? LaneMap::kDrop : below(values));
    return lanes;
  };
  const auto random_map = [&](std::uint32_t lanes) {
    auto map = std::make_shared<LaneMap>(network, static_cast<std::uint8_t>(lanes));
    for (const RouterId r : network.routers())
      for (std::uint16_t in = 0; in <= network.port_count(r); ++in)
        for (std::uint16_t out = 0; out <= network.port_count(r); ++out)
          if (below(3) != 0) map->set(r, in, out, row(lanes));
    for (const TerminalId t : network.terminals())
      if (below(2) == 0) map->set_source(network, t, row(lanes));
    return map;
  };
  if (!plain) {
    if (planes > 1) {
      auto map =
          std::make_shared<PlaneMap>(network, below(2) == 0 ? PlaneMap::Key::lane : PlaneMap::Key::level);
      for (const RouterId r : network.routers()) {
        for (std::uint16_t in = 0; in <= network.port_count(r); ++in) {
          PlaneMap::Row keys{};
          for (std::uint8_t& key : keys) key = static_cast<std::uint8_t>(below(planes));
          map->set(r, in, keys);
        }
      }
      routing.plane_map = map;
    }
    if (below(2) == 0) routing.lane_map = random_map(1 + below(3));
    if (below(3) == 0) {
      routing.lane_steps = random_map(1 + below(2));
      if (below(2) == 0) {
        for (std::uint32_t r = 0; r < routers; ++r) routing.steps_at.push_back(below(2) == 0);
      }
    }
  }
  const std::uint32_t levels = 1 + below(plain ? 1 : 2);
  routing.adaptive_levels = static_cast<std::uint16_t>(below(8) == 0 ? 0 : (1U << levels) - 1);
  routing.fixed_levels = static_cast<std::uint16_t>(
      below(2) == 0 && routing.adaptive_levels != 0 ? 0 : 1U + below((1U << levels) - 1));
  if (!plain && below(2) == 0) {
    routing.service_levels = ServiceLevels(network, ServiceLevels::Rows::by_terminal);
    for (std::uint32_t i = 0; i < routing.service_levels.row_count(); ++i)
      for (std::uint8_t& level : routing.service_levels.row(i))
        level = static_cast<std::uint8_t>(below(20) == 0 ? ServiceLevels::kMissing : below(levels));
  }
  if (below(20) == 0) routing.data_lanes = 1 + below(2);
  return result;
}

}  // namespace unknot
