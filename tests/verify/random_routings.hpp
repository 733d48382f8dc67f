// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "verify/fabrics.hpp"

namespace unknot::testing {

/// A few entries of every wrong kind.
inline void damage(const Network& network, Routing& routing, Random& random) {
  if (network.terminal_count() == 0) return;
  for (std::uint32_t i = 1 + random.below(4); i > 0; --i) {
    const RouterId r(random.below(network.router_count()));
    const TerminalId t(random.below(network.terminal_count()));
    const std::uint32_t kinds[] = {ForwardingTable::kNone, ForwardingTable::kStray, ForwardingTable::kHere,
                                   network.out(r).size() + random.below(3), random.below(3)};
    routing.table().set(r, t, kinds[random.below(5)]);
  }
}

inline void add_levels(const Network& network, Routing& routing, Random& random, std::uint32_t lanes,
                       bool with_missing) {
  const auto rows = random.below(2) == 0 ? ServiceLevels::Rows::by_router : ServiceLevels::Rows::by_terminal;
  routing.service_levels = ServiceLevels(network, rows);
  routing.virtual_lanes = lanes;
  for (std::uint32_t row = 0; row < routing.service_levels.row_count(); ++row) {
    for (std::uint8_t& level : routing.service_levels.row(row)) {
      level = static_cast<std::uint8_t>(random.below(lanes));
      if (with_missing && random.below(20) == 0) level = ServiceLevels::kMissing;
    }
  }
}

/// `kind` 0: the same row everywhere; 1: rows at random; 2: rows at random, some of which drop.
inline std::shared_ptr<LaneMap> lane_map(const Network& network, Random& random, int kind,
                                         std::uint32_t lanes) {
  auto map = std::make_shared<LaneMap>(network, static_cast<std::uint8_t>(lanes));
  const auto row = [&] {
    LaneMap::Row fresh{};
    for (std::uint8_t& lane : fresh) {
      const bool drops = kind == 2 && random.below(25) == 0;
      lane = drops ? LaneMap::kDrop : static_cast<std::uint8_t>(random.below(lanes));
    }
    return fresh;
  };
  LaneMap::Row common = row();
  if (random.below(4) == 0) common[random.below(4)] = LaneMap::kDrop;
  for (const RouterId r : network.routers()) {
    const std::uint16_t ports = network.port_count(r);
    for (std::uint32_t pair = 0; pair < (ports + 1U) * ports; ++pair) {
      const auto in = static_cast<std::uint16_t>(pair / ports);
      const auto out = static_cast<std::uint16_t>(1 + pair % ports);
      map->set(r, in, out, kind == 0 ? common : row());
    }
  }
  return map;
}

/// Some adapters tell the lanes of their own cable, and may drop some levels there.
inline void add_adapters(const Network& network, Random& random, LaneMap& map) {
  for (const TerminalId t : network.terminals()) {
    if (random.below(3) == 0) continue;
    LaneMap::Row row{};
    row[random.below(4)] = random.below(3) == 0 ? LaneMap::kDrop : std::uint8_t{1};
    map.set_source(network, t, row);
  }
}

struct RandomCase {
  Network network;
  Routing routing;
};

/// Case number `seed` of an endless family: whole and broken tables, every kind of levels and lane maps.
inline RandomCase random_case(std::uint64_t seed, std::uint32_t routers = 9,
                              std::uint32_t terminals_each = 3) {
  Random random(seed, 77);
  RandomCase made;
  made.network = random_fabric(random, random.below(4) != 0, routers, terminals_each);
  const std::uint32_t paths = random.below(3);
  made.routing = paths == 2 ? random_walks(made.network, seed) : shortest_paths(made.network, seed);
  if (paths == 1) damage(made.network, made.routing, random);
  constexpr std::uint32_t kLanes[] = {1, 2, 3, 8, 15, 40};
  const std::uint32_t lanes = kLanes[random.below(6)];
  if (random.below(4) != 0) add_levels(made.network, made.routing, random, lanes, random.below(3) == 0);
  if (random.below(2) == 0) {
    const int kind = static_cast<int>(random.below(3));
    auto map = lane_map(made.network, random, kind, std::min(lanes, 15U));
    if (random.below(4) == 0) add_adapters(made.network, random, *map);
    made.routing.lane_map = std::move(map);
  }
  if (random.below(4) == 0) limit_lanes(made.routing, 1 + random.below(lanes));
  return made;
}

}  // namespace unknot::testing
