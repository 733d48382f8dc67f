// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "unknot/verify/verify.hpp"
#include "verify/fabrics.hpp"

// What verify() should say, found the slow way: each pair is walked hop by hop, dependencies are kept in
// sets, and cycles are sought from every vertex.
namespace unknot::testing {

using Vertex = std::pair<std::uint32_t, std::uint32_t>;  // channel, lane

enum class Outcome { delivered, none, stray, loop, missing, dropped };

struct ReferencePath {
  Outcome outcome = Outcome::delivered;
  std::vector<Vertex> hops;  // held channels; loops go round three times
};

struct Reference {
  std::uint64_t unroutable = 0, looping = 0, longer = 0, total_hops = 0;
  std::uint32_t max_hops = 0;
  std::set<Vertex> used;
  std::map<Vertex, std::set<Vertex>> arcs;
  std::map<std::pair<TerminalId, TerminalId>, ReferencePath> paths;

  [[nodiscard]] std::uint64_t arc_count() const {
    std::uint64_t count = 0;
    for (const auto& [from, to] : arcs) count += to.size();
    return count;
  }
  [[nodiscard]] std::uint32_t lanes() const {
    std::set<std::uint32_t> lanes;
    for (const Vertex& v : used) lanes.insert(v.second);
    return static_cast<std::uint32_t>(lanes.size());
  }
  /// Length of the shortest cycle, 0 if none.
  [[nodiscard]] std::size_t girth() const {
    std::size_t best = 0;
    for (const auto& [root, first] : arcs) {
      std::set<Vertex> seen = first;
      std::set<Vertex> frontier = first;
      for (std::size_t depth = 1; !frontier.empty(); ++depth) {
        if (frontier.count(root) != 0) {
          if (best == 0 || depth < best) best = depth;
          break;
        }
        std::set<Vertex> next;
        for (const Vertex& v : frontier) {
          const auto row = arcs.find(v);
          if (row == arcs.end()) continue;
          for (const Vertex& w : row->second) {
            if (seen.insert(w).second) next.insert(w);
          }
        }
        frontier = std::move(next);
      }
    }
    return best;
  }
};

inline ReferencePath reference_path(const Network& network, const Routing& routing, TerminalId source,
                                    TerminalId destination) {
  ReferencePath path;
  const RouterId home = network.router_of(destination);
  // First where the table leads, whatever the lanes.
  std::set<std::uint32_t> visited;
  RouterId at = network.router_of(source);
  for (;;) {
    const std::uint32_t entry = routing.table().get(at, destination);
    if (entry < network.out(at).size()) {
      if (!visited.insert(at.value).second) {
        path.outcome = Outcome::loop;
        break;
      }
      at = network.target(network.out(at)[entry]);
      continue;
    }
    if (entry == ForwardingTable::kNone) path.outcome = Outcome::none;
    if (entry != ForwardingTable::kNone && (entry != ForwardingTable::kHere || at != home))
      path.outcome = Outcome::stray;
    break;
  }
  // Then with lanes.
  const Outcome by_table = path.outcome;
  const std::uint8_t level = routing.service_levels.get(source, destination);
  const bool mapped = routing.lane_map != nullptr;
  if (level >= (mapped ? 16 : 64)) {
    if (by_table == Outcome::delivered) path.outcome = Outcome::missing;
    return path;
  }
  const std::uint32_t data_lanes = mapped ? std::min(routing.data_lanes, 15U) : routing.data_lanes;
  const LaneMap::Row* injection = mapped ? routing.lane_map->source(source) : nullptr;
  if (injection != nullptr && (*injection)[level] >= data_lanes) {
    if (by_table == Outcome::delivered) path.outcome = Outcome::dropped;
    return path;
  }
  at = network.router_of(source);
  std::uint16_t in_port = network.terminal_port(source);
  for (std::uint32_t steps = 0; steps < 3 * network.router_count() + 3; ++steps) {
    const std::uint32_t entry = routing.table().get(at, destination);
    const bool ends = entry >= network.out(at).size();
    if (ends && by_table != Outcome::delivered) return path;
    const ChannelId c = ends ? ChannelId() : network.out(at)[entry];
    const std::uint16_t out_port = ends ? network.terminal_port(destination) : network.source_port(c);
    std::uint32_t lane = level;
    if (mapped) lane = routing.lane_map->lane(level, at, in_port, out_port);
    if (lane >= data_lanes) {
      if (by_table == Outcome::delivered) path.outcome = Outcome::dropped;
      return path;
    }
    if (ends) return path;
    path.hops.emplace_back(c.value, lane);
    at = network.target(c);
    in_port = network.target_port(c);
  }
  return path;
}

inline Reference reference_check(const Network& network, const Routing& routing) {
  Reference all;
  for (const TerminalId destination : network.terminals()) {
    const auto distance = distances_to(network, network.router_of(destination));
    for (const TerminalId source : network.terminals()) {
      if (source == destination) continue;
      ReferencePath path = reference_path(network, routing, source, destination);
      for (std::size_t i = 0; i < path.hops.size(); ++i) {
        all.used.insert(path.hops[i]);
        if (i > 0) all.arcs[path.hops[i - 1]].insert(path.hops[i]);
      }
      if (path.outcome == Outcome::delivered) {
        const auto hops = static_cast<std::uint32_t>(path.hops.size());
        all.total_hops += hops;
        all.max_hops = std::max(all.max_hops, hops);
        if (hops > distance[network.router_of(source).value]) ++all.longer;
      } else {
        ++all.unroutable;
        if (path.outcome == Outcome::loop) ++all.looping;
      }
      all.paths.emplace(std::pair(source, destination), std::move(path));
    }
  }
  return all;
}

}  // namespace unknot::testing
