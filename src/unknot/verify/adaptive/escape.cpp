// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/adaptive/escape.hpp"

#include <algorithm>
#include <utility>

#include "unknot/deadlock/components.hpp"
#include "unknot/deadlock/shortest_cycle.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

using Vertex = DependencyGraph::Vertex;

DependencyGraph reversed(const DependencyGraph& graph) {
  std::vector<std::uint8_t> used(graph.vertex_count());
  for (Vertex v = 0; v < graph.vertex_count(); ++v) used[v] = graph.used(v) ? 1 : 0;
  return {graph.channel_count(), graph.lane_count(), std::move(used), [&](const auto& visit) {
            for (Vertex v = 0; v < graph.vertex_count(); ++v)
              for (const Vertex w : graph.next(v)) visit(w, v);
          }};
}

/// Whether packets that stand in `from` go on to `to`
/// where they take its channel.
bool leads(const Network& network, const PacketWays& ways, Vertex from, Vertex to) {
  const std::uint32_t stand = ways.stand_of(from);
  if (stand == PacketWays::kNowhere) return false;
  const ChannelId c(to % network.channel_count());
  const IdRange<ChannelId> out = network.out(ways.stand(stand).router);
  return out.contains(c) && ways.lane(stand, c.value - out.first()) == to / network.channel_count();
}

const ClassBits& choices_by(const Network& network, const FreePackets& packets, Vertex from, Vertex to) {
  const std::uint32_t channels = network.channel_count();
  const std::uint32_t plane = packets.ways->stand(packets.ways->stand_of(from)).plane;
  return packets.choices[static_cast<std::size_t>(plane) * channels + to % channels];
}

/// A shortest cycle of stuck buffers each of which may hold a packet that waits for the next alone; empty
/// where there is none.
std::vector<StuckBuffer> stuck_cycle(const Network& network, const DependencyGraph& bound,
                                     const std::vector<FreePackets>& free, const EscapeResult& escape,
                                     const std::vector<std::uint8_t>& stuck) {
  constexpr std::uint64_t kMostArcsSearched = 5'000'000;
  const std::uint32_t channels = network.channel_count();
  std::vector<StuckBuffer> arcs;
  for (const Vertex v : escape.stuck) {
    if (v < bound.vertex_count()) {
      for (const Vertex next : bound.next(v))
        if (stuck[next] != 0) arcs.push_back({v, StuckBuffer::kBound, 0, {next}});
    }
    for (std::uint32_t i = 0; i < free.size(); ++i) {
      const FreePackets& packets = free[i];
      if (!packets.blocked[v].any()) continue;
      const std::uint32_t s = packets.ways->stand_of(v);
      const PacketWays::Stand& stand = packets.ways->stand(s);
      const IdRange<ChannelId> out = network.out(stand.router);
      const ClassBits* choices =
          packets.choices.data() + static_cast<std::size_t>(stand.plane) * channels + out.first();
      ClassBits some;
      ClassBits several;
      for (std::uint32_t at = 0; at < out.size(); ++at) {
        several |= some & choices[at];
        some |= choices[at];
      }
      for (std::uint32_t at = 0; at < out.size(); ++at) {
        const ClassBits alone = (packets.blocked[v] & choices[at]) - several;
        if (alone.any())
          arcs.push_back({v, i, alone.first(), {packets.ways->lane(s, at) * channels + out.first() + at}});
      }
    }
  }
  const DependencyGraph graph(channels, static_cast<std::uint32_t>(stuck.size() / std::max(1U, channels)),
                              stuck, [&](const auto& visit) {
                                for (const StuckBuffer& arc : arcs) visit(arc.vertex, arc.waits_for.front());
                              });
  const std::vector<Vertex> cycle = shortest_cycle(graph, kMostArcsSearched);
  std::vector<StuckBuffer> result;
  result.reserve(cycle.size());
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const Vertex next = cycle[(i + 1) % cycle.size()];
    const auto found = std::find_if(arcs.begin(), arcs.end(), [&](const StuckBuffer& arc) {
      return arc.vertex == cycle[i] && arc.waits_for.front() == next;
    });
    result.push_back(*found);
  }
  return result;
}

}  // namespace

EscapeResult find_escape(const Network& network, const DependencyGraph& all, const DependencyGraph& bound,
                         std::vector<FreePackets>& free) {
  const DependencyGraph before = reversed(all);
  const DependencyGraph bound_before = reversed(bound);
  const std::uint32_t vertices = all.vertex_count();
  std::vector<std::uint32_t> reasons(vertices, 0);  // that still block the vertex
  for (Vertex v = 0; v < vertices; ++v) {
    if (v < bound.vertex_count()) reasons[v] += static_cast<std::uint32_t>(bound.next(v).size());
    for (const FreePackets& packets : free)
      if (packets.blocked[v].any()) ++reasons[v];
  }
  EscapeResult result;
  result.number.assign(vertices, Certificate::kUnused);
  std::vector<Vertex> order;
  std::vector<std::uint32_t> rank(vertices, 0);
  for (Vertex v = 0; v < vertices; ++v)
    if (all.used(v) && reasons[v] == 0) order.push_back(v);
  const auto relieve = [&](Vertex v, Vertex by) {
    if (--reasons[v] != 0) return;
    rank[v] = rank[by] + 1;
    order.push_back(v);
  };
  // NOLINTNEXTLINE(modernize-loop-convert): it grows meanwhile
  for (std::size_t next = 0; next < order.size(); ++next) {
    const Vertex to = order[next];
    if (to < bound_before.vertex_count())
      for (const Vertex from : bound_before.next(to)) relieve(from, to);
    for (const Vertex from : before.next(to)) {
      if (reasons[from] == 0) continue;
      for (FreePackets& packets : free) {
        ClassBits& blocked = packets.blocked[from];
        if (!blocked.any() || !leads(network, *packets.ways, from, to)) continue;
        blocked -= choices_by(network, packets, from, to);
        if (!blocked.any()) relieve(from, to);
      }
    }
  }
  const std::uint32_t last = order.empty() ? 0 : rank[order.back()];
  for (const Vertex v : order) result.number[v] = last - rank[v];
  for (Vertex v = 0; v < vertices; ++v)
    if (all.used(v) && result.number[v] == Certificate::kUnused) result.stuck.push_back(v);
  return result;
}

std::vector<StuckBuffer> small_stuck_set(const Network& network, const DependencyGraph& bound,
                                         const std::vector<FreePackets>& free, const EscapeResult& escape) {
  constexpr std::uint32_t kLooks = 64;  // packets of one buffer that are compared
  const std::uint32_t channels = network.channel_count();
  std::vector<std::uint8_t> stuck(escape.number.size(), 0);
  for (const Vertex v : escape.stuck) stuck[v] = 1;
  std::vector<StuckBuffer> cycle = stuck_cycle(network, bound, free, escape, stuck);
  if (!cycle.empty()) return cycle;
  const auto choice_of = [&](Vertex v) {
    StuckBuffer best{v, StuckBuffer::kBound, 0, {}};
    if (v < bound.vertex_count()) {
      for (const Vertex next : bound.next(v)) {
        if (stuck[next] == 0) continue;
        best.waits_for = {next};
        return best;
      }
    }
    for (std::uint32_t i = 0; i < free.size(); ++i) {
      const FreePackets& packets = free[i];
      if (!packets.blocked[v].any()) continue;
      const std::uint32_t s = packets.ways->stand_of(v);
      const PacketWays::Stand& stand = packets.ways->stand(s);
      const IdRange<ChannelId> out = network.out(stand.router);
      std::uint32_t looks = 0;
      packets.blocked[v].for_each([&](std::uint32_t bit) {
        if (++looks > kLooks) return;
        std::vector<Vertex> waits_for;
        for (std::uint32_t at = 0; at < out.size(); ++at) {
          if (packets.choices[static_cast<std::size_t>(stand.plane) * channels + out.first() + at].test(bit))
            waits_for.push_back(packets.ways->lane(s, at) * channels + out.first() + at);
        }
        if (best.waits_for.empty() || waits_for.size() < best.waits_for.size())
          best = {v, i, bit, std::move(waits_for)};
      });
    }
    return best;
  };
  std::vector<StuckBuffer> chosen;
  chosen.reserve(escape.stuck.size());
  for (const Vertex v : escape.stuck) chosen.push_back(choice_of(v));
  // A component that nothing leaves is closed: the smallest of those.
  const DependencyGraph graph(channels, static_cast<std::uint32_t>(stuck.size() / std::max(1U, channels)),
                              stuck, [&](const auto& visit) {
                                for (const StuckBuffer& one : chosen)
                                  for (const Vertex next : one.waits_for) visit(one.vertex, next);
                              });
  const CyclicComponents parts = cyclic_components(graph);
  std::vector<std::uint32_t> size(parts.count, 0);
  for (const StuckBuffer& one : chosen) {
    const std::uint32_t part = parts.component[one.vertex];
    if (part != CyclicComponents::kNone && size[part] != CyclicComponents::kNone) ++size[part];
  }
  for (const StuckBuffer& one : chosen) {
    const std::uint32_t part = parts.component[one.vertex];
    if (part == CyclicComponents::kNone) continue;
    for (const Vertex next : one.waits_for)
      if (parts.component[next] != part) size[part] = CyclicComponents::kNone;
  }
  const auto smallest = static_cast<std::uint32_t>(std::min_element(size.begin(), size.end()) - size.begin());
  std::erase_if(chosen, [&](const StuckBuffer& one) { return parts.component[one.vertex] != smallest; });
  return chosen;
}

}  // namespace unknot
