// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "unknot/tables/adaptive/adaptive_routing.hpp"
#include "unknot/tables/lane_function.hpp"

namespace unknot {

/// What verify_adaptive() is held against: every packet by itself, every set by trying, from the definitions.
class ReferenceRelation {
 public:
  using Buffer = std::pair<std::uint32_t, std::uint32_t>;  ///< channel, lane
  struct Packet {
    std::uint32_t level = 0;
    bool adaptive = false;
    std::uint32_t destination = 0;
    auto operator<=>(const Packet&) const = default;
  };
  struct Next {
    std::vector<Buffer> buffers;
    bool free = false;       ///< any of them will do; else it is committed to one that nobody knows
    bool delivered = false;  ///< there is nothing to wait for
    bool lost = false;       ///< some choice loses it, or there is none
    bool gone = false;       ///< a free choice would drop it: it never waits
  };

  ReferenceRelation(const Network& network, const AdaptiveRouting& routing)
      : network_(network), routing_(routing), lanes_(routing) {
    for (std::uint32_t level = 0; level < 16; ++level) {
      for (const bool adaptive : {true, false}) {
        const std::uint32_t mask = adaptive ? routing.adaptive_levels : routing.fixed_levels;
        if ((mask >> level & 1U) == 0) continue;
        for (const TerminalId t : network.terminals()) follow({level, adaptive, t.value});
      }
    }
  }

  /// By buffer, the packets that may stand at its head and are not yet there.
  std::map<Buffer, std::set<Packet>> heads;
  std::set<Buffer> used;
  std::set<std::uint32_t> lost, looping;  ///< destinations
  std::uint32_t max_hops = 0, max_distance = 0;
  bool longer = false;

  [[nodiscard]] Next next(std::uint32_t r, std::uint16_t in_port, std::uint32_t lane,
                          const Packet& packet) const {
    const RouterId router(r);
    const TerminalId t(packet.destination);
    const std::uint32_t plane =
        routing_.plane_map == nullptr
            ? 0U
            : routing_.plane_map->plane(router, in_port, static_cast<std::uint8_t>(lane),
                                        static_cast<std::uint8_t>(packet.level));
    const AdaptivePlane& tables = routing_.planes[plane];
    const std::uint16_t entry = tables.entry(router, t);
    Next result;
    if (entry == AdaptivePlane::kHere && network_.router_of(t) == router) {
      result.delivered = true;
      // The last cable needs a lane, too.
      result.lost = lanes_.next(static_cast<std::uint8_t>(packet.level), static_cast<std::uint8_t>(lane),
                                router, in_port, network_.terminal_port(t)) >= kLaneDropped;
      return result;
    }
    if (entry >= AdaptivePlane::kHere) {
      result.lost = true;
      return result;
    }
    const Choice& choice = tables.choices(router)[entry];
    std::vector<std::uint16_t> positions;
    if (!packet.adaptive || choice.kind == ChoiceKind::fixed) {
      if (choice.fixed < Choice::kStray) positions = {choice.fixed};
    } else {
      const auto group = tables.group(router, choice.group);
      positions.assign(group.begin(), group.end());
      result.free = choice.kind == ChoiceKind::adaptive;
    }
    result.lost = positions.empty();
    for (const std::uint16_t position : positions) {
      const ChannelId c = network_.out(router)[position];
      const std::uint8_t next_lane =
          lanes_.next(static_cast<std::uint8_t>(packet.level), static_cast<std::uint8_t>(lane), router,
                      in_port, network_.source_port(c));
      if (next_lane >= kLaneDropped) {
        result.lost = true;
        result.gone = true;
      } else {
        result.buffers.emplace_back(c.value, next_lane);
      }
    }
    return result;
  }
  [[nodiscard]] Next next(const Buffer& at, const Packet& packet) const {
    const ChannelId c(at.first);
    return next(network_.target(c).value, network_.target_port(c), at.second, packet);
  }
  /// Where packets begin: what each terminal that sends such ones may do first.
  [[nodiscard]] std::vector<Next> first(const Packet& packet, bool* shut_out = nullptr) const {
    std::vector<Next> all;
    for (const TerminalId source : network_.terminals()) {
      if (source.value == packet.destination) continue;
      if (!routing_.service_levels.empty() &&
          routing_.service_levels.get(source, TerminalId(packet.destination)) != packet.level)
        continue;
      const std::uint8_t lane = lanes_.injected(static_cast<std::uint8_t>(packet.level), source);
      if (lane >= kLaneDropped) {
        if (shut_out != nullptr) *shut_out = true;
        continue;
      }
      all.push_back(next(network_.router_of(source).value, network_.terminal_port(source), lane, packet));
    }
    return all;
  }

  [[nodiscard]] bool acyclic() const {
    std::map<Buffer, std::set<Buffer>> arcs;
    for (const auto& [buffer, packets] : heads)
      for (const Packet& packet : packets)
        for (const Buffer& to : next(buffer, packet).buffers) arcs[buffer].insert(to);
    std::map<Buffer, int> mark;
    const std::function<bool(const Buffer&)> cyclic = [&](const Buffer& at) {
      if (mark[at] == 1) return true;
      if (mark[at] == 2) return false;
      mark[at] = 1;
      for (const Buffer& to : arcs[at])
        if (cyclic(to)) return true;
      mark[at] = 2;
      return false;
    };
    return std::none_of(used.begin(), used.end(), cyclic);
  }

  /// Whether a packet at the head of the buffer may wait for buffers of the set alone.
  [[nodiscard]] bool blocked(const Buffer& buffer, const Packet& packet, const std::set<Buffer>& set) const {
    const Next way = next(buffer, packet);
    if (way.delivered || way.buffers.empty()) return false;
    const auto inside = [&](const Buffer& to) { return set.contains(to); };
    if (!way.free) return std::any_of(way.buffers.begin(), way.buffers.end(), inside);
    return !way.gone && std::all_of(way.buffers.begin(), way.buffers.end(), inside);
  }
  [[nodiscard]] bool closed(const std::set<Buffer>& set) const {
    return std::all_of(set.begin(), set.end(), [&](const Buffer& buffer) {
      const auto found = heads.find(buffer);
      return found != heads.end() &&
             std::any_of(found->second.begin(), found->second.end(),
                         [&](const Packet& packet) { return blocked(buffer, packet, set); });
    });
  }
  /// The greatest closed set, by leaving out what is not blocked until all is.
  [[nodiscard]] std::set<Buffer> greatest_closed() const {
    std::set<Buffer> set = used;
    for (bool changed = true; changed;) {
      changed = false;
      for (auto at = set.begin(); at != set.end();) {
        const Buffer buffer = *at++;
        const auto found = heads.find(buffer);
        if (found != heads.end() &&
            std::any_of(found->second.begin(), found->second.end(),
                        [&](const Packet& packet) { return blocked(buffer, packet, set); }))
          continue;
        set.erase(buffer);
        changed = true;
      }
    }
    return set;
  }
  /// Whether any set is closed, by trying all; nothing where they are too many.
  [[nodiscard]] std::optional<bool> some_closed() const {
    const std::vector<Buffer> all(used.begin(), used.end());
    if (all.size() > 12) return std::nullopt;
    for (std::uint32_t mask = 1; mask < 1U << all.size(); ++mask) {
      std::set<Buffer> set;
      for (std::size_t i = 0; i < all.size(); ++i)
        if ((mask >> i & 1U) != 0) set.insert(all[i]);
      if (closed(set)) return true;
    }
    return false;
  }

  /// Buffers of one packet each: whether traffic from an empty network can come to a state with packets none
  /// of which can move. Nothing above `most` states.
  [[nodiscard]] std::optional<bool> deadlock_reachable(std::size_t most) const {
    // A packet, and the buffer it is committed to; -1 for none.
    struct Held {
      Packet packet;
      int committed = -1;
      auto operator<=>(const Held&) const = default;
    };
    using State = std::map<Buffer, Held>;
    std::set<Packet> all;
    for (const auto& [buffer, packets] : heads) all.insert(packets.begin(), packets.end());
    const auto entering = [&](const State& state, const Buffer& to, const Packet& packet, const auto& visit) {
      const Next there = next(to, packet);
      if (there.delivered || there.buffers.empty()) {  // gone at once
        visit(state);
        return;
      }
      const int ways = there.free ? 0 : static_cast<int>(there.buffers.size());
      for (int committed = ways == 0 ? -1 : 0; committed < ways; ++committed) {
        State with = state;
        with[to] = {packet, committed};
        visit(with);
      }
    };
    std::set<State> seen{State{}};
    std::vector<State> queue{State{}};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const State state = queue[i];
      const auto add = [&](const State& found) {
        if (seen.insert(found).second) queue.push_back(found);
      };
      bool moves = false;
      for (const auto& [buffer, held] : state) {
        const Next way = next(buffer, held.packet);
        State without = state;
        without.erase(buffer);
        if (way.gone && way.free) {
          moves = true;
          add(without);
        }
        for (int choice = 0; choice < static_cast<int>(way.buffers.size()); ++choice) {
          const Buffer& to = way.buffers[static_cast<std::size_t>(choice)];
          if (state.contains(to) || (held.committed >= 0 && held.committed != choice)) continue;
          moves = true;
          entering(without, to, held.packet, add);
        }
      }
      if (!moves && !state.empty()) return true;
      for (const Packet& packet : all)
        for (const Next& way : first(packet))
          for (const Buffer& to : way.buffers)
            if (!state.contains(to)) entering(state, to, packet, add);
      if (seen.size() > most) return std::nullopt;
    }
    return false;
  }

 private:
  void follow(const Packet& packet) {
    bool shut_out = false;
    std::set<Buffer> seen;
    std::vector<Buffer> queue;
    const auto go = [&](const Next& way) {
      if (way.lost) lost.insert(packet.destination);
      for (const Buffer& to : way.buffers) {
        used.insert(to);
        if (seen.insert(to).second) queue.push_back(to);
      }
    };
    // With itself as a source nothing changes: it is at its own router.
    const std::vector<Next> begins = first(packet, &shut_out);
    if (shut_out) {
      for (const TerminalId t : network_.terminals()) lost.insert(t.value);
    }
    for (const Next& way : begins) go(way);
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const Next way = next(queue[i], packet);
      if (!way.delivered) heads[queue[i]].insert(packet);
      go(way);
    }
    // The longest way from a buffer on, by recursion; a loop is found on the way.
    std::map<Buffer, int> longest;
    bool loops = false;
    const std::function<int(const Buffer&)> walk = [&](const Buffer& at) {
      if (const auto found = longest.find(at); found != longest.end()) {
        if (found->second < 0) loops = true;
        return std::max(0, found->second);
      }
      longest[at] = -1;
      int most = 0;
      for (const Buffer& to : next(at, packet).buffers) most = std::max(most, 1 + walk(to));
      return longest[at] = most;
    };
    std::vector<std::uint32_t> distance(network_.router_count(), 0xFFFFFFFFU);
    std::vector<std::uint32_t> near{network_.router_of(TerminalId(packet.destination)).value};
    distance[near.front()] = 0;
    for (std::size_t i = 0; i < near.size(); ++i) {
      for (const ChannelId c : network_.in(RouterId(near[i]))) {
        const std::uint32_t from = network_.source(c).value;
        if (distance[from] != 0xFFFFFFFFU) continue;
        distance[from] = distance[near[i]] + 1;
        near.push_back(from);
      }
    }
    for (const Next& way : begins) {
      for (const Buffer& to : way.buffers) {
        const auto hops = static_cast<std::uint32_t>(1 + walk(to));
        const std::uint32_t shortest = distance[network_.source(ChannelId(to.first)).value];
        if (hops > shortest) longer = true;
        max_hops = std::max(max_hops, hops);
        max_distance = std::max(max_distance, shortest);
      }
    }
    if (loops) looping.insert(packet.destination);
  }

  const Network& network_;
  const AdaptiveRouting& routing_;
  AdaptiveLanes lanes_;
};

}  // namespace unknot
