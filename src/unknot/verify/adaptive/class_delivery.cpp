// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/adaptive/class_delivery.hpp"

#include <algorithm>
#include <utility>

#include "unknot/tables/lane_function.hpp"

namespace unknot {
namespace {

/// Sets of classes by stand whose packets have at most so many hops to go, whatever they choose.
class RemainingWays {
 public:
  RemainingWays(const Network& network, const PacketWays& ways, const ClassBlock& block,
                const ClassReach& reach)
      : network_(network), ways_(ways), block_(block), reach_(reach), done_(ways.stand_count()) {
    for (std::uint32_t s = 0; s < ways.stand_count(); ++s)
      if (reach.stand[s].any()) dirty_.push_back(s);
    is_dirty_.assign(ways.stand_count(), 0);
  }

  [[nodiscard]] const ClassBits& done(std::uint32_t s) const { return done_[s]; }
  /// Packets that are at the end of their ways after the hop, or within the hops of `done`.
  [[nodiscard]] ClassBits ends_after(std::uint32_t s, std::uint32_t position) const {
    const std::uint8_t lane = ways_.lane(s, position);
    ClassBits all;
    all.words.fill(~std::uint64_t{0});
    if (lane >= ways_.lanes()) return all;
    const std::uint32_t to = next_stand(s, position, lane);
    const PacketWays::Stand& there = ways_.stand(to);
    ClassBits ends =
        block_.here[static_cast<std::size_t>(there.plane) * network_.router_count() + there.router.value];
    return ends |= done_[to];
  }
  [[nodiscard]] std::uint32_t next_stand(std::uint32_t s, std::uint32_t position, std::uint8_t lane) const {
    const ChannelId c = network_.out(ways_.stand(s).router)[position];
    return ways_.stand_of(static_cast<std::uint32_t>(lane * network_.channel_count() + c.value));
  }
  [[nodiscard]] const ClassBits& allowed(std::uint32_t s, std::uint32_t position) const {
    const PacketWays::Stand& at = ways_.stand(s);
    return block_.allowed[static_cast<std::size_t>(at.plane) * network_.channel_count() +
                          network_.out(at.router).first() + position];
  }

  /// One hop more. False where nothing has changed.
  bool round() {
    std::vector<std::pair<std::uint32_t, ClassBits>> changes;
    for (const std::uint32_t s : dirty_) {
      is_dirty_[s] = 0;
      ClassBits candidates = reach_.stand[s] - done_[s];
      const auto degree = network_.out(ways_.stand(s).router).size();
      for (std::uint32_t i = 0; i < degree && candidates.any(); ++i) {
        const ClassBits on = candidates & allowed(s, i);
        if (on.any()) candidates -= on - ends_after(s, i);
      }
      if (candidates.any()) changes.emplace_back(s, candidates);
    }
    dirty_.clear();
    for (const auto& [s, bits] : changes) done_[s] |= bits;
    for (const auto& [s, bits] : changes) {
      for (const ChannelId c : network_.in(ways_.stand(s).router)) {
        for (const std::uint32_t before : ways_.stands_at(network_.source(c))) {
          if (is_dirty_[before] != 0 || !(reach_.stand[before] - done_[before]).any()) continue;
          is_dirty_[before] = 1;
          dirty_.push_back(before);
        }
      }
    }
    std::sort(dirty_.begin(), dirty_.end());
    return !changes.empty();
  }

 private:
  const Network& network_;
  const PacketWays& ways_;
  const ClassBlock& block_;
  const ClassReach& reach_;
  std::vector<ClassBits> done_;
  std::vector<std::uint32_t> dirty_;
  std::vector<std::uint8_t> is_dirty_;
};

/// Classes by router whose destination is at most so many channels away.
class Balls {
 public:
  Balls(const Network& network, const RelationView& view, const ClassBlock& block)
      : network_(network), near_(network.router_count()) {
    for (std::uint32_t bit = 0; bit < block.count; ++bit)
      near_[network.router_of(view.representative(block.first + bit)).value].set(bit);
  }
  [[nodiscard]] const ClassBits& near(RouterId r) const { return near_[r.value]; }
  /// By one channel. False where nothing has changed.
  bool grow() {
    std::vector<ClassBits> next = near_;
    for (const ChannelId c : network_.channels())
      next[network_.source(c).value] |= near_[network_.target(c).value];
    near_.swap(next);
    return near_ != next;
  }

 private:
  const Network& network_;
  std::vector<ClassBits> near_;
};

/// The routers of a loop of packets to the class, from a stand where they are not done.
std::vector<RouterId> find_loop(const Network& network, const PacketWays& ways,
                                const RemainingWays& remaining, std::uint32_t stand, std::uint32_t bit) {
  std::vector<std::uint32_t> path;
  std::vector<std::uint32_t> place(ways.stand_count(), PacketWays::kNowhere);
  while (place[stand] == PacketWays::kNowhere) {
    place[stand] = static_cast<std::uint32_t>(path.size());
    path.push_back(stand);
    const auto degree = network.out(ways.stand(stand).router).size();
    for (std::uint32_t i = 0; i < degree; ++i) {
      if (!remaining.allowed(stand, i).test(bit) || remaining.ends_after(stand, i).test(bit)) continue;
      stand = remaining.next_stand(stand, i, ways.lane(stand, i));
      break;
    }
  }
  std::vector<RouterId> loop;
  for (std::size_t i = place[stand]; i < path.size(); ++i) loop.push_back(ways.stand(path[i]).router);
  return loop;
}

/// Packets that some router, or some lane, lets fall.
void find_lost(const Network& network, const PacketWays& ways, const RelationView& view,
               const ClassBlock& block, const ClassReach& reach, std::uint32_t max_findings,
               ClassDelivery& result) {
  const auto find = [&](AdaptiveFinding::Kind kind, const PacketWays::Stand& at, std::uint32_t bit) {
    if (result.findings.size() < max_findings) {
      result.findings.push_back(
          {kind, view.representative(block.first + bit), ways.packets(), at.router, {}, false});
    }
  };
  for (std::uint32_t s = 0; s < ways.stand_count(); ++s) {
    if (!reach.stand[s].any()) continue;
    const PacketWays::Stand& at = ways.stand(s);
    const ClassBits lost =
        reach.stand[s] &
        block.lost[static_cast<std::size_t>(at.plane) * network.router_count() + at.router.value];
    result.lost |= lost;
    if (lost.any() && result.findings.size() < max_findings) {
      const TerminalId t = view.representative(block.first + lost.first());
      find(view.options(at.plane, at.router)[view.option_of(at.plane, at.router, t)].why_lost, at,
           lost.first());
    }
    const IdRange<ChannelId> out = network.out(at.router);
    for (std::uint32_t i = 0; i < out.size() && reach.dropped.any(); ++i) {
      if (ways.lane(s, i) < ways.lanes()) continue;
      const ClassBits dropped =
          reach.stand[s] &
          block.allowed[static_cast<std::size_t>(at.plane) * network.channel_count() + out.first() + i];
      result.lost |= dropped;
      if (dropped.any()) find(AdaptiveFinding::Kind::dropped_lane, at, dropped.first());
    }
  }
}

/// Packets that the last cable lets fall.
void find_dropped(const Network& network, const PacketWays& ways, const RelationView& view,
                  const LastCables& last_cables, const ClassBlock& block, const ClassReach& reach,
                  std::uint32_t max_findings, ClassDelivery& result) {
  const auto drop = [&](TerminalId t) {
    result.dropped.push_back(t);
    if (result.findings.size() < max_findings) {
      result.findings.push_back(
          {AdaptiveFinding::Kind::dropped_lane, t, ways.packets(), network.router_of(t), {}, false});
    }
  };
  const auto in_block = [&](TerminalId t) { return view.class_of(t) - block.first < block.count; };
  for (const TerminalId t : last_cables.dropped_at_home())
    if (in_block(t)) drop(t);
  if (last_cables.none()) return;
  for (std::uint32_t s = 0; s < ways.stand_count(); ++s) {
    if (!reach.stand[s].any()) continue;
    const PacketWays::Stand& at = ways.stand(s);
    const IdRange<ChannelId> out = network.out(at.router);
    for (std::uint32_t i = 0; i < out.size(); ++i) {
      if (ways.lane(s, i) >= ways.lanes()) continue;
      const std::uint32_t buffer = ways.lane(s, i) * network.channel_count() + out[i].value;
      const auto dropped = last_cables.dropped(buffer);
      if (dropped.empty()) continue;
      const PacketWays::Stand& there = ways.stand(ways.stand_of(buffer));
      const std::size_t here =
          static_cast<std::size_t>(there.plane) * network.router_count() + there.router.value;
      const ClassBits arriving =
          reach.stand[s] & block.here[here] &
          block.allowed[static_cast<std::size_t>(at.plane) * network.channel_count() + out[i].value];
      for (const TerminalId t : dropped)
        if (in_block(t) && arriving.test(view.class_of(t) - block.first)) drop(t);
    }
  }
}

}  // namespace

ClassDelivery deliver(const Network& network, const PacketWays& ways, const RelationView& view,
                      const LastCables& last_cables, const ClassBlock& block, const ClassReach& reach,
                      std::uint32_t max_findings) {
  ClassDelivery result;
  find_lost(network, ways, view, block, reach, max_findings, result);
  find_dropped(network, ways, view, last_cables, block, reach, max_findings, result);
  RemainingWays remaining(network, ways, block, reach);
  Balls balls(network, view, block);
  std::vector<std::uint32_t> senders;
  for (std::uint32_t s = 0; s < ways.stand_count(); ++s)
    if (reach.sent[s].any()) senders.push_back(s);
  const auto all_near = [&] {
    return std::all_of(senders.begin(), senders.end(), [&](std::uint32_t s) {
      return !(reach.sent[s] - balls.near(ways.stand(s).router)).any();
    });
  };
  bool near = senders.empty();
  std::uint32_t radius = 0;
  const auto grow = [&] {
    if (near || !balls.grow()) return false;
    ++radius;
    near = all_near();
    if (near) result.max_distance = radius;
    return true;
  };
  while (remaining.round()) {
    ++result.max_hops;
    (void)grow();
    for (const std::uint32_t s : senders) {
      const ClassBits late = reach.sent[s] - remaining.done(s);
      if (late.any() && (late & balls.near(ways.stand(s).router)).any()) result.longer = true;
    }
  }
  while (grow()) {
  }
  for (std::uint32_t s = 0; s < ways.stand_count(); ++s) {
    const ClassBits loops = reach.stand[s] - remaining.done(s);
    if (!loops.any()) continue;
    result.looping |= loops;
    if (result.findings.size() >= max_findings) continue;
    std::vector<RouterId> loop = find_loop(network, ways, remaining, s, loops.first());
    result.findings.push_back({AdaptiveFinding::Kind::loop, view.representative(block.first + loops.first()),
                               ways.packets(), loop.front(), std::move(loop), false});
  }
  return result;
}

}  // namespace unknot
