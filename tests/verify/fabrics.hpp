// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/random.hpp"
#include "unknot/tables/routing.hpp"

// Small fabrics and simple-minded routings for the tests of the checker and of the loads. Nothing here is
// shared with the library's engines.
namespace unknot::testing {

inline Network ring(std::uint32_t routers, std::uint32_t terminals_each = 1) {
  NetworkBuilder builder;
  builder.add_routers(routers);
  for (std::uint32_t r = 0; r < routers; ++r) {
    if (r + 1 < routers || routers > 2) builder.add_cable(RouterId(r), RouterId((r + 1) % routers));
  }
  for (std::uint32_t r = 0; r < routers; ++r) {
    for (std::uint32_t i = 0; i < terminals_each; ++i) builder.add_terminal(RouterId(r));
  }
  return std::move(builder).build();
}

/// One hub without terminals, `leaves` routers around it.
inline Network star(std::uint32_t leaves, std::uint32_t terminals_each = 1) {
  NetworkBuilder builder;
  builder.add_routers(leaves + 1);
  for (std::uint32_t leaf = 1; leaf <= leaves; ++leaf) {
    builder.add_cable(RouterId(0), RouterId(leaf));
    for (std::uint32_t i = 0; i < terminals_each; ++i) builder.add_terminal(RouterId(leaf));
  }
  return std::move(builder).build();
}

/// One router with all the terminals.
inline Network single(std::uint32_t terminals) {
  NetworkBuilder builder;
  builder.add_router();
  for (std::uint32_t i = 0; i < terminals; ++i) builder.add_terminal(RouterId(0));
  return std::move(builder).build();
}

/// Random multigraph of up to `most` routers, not always connected; some links are one-way, some routers
/// without terminals, the others with up to `terminals_each`.
inline Network random_fabric(Random& random, bool connected, std::uint32_t most = 9,
                             std::uint32_t terminals_each = 3) {
  NetworkBuilder builder;
  const std::uint32_t routers = 1 + random.below(most);
  builder.add_routers(routers);
  if (connected) {
    for (std::uint32_t r = 1; r < routers; ++r) builder.add_cable(RouterId(r), RouterId(random.below(r)));
  }
  for (std::uint32_t i = random.below(2 * routers); i > 0 && routers > 1; --i) {
    const std::uint32_t a = random.below(routers);
    const RouterId b((a + 1 + random.below(routers - 1)) % routers);
    if (random.below(5) == 0) {
      builder.add_channel(RouterId(a), b);
    } else {
      builder.add_cable(RouterId(a), b);
    }
  }
  for (std::uint32_t r = 0; r < routers; ++r) {
    for (std::uint32_t i = random.below(terminals_each + 1); i > 0; --i) builder.add_terminal(RouterId(r));
  }
  return std::move(builder).build();
}

/// Distance in channels from every router to `home`, by relaxation until nothing changes.
inline std::vector<std::uint32_t> distances_to(const Network& network, RouterId home) {
  constexpr std::uint32_t kFar = 1'000'000;
  std::vector<std::uint32_t> distance(network.router_count(), kFar);
  distance[home.value] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const ChannelId c : network.channels()) {
      const std::uint32_t through = distance[network.target(c).value] + 1;
      if (through < distance[network.source(c).value]) {
        distance[network.source(c).value] = through;
        changed = true;
      }
    }
  }
  return distance;
}

/// A random shortest path from everywhere to everywhere; none where there is no path.
inline Routing shortest_paths(const Network& network, std::uint64_t seed) {
  Routing routing;
  routing.engine = "test";
  routing.paths = ForwardingTable(network);
  Random random(seed);
  for (const TerminalId t : network.terminals()) {
    const auto distance = distances_to(network, network.router_of(t));
    for (const RouterId r : network.routers()) {
      std::vector<std::uint32_t> nearer;
      for (std::uint32_t i = 0; i < network.out(r).size(); ++i) {
        if (distance[network.target(network.out(r)[i]).value] + 1 == distance[r.value]) nearer.push_back(i);
      }
      if (!nearer.empty())
        routing.table().set(r, t, nearer[random.below(static_cast<std::uint32_t>(nearer.size()))]);
    }
  }
  return routing;
}

/// Every packet takes a random channel wherever it is.
inline Routing random_walks(const Network& network, std::uint64_t seed) {
  Routing routing = shortest_paths(network, seed);
  Random random(seed, 1);
  for (const TerminalId t : network.terminals()) {
    for (const RouterId r : network.routers()) {
      const std::uint32_t degree = network.out(r).size();
      if (r != network.router_of(t) && degree > 0 && random.below(3) != 0)
        routing.table().set(r, t, random.below(degree));
    }
  }
  return routing;
}

}  // namespace unknot::testing
