// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/messages/message_flows.hpp"

#include <algorithm>
#include <cstddef>

#include "unknot/support/error.hpp"
#include "unknot/tables/lane_function.hpp"

namespace unknot {
namespace {

class Walk {
 public:
  Walk(const Network& network, const MessageClass& message_class)
      : network_(network), class_(message_class), buffers_(network) {}

  void add(const Routing& routing, Progress& progress) {
    const LaneFunction lanes(routing);
    // Where the last packet that went that way was going, by level, lane and channel: it has been followed
    // from there.
    const std::size_t levels = std::min<std::size_t>(kLanesToldApart, routing.service_levels.highest() + 1U);
    const std::size_t ways = lanes.map() == nullptr ? levels : levels * kLanesOfMaps;
    std::vector<std::uint32_t> last(network_.channel_count() * ways, kNobody);
    progress.begin("following messages", network_.terminal_count());
    for (const TerminalId destination : network_.terminals()) {
      progress.update(destination.value);
      if (progress.interrupted()) throw Interrupted();
      if (!class_.receives(destination)) continue;
      for (const RouterId r : network_.routers()) {
        TerminalId leader;  // sent just before by the same router, on the same level
        for (const TerminalId source : network_.terminals_at(r)) {
          if (source == destination || !class_.sends(source)) continue;
          const std::uint8_t level = routing.service_levels.get(source, destination);
          if (lanes.injected(level, source) >= kLanesToldApart) continue;
          const bool alike = leader.valid() && lanes.map() == nullptr &&
                             level == routing.service_levels.get(leader, destination);
          if (alike && r != network_.router_of(destination) && routing.routes() == nullptr) {
            if (first_ != kNobody) wait(buffers_.send(source), first_);
            continue;
          }
          leader = source;
          if (routing.routes() != nullptr) {
            follow_route(routing, lanes, level, source, destination);
          } else {
            follow_tables(routing, lanes, level, source, destination, last);
          }
        }
      }
    }
  }

  MessageFlows take() {
    compact();
    return {std::move(waits_), lanes_};
  }

 private:
  static constexpr std::uint32_t kNobody = 0xFFFFFFFFU;
  static constexpr std::size_t kLanesOfMaps = LaneMap::kDrop;

  void wait(std::uint32_t from, std::uint32_t to) {
    waits_.emplace_back(from, to);
    if (waits_.size() < room_) return;
    compact();
    room_ = std::max(room_, 2 * waits_.size());
  }
  void compact() {
    std::sort(waits_.begin(), waits_.end());
    waits_.erase(std::unique(waits_.begin(), waits_.end()), waits_.end());
  }

  std::uint32_t take_channel(ChannelId c, std::uint8_t lane) {
    lanes_ = std::max(lanes_, lane + 1U);
    if (buffers_.count(lanes_) > kNobody)
      throw InputError("--messages: this network has more buffers than 32 bits count");
    return buffers_.channel(c, lane);
  }

  /// From `held` at the router of the destination into its receive queue, where a lane for data leads there.
  void deliver(const LaneFunction& lanes, std::uint8_t level, std::uint16_t in_port, std::uint32_t held,
               TerminalId destination) {
    const RouterId home = network_.router_of(destination);
    if (lanes.lane(level, home, in_port, network_.terminal_port(destination)) >= kLanesToldApart) return;
    wait(held, buffers_.receive(destination));
    if (first_ == kNobody) first_ = buffers_.receive(destination);
  }

  void follow_tables(const Routing& routing, const LaneFunction& lanes, std::uint8_t level, TerminalId source,
                     TerminalId destination, std::vector<std::uint32_t>& last) {
    first_ = kNobody;
    std::uint32_t held = buffers_.send(source);
    RouterId at = network_.router_of(source);
    std::uint16_t in_port = network_.terminal_port(source);
    for (;;) {
      const std::uint32_t position = routing.table().get(at, destination);
      const IdRange<ChannelId> out = network_.out(at);
      if (position >= out.size()) {
        const bool arrives = position == ForwardingTable::kHere && at == network_.router_of(destination);
        if (arrives) deliver(lanes, level, in_port, held, destination);
        return;
      }
      const ChannelId c = out[position];
      const std::uint8_t lane = lanes.lane(level, at, in_port, network_.source_port(c));
      if (lane >= kLanesToldApart) return;
      const std::uint32_t next = take_channel(c, lane);
      wait(held, next);
      if (first_ == kNobody) first_ = next;
      const std::size_t way = lanes.map() == nullptr ? level : level * kLanesOfMaps + lane;
      std::uint32_t& before = last[way * network_.channel_count() + c.value];
      if (before == destination.value) return;
      before = destination.value;
      held = next;
      at = network_.target(c);
      in_port = network_.target_port(c);
    }
  }

  void follow_route(const Routing& routing, const LaneFunction& lanes, std::uint8_t level, TerminalId source,
                    TerminalId destination) {
    first_ = kNobody;
    std::uint32_t held = buffers_.send(source);
    RouterId at = network_.router_of(source);
    std::uint16_t in_port = network_.terminal_port(source);
    for (const ChannelId c : routing.routes()->route(source, destination)) {
      if (c.value >= network_.channel_count() || network_.source(c) != at) return;
      const std::uint8_t lane = lanes.lane(level, at, in_port, network_.source_port(c));
      if (lane >= kLanesToldApart) return;
      const std::uint32_t next = take_channel(c, lane);
      wait(held, next);
      held = next;
      at = network_.target(c);
      in_port = network_.target_port(c);
    }
    if (at == network_.router_of(destination)) deliver(lanes, level, in_port, held, destination);
  }

  const Network& network_;
  const MessageClass& class_;
  MessageBuffers buffers_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> waits_;
  std::size_t room_ = std::size_t{1} << 24;
  std::uint32_t lanes_ = 1;
  std::uint32_t first_ = kNobody;  // that the packet followed last waited for in its send queue
};

}  // namespace

MessageFlows message_flows(const Network& network, const Routing& routing, const MessageClass& message_class,
                           Progress& progress) {
  Walk walk(network, message_class);
  walk.add(routing, progress);
  for (const Routing& further : routing.further) walk.add(further, progress);
  return walk.take();
}

}  // namespace unknot
