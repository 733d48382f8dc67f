// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/flow_search.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "unknot/tables/lane_function.hpp"

namespace unknot {
namespace {

/// Channel a packet for `t` leaves `r` by; invalid where the table names none that exists.
ChannelId next_channel(const Network& network, const Routing& routing, RouterId r, TerminalId t) {
  const std::uint32_t position = routing.table().get(r, t);
  const IdRange<ChannelId> out = network.out(r);
  return position < out.size() ? out[position] : ChannelId();
}

/// The first source, nearest first, whose packets to `destination` come to leave `router` and satisfy
/// `accepts`.
std::optional<FlowEnds> search_upstream(const Network& network, const Routing& routing, RouterId router,
                                        TerminalId destination,
                                        const std::function<bool(TerminalId)>& accepts) {
  std::vector<bool> seen(network.router_count(), false);
  std::vector<RouterId> queue{router};
  seen[router.value] = true;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const RouterId at = queue[next];
    for (const TerminalId source : network.terminals_at(at)) {
      if (source != destination && accepts(source)) return FlowEnds{source, destination};
    }
    for (const ChannelId c : network.in(at)) {
      const RouterId sender = network.source(c);
      if (seen[sender.value] || next_channel(network, routing, sender, destination) != c) continue;
      seen[sender.value] = true;
      queue.push_back(sender);
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<LaneChannel> follow(const Network& network, const Routing& routing, TerminalId source,
                                TerminalId destination) {
  std::vector<LaneChannel> path;
  const std::uint8_t level = routing.service_levels.get(source, destination);
  const LaneFunction lanes(routing);
  if (lanes.injected(level, source) >= kLanesToldApart) return path;
  RouterId at = network.router_of(source);
  std::uint16_t in_port = network.terminal_port(source);
  if (routing.routes() != nullptr) {
    for (const ChannelId c : routing.routes()->route(source, destination)) {
      if (c.value >= network.channel_count() || network.source(c) != at) break;
      const std::uint8_t lane = lanes.lane(level, at, in_port, network.source_port(c));
      if (lane >= kLanesToldApart) break;
      path.push_back({c, lane});
      at = network.target(c);
      in_port = network.target_port(c);
    }
    return path;
  }
  // In a loop everything repeats from the second round on.
  const std::size_t longest = 2 * static_cast<std::size_t>(network.router_count()) + 2;
  while (path.size() < longest) {
    const ChannelId c = next_channel(network, routing, at, destination);
    if (!c.valid()) break;
    const std::uint8_t lane = lanes.lane(level, at, in_port, network.source_port(c));
    if (lane >= kLanesToldApart) break;
    path.push_back({c, lane});
    at = network.target(c);
    in_port = network.target_port(c);
  }
  return path;
}

namespace {

/// The first pair whose source route holds all of `wanted`, one right after the other.
std::optional<FlowEnds> search_routes(const Network& network, const Routing& routing,
                                      std::span<const LaneChannel> wanted) {
  for (const TerminalId destination : network.terminals()) {
    for (const TerminalId source : network.terminals()) {
      const auto route = routing.routes()->route(source, destination);
      if (std::find(route.begin(), route.end(), wanted[0].channel) == route.end()) continue;
      const std::vector<LaneChannel> path = follow(network, routing, source, destination);
      if (std::search(path.begin(), path.end(), wanted.begin(), wanted.end()) != path.end())
        return FlowEnds{source, destination};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<FlowEnds> find_flow(const Network& network, const Routing& routing, LaneChannel from,
                                  LaneChannel to) {
  const std::array<LaneChannel, 2> both{from, to};
  if (routing.routes() != nullptr) return search_routes(network, routing, both);
  const RouterId first = network.source(from.channel);
  const RouterId second = network.target(from.channel);
  for (const TerminalId destination : network.terminals()) {
    if (next_channel(network, routing, first, destination) != from.channel ||
        next_channel(network, routing, second, destination) != to.channel)
      continue;
    const auto found = search_upstream(network, routing, first, destination, [&](TerminalId source) {
      const std::vector<LaneChannel> path = follow(network, routing, source, destination);
      return std::search(path.begin(), path.end(), both.begin(), both.end()) != path.end();
    });
    if (found) return found;
  }
  return std::nullopt;
}

std::optional<FlowEnds> find_flow(const Network& network, const Routing& routing, LaneChannel channel) {
  if (routing.routes() != nullptr)
    return search_routes(network, routing, std::array<LaneChannel, 1>{channel});
  const RouterId router = network.source(channel.channel);
  for (const TerminalId destination : network.terminals()) {
    if (next_channel(network, routing, router, destination) != channel.channel) continue;
    const auto found = search_upstream(network, routing, router, destination, [&](TerminalId source) {
      const std::vector<LaneChannel> path = follow(network, routing, source, destination);
      return std::find(path.begin(), path.end(), channel) != path.end();
    });
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace unknot
