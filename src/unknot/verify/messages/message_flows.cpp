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
    const std::vector<Group> groups = senders_alike(routing, lanes);
    std::vector<Followers> firsts(groups.size());
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
      const RouterId home = network_.router_of(destination);
      for (std::size_t g = 0; g < groups.size(); ++g) {
        if (network_.router_of(groups[g].front()) == home || routing.routes() != nullptr) {
          for (const TerminalId source : groups[g]) {
            if (source == destination) continue;
            const std::uint32_t first = follow(routing, lanes, source, destination, last);
            if (first != kNobody) wait(buffers_.send(source), first);
          }
        } else {
          const std::uint32_t first = follow(routing, lanes, groups[g].front(), destination, last);
          if (first != kNobody) firsts[g].add(first);
        }
      }
    }
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (const TerminalId source : groups[g]) {
        for (const std::uint32_t first : firsts[g].all()) wait(buffers_.send(source), first);
      }
    }
  }

  MessageFlows take() {
    MessageFlows flows;
    flows.lanes = lanes_;
    for (std::uint32_t from = 0; from < waits_.size(); ++from) {
      for (const std::uint32_t to : waits_[from].all()) flows.waits.emplace_back(from, to);
    }
    return flows;
  }

 private:
  static constexpr std::uint32_t kNobody = 0xFFFFFFFFU;
  static constexpr std::size_t kLanesOfMaps = LaneMap::kDrop;
  using Group = std::vector<TerminalId>;

  /// A few buffers, of which one comes many times in a row.
  class Followers {
   public:
    void add(std::uint32_t buffer) {
      if (buffer == latest_) return;
      latest_ = buffer;
      const auto place = std::lower_bound(all_.begin(), all_.end(), buffer);
      if (place == all_.end() || *place != buffer) all_.insert(place, buffer);
    }
    [[nodiscard]] const std::vector<std::uint32_t>& all() const { return all_; }

   private:
    std::uint32_t latest_ = kNobody;
    std::vector<std::uint32_t> all_;  // ascending
  };

  /// Senders on one router whose packets go the same way to all other routers.
  std::vector<Group> senders_alike(const Routing& routing, const LaneFunction& lanes) const {
    std::vector<Group> groups;
    for (const RouterId r : network_.routers()) {
      bool begins = true;
      for (const TerminalId t : network_.terminals_at(r)) {
        begins = begins || lanes.map() != nullptr || routing.service_levels.begins_row(network_, t);
        if (!class_.sends(t)) continue;
        if (begins) groups.emplace_back();
        groups.back().push_back(t);
        begins = false;
      }
    }
    return groups;
  }

  void wait(std::uint32_t from, std::uint32_t to) {
    if (from >= waits_.size()) waits_.resize(static_cast<std::size_t>(buffers_.count(lanes_)));
    waits_[from].add(to);
  }

  std::uint32_t take_channel(ChannelId c, std::uint8_t lane) {
    lanes_ = std::max(lanes_, lane + 1U);
    if (buffers_.count(lanes_) > kNobody)
      throw InputError("--messages: this network has more buffers than 32 bits count");
    return buffers_.channel(c, lane);
  }

  /// What the packet waits for in its send queue; kNobody where it gets no further. From the first channel on
  /// what it waits for is noted.
  std::uint32_t follow(const Routing& routing, const LaneFunction& lanes, TerminalId source,
                       TerminalId destination, std::vector<std::uint32_t>& last) {
    const std::uint8_t level = routing.service_levels.get(source, destination);
    if (lanes.injected(level, source) >= kLanesToldApart) return kNobody;
    std::uint32_t first = kNobody;
    std::uint32_t held = kNobody;
    const auto go_on = [&](std::uint32_t next) {
      if (held == kNobody) {
        first = next;
      } else {
        wait(held, next);
      }
      held = next;
    };
    RouterId at = network_.router_of(source);
    std::uint16_t in_port = network_.terminal_port(source);
    // Whether a lane leads there.
    const auto take = [&](ChannelId c) {
      const std::uint8_t lane = lanes.lane(level, at, in_port, network_.source_port(c));
      if (lane >= kLanesToldApart) return false;
      go_on(take_channel(c, lane));
      at = network_.target(c);
      in_port = network_.target_port(c);
      if (routing.routes() != nullptr) return true;
      const std::size_t way = lanes.map() == nullptr ? level : level * kLanesOfMaps + lane;
      std::uint32_t& before = last[way * network_.channel_count() + c.value];
      if (before == destination.value) return false;
      before = destination.value;
      return true;
    };
    if (routing.routes() != nullptr) {
      for (const ChannelId c : routing.routes()->route(source, destination)) {
        if (c.value >= network_.channel_count() || network_.source(c) != at || !take(c)) return first;
      }
    } else {
      for (;;) {
        const std::uint32_t position = routing.table().get(at, destination);
        if (position >= network_.out(at).size()) {
          if (position != ForwardingTable::kHere) return first;
          break;
        }
        if (!take(network_.out(at)[position])) return first;
      }
    }
    const bool arrives =
        at == network_.router_of(destination) &&
        lanes.lane(level, at, in_port, network_.terminal_port(destination)) < kLanesToldApart;
    if (arrives) go_on(buffers_.receive(destination));
    return first;
  }

  const Network& network_;
  const MessageClass& class_;
  MessageBuffers buffers_;
  std::vector<Followers> waits_;  // by buffer
  std::uint32_t lanes_ = 1;
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
