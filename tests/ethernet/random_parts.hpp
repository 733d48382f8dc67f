// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "unknot/ethernet/model/fabric.hpp"
#include "unknot/support/random.hpp"

namespace unknot::ethernet::test {

/// What is random about a fabric.
struct RandomKind {
  bool qualities = false;  ///< ports differ
  bool maps = false;       ///< and map at random
  bool tunnels = false;
  bool sensible = false;  ///< routes along shortest paths, so that most are free of loops
};

inline Prefix random_prefix(Random& random) {
  Prefix prefix = *parse_prefix("10.0.0." + std::to_string(random.below(8)));
  return prefix.wider(28 + random.below(5));
}

inline PriorityMap random_map(Random& random) {
  PriorityMap map = kSamePriority;
  for (unsigned i = 0; i < 3; ++i) map[random.below(5)] = static_cast<std::uint8_t>(random.below(5));
  return map;
}

inline PortQuality random_quality(Random& random, bool maps) {
  PortQuality quality;
  quality.lossless =
      static_cast<std::uint8_t>(random.below(4) == 0 ? random.below(32) : 0x18 | random.below(8));
  if (maps && random.below(2) == 0)
    quality.class_of_code_point[random.below(5)] = static_cast<std::uint8_t>(random.below(5));
  if (maps && random.below(3) == 0) quality.group_of_class = random_map(random);
  if (maps && random.below(3) == 0) quality.queue_of_class = random_map(random);
  if (maps && random.below(4) == 0) quality.queue_of_priority = random_map(random);
  return quality;
}

inline TunnelQuality random_tunnel(Random& random) {
  TunnelQuality quality;
  quality.pipe = random.below(2) == 0;
  quality.maps_in = random.below(2) == 0;
  if (quality.maps_in)
    quality.class_of_code_point[random.below(5)] = static_cast<std::uint8_t>(random.below(5));
  quality.groups_in = random.below(2) == 0;
  if (quality.groups_in) quality.group_of_class = random_map(random);
  quality.queues_out = random.below(2) == 0;
  if (quality.queues_out) quality.queue_of_class = random_map(random);
  quality.code_points_out = random.below(2) == 0;
  if (quality.code_points_out) quality.code_point_of_class = random_map(random);
  return quality;
}

/// Hops from each switch to one of the others over links, by breadth-first search.
inline std::vector<std::uint32_t> distances(
    const std::vector<std::vector<std::pair<std::uint32_t, std::string>>>& links, std::uint32_t to) {
  std::vector<std::uint32_t> far(links.size(), 1000);
  std::vector<std::uint32_t> queue{to};
  far[to] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const auto& [next, port] : links[queue[i]]) {
      if (far[next] != 1000) continue;
      far[next] = far[queue[i]] + 1;
      queue.push_back(next);
    }
  }
  return far;
}

/// A few switches with links at random, hosts on most of them, routes to prefixes that lie within each other.
inline std::vector<SwitchParts> random_parts(Random& random, const RandomKind& kind) {
  const std::uint32_t count = 2 + random.below(5);
  std::vector<SwitchParts> parts(count);
  std::vector<std::vector<std::pair<std::uint32_t, std::string>>> links(count);
  for (std::uint32_t s = 0; s < count; ++s) {
    parts[s].name = "s" + std::to_string(s);
    parts[s].origin = parts[s].name;
  }
  const std::uint32_t cables = count - 1 + random.below(count + 2);
  for (std::uint32_t i = 0; i < cables; ++i) {
    const std::uint32_t a = i + 1 < count ? i + 1 : random.below(count);
    const std::uint32_t b = i + 1 < count ? random.below(i + 1) : random.below(count);
    if (a == b) continue;
    const std::string a_port = "p" + std::to_string(links[a].size());
    links[a].emplace_back(b, a_port);
    const std::string b_port = "p" + std::to_string(links[b].size());
    links[b].emplace_back(a, b_port);
    parts[a].neighbours.push_back({a_port, parts[b].name, b_port, ""});
    parts[b].neighbours.push_back({b_port, parts[a].name, a_port, ""});
  }
  const auto hops = [&](std::uint32_t s, const std::vector<std::uint32_t>& far) {
    std::vector<std::string> ports;
    for (const auto& [next, port] : links[s]) {
      if (kind.sensible ? far[next] < far[s] : random.below(3) == 0) ports.push_back(port);
    }
    if (ports.empty())
      ports.push_back(links[s][random.below(static_cast<std::uint32_t>(links[s].size()))].second);
    return ports;
  };
  const std::uint32_t prefixes = 1 + random.below(4);
  for (std::uint32_t i = 0; i < prefixes; ++i) {
    const Prefix prefix = random_prefix(random);
    const std::uint32_t home = random.below(count);
    const std::vector<std::uint32_t> far = distances(links, home);
    for (std::uint32_t s = 0; s < count; ++s) {
      RouteText route;
      route.prefix = prefix;
      if (s == home) {
        route.interfaces = {"host"};
      } else if (random.below(8) == 0) {
        continue;
      } else {
        route.interfaces = hops(s, far);
      }
      parts[s].routes.push_back(route);
      if (random.below(4) == 0) {
        route.rank = 1;
        route.interfaces = hops(s, far);
        parts[s].routes.push_back(route);
      }
    }
  }
  for (std::uint32_t s = 0; s < count; ++s) {
    if (random.below(2) == 0) {
      parts[s].routes.push_back({*parse_prefix("0.0.0.0/0"), 0,
                                 hops(s, distances(links, random.below(count))), false,
                                 random.below(8) == 0});
      if (parts[s].routes.back().drop) parts[s].routes.back().interfaces.clear();
    }
  }
  if (!kind.qualities && !kind.tunnels) return parts;
  for (std::uint32_t s = 0; s < count; ++s) {
    SwitchConfig config;
    for (const auto& [next, port] : links[s]) {
      config.quality[port] = random_quality(random, kind.maps);
      if (!kind.qualities) config.quality[port] = {.lossless = 0x18};
    }
    config.quality["host"] =
        kind.qualities ? random_quality(random, kind.maps) : PortQuality{.lossless = 0x18};
    if (kind.tunnels) {
      // Loopbacks are 10.1.0.s; every other switch has a route to most of them.
      config.loopbacks.push_back(*parse_prefix("10.1.0." + std::to_string(s)));
      const std::uint32_t peer = random.below(count);
      TunnelConfig tunnel;
      tunnel.peer = *parse_prefix("10.1.0." + std::to_string(peer));
      if (kind.maps) tunnel.quality = random_tunnel(random);
      config.tunnel = tunnel;
      for (RouteText& route : parts[s].routes) {
        if (random.below(4) == 0 && !route.interfaces.empty()) route.interfaces = {"tun0"};
      }
      for (std::uint32_t t = 0; t < count; ++t) {
        if (t == s || random.below(8) == 0) continue;
        parts[s].routes.push_back(
            {*parse_prefix("10.1.0." + std::to_string(t)), 0, hops(s, distances(links, t)), false, false});
      }
    }
    parts[s].config = std::move(config);
  }
  return parts;
}

}  // namespace unknot::ethernet::test
