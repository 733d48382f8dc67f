// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "verify/fabrics.hpp"

// Paths listed one by one, by relaxation and recursion: what the tests of this room compare with.
namespace unknot::testing {

using ChannelPath = std::vector<ChannelId>;

/// Every shortest path from each router to `destination`, by router.
inline std::vector<std::vector<ChannelPath>> shortest_paths_to(const Network& network, RouterId destination) {
  const std::vector<std::uint32_t> distance = distances_to(network, destination);
  std::uint32_t farthest = 0;
  for (const std::uint32_t d : distance) farthest = d < 1'000'000 ? std::max(farthest, d) : farthest;
  std::vector<std::vector<ChannelPath>> paths(network.router_count());
  paths[destination.value].emplace_back();
  for (std::uint32_t steps = 1; steps <= farthest; ++steps) {
    for (const RouterId r : network.routers()) {
      if (distance[r.value] != steps) continue;
      for (const ChannelId c : network.out(r)) {
        if (distance[network.target(c).value] + 1 != steps) continue;
        for (const ChannelPath& rest : paths[network.target(c).value]) {
          ChannelPath path = {c};
          path.insert(path.end(), rest.begin(), rest.end());
          paths[r.value].push_back(path);
        }
      }
    }
  }
  return paths;
}

/// [source][destination], both routers with terminals; empty for the others, and where there is no path.
inline std::vector<std::vector<std::vector<ChannelPath>>> all_shortest_paths(const Network& network) {
  const std::uint32_t routers = network.router_count();
  std::vector<std::vector<std::vector<ChannelPath>>> result(routers,
                                                            std::vector<std::vector<ChannelPath>>(routers));
  for (const RouterId d : network.routers()) {
    if (network.terminals_at(d).empty()) continue;
    const auto to = shortest_paths_to(network, d);
    for (const RouterId s : network.routers()) {
      if (!network.terminals_at(s).empty()) result[s.value][d.value] = to[s.value];
    }
  }
  return result;
}

}  // namespace unknot::testing
