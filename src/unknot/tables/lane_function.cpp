// SPDX-License-Identifier: Apache-2.0
#include "unknot/tables/lane_function.hpp"

#include <array>
#include <optional>
#include <vector>

namespace unknot {
namespace {

/// Which levels some pair has, where each has one that can be sent with; nothing where one has none.
std::optional<std::array<bool, kLanesToldApart>> levels_sent(const ServiceLevels& levels,
                                                             std::uint32_t most) {
  std::array<bool, kLanesToldApart> sent{};
  sent[0] = levels.empty();
  for (std::uint32_t row = 0; row < levels.row_count(); ++row) {
    for (const std::uint8_t level : levels.row(row)) {
      if (level >= most) return std::nullopt;
      sent[level] = true;
    }
  }
  return sent;
}

}  // namespace

bool lanes_carry(const Network& network, const Routing& routing, TerminalId source, TerminalId destination,
                 std::span<const ChannelId> path) {
  const LaneFunction lanes(routing);
  const std::uint8_t level = routing.service_levels.get(source, destination);
  if (lanes.injected(level, source) >= kLanesToldApart) return false;
  RouterId at = network.router_of(source);
  std::uint16_t in_port = network.terminal_port(source);
  for (const ChannelId c : path) {
    if (lanes.lane(level, at, in_port, network.source_port(c)) >= kLanesToldApart) return false;
    at = network.target(c);
    in_port = network.target_port(c);
  }
  return lanes.lane(level, at, in_port, network.terminal_port(destination)) < kLanesToldApart;
}

bool lanes_may_drop(const Network& network, const Routing& routing) {
  const LaneFunction lanes(routing);
  const LaneMap* const map = lanes.map();
  const auto sent = levels_sent(routing.service_levels, map == nullptr ? lanes.lanes() : LaneMap::kLevels);
  if (!sent) return true;
  if (map == nullptr) return false;
  const auto drops = [&](const LaneMap::Row& row) {
    for (std::uint32_t level = 0; level < row.size(); ++level) {
      if ((*sent)[level] && lanes.drops(row[level])) return true;
    }
    return false;
  };
  for (const TerminalId t : network.terminals()) {
    const LaneMap::Row* row = map->source(t);
    if (row != nullptr && drops(*row)) return true;
  }
  // Packets that turn back arrive where they were: by tables they never get out of that.
  const bool may_turn = routing.routes() != nullptr;
  std::vector<std::uint16_t> in, out;
  for (const RouterId r : network.routers()) {
    in.clear();
    out.clear();
    for (const ChannelId c : network.in(r)) in.push_back(network.target_port(c));
    for (const ChannelId c : network.out(r)) out.push_back(network.source_port(c));
    for (const TerminalId t : network.terminals_at(r)) {
      in.push_back(network.terminal_port(t));
      out.push_back(network.terminal_port(t));
    }
    for (const std::uint16_t from : in) {
      for (const std::uint16_t to : out) {
        if ((from != to || may_turn) && drops(map->get(r, from, to))) return true;
      }
    }
  }
  return false;
}

}  // namespace unknot
