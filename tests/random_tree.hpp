// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/multicast_tables.hpp"

namespace unknot {

/// The ports of a spanning tree as the dice have it, both ends of each of its cables.
inline std::vector<MulticastPort> random_tree(const Network& network, std::mt19937& random) {
  std::vector<ChannelId> channels;
  for (const ChannelId c : network.channels()) channels.push_back(c);
  std::vector<MulticastPort> ports;
  std::vector<bool> seen(network.router_count(), false);
  seen[random() % network.router_count()] = true;
  for (bool grown = true; grown;) {
    grown = false;
    std::shuffle(channels.begin(), channels.end(), random);
    for (const ChannelId c : channels) {
      if (!seen[network.source(c).value] || seen[network.target(c).value]) continue;
      seen[network.target(c).value] = true;
      ports.push_back({network.source(c), network.source_port(c)});
      ports.push_back({network.target(c), network.target_port(c)});
      grown = true;
    }
  }
  return ports;
}

}  // namespace unknot
