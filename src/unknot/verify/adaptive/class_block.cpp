// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/adaptive/class_block.hpp"

#include <algorithm>

namespace unknot {

void ClassBlock::fill(const Network& network, const RelationView& view, std::uint32_t planes,
                      std::uint32_t block, bool with_free) {
  const std::uint32_t channels = network.channel_count();
  const std::uint32_t routers = network.router_count();
  first = block * ClassBits::kCount;
  count = std::min(ClassBits::kCount, view.class_count() - first);
  allowed.assign(static_cast<std::size_t>(planes) * channels, {});
  free.assign(with_free ? allowed.size() : 0, {});
  lost.assign(static_cast<std::size_t>(planes) * routers, {});
  here.assign(lost.size(), {});
  for (std::uint32_t plane = 0; plane < planes; ++plane) {
    for (const RouterId r : network.routers()) {
      const auto options = view.options(plane, r);
      const std::size_t at = static_cast<std::size_t>(plane) * routers + r.value;
      of_option_.assign(options.size(), {});
      for (std::uint32_t bit = 0; bit < count; ++bit) {
        const std::uint16_t option = view.option_of(plane, r, view.representative(first + bit));
        (option == RelationView::kHere ? here[at] : of_option_[option]).set(bit);
      }
      const std::size_t out = static_cast<std::size_t>(plane) * channels + network.out(r).first();
      for (std::size_t i = 0; i < options.size(); ++i) {
        const RelationOption& option = options[i];
        if (option.positions.empty()) lost[at] |= of_option_[i];
        for (const std::uint16_t position : option.positions) {
          allowed[out + position] |= of_option_[i];
          if (with_free && option.free()) free[out + position] |= of_option_[i];
        }
      }
    }
  }
}

void ClassReach::send(const PacketWays& ways, const RelationView& view, const ServiceLevels& levels,
                      const Network& network, const ClassBlock& block) {
  ClassBits all;
  for (std::uint32_t bit = 0; bit < block.count; ++bit) all.set(bit);
  for (const PacketWays::Entrance& entrance : ways.entrances()) {
    const PacketWays::Stand& at = ways.stand(entrance.stand);
    ClassBits bits = all;
    if (!levels.empty()) {
      bits = {};
      const auto row = levels.row(levels.row_of(entrance.terminal));
      for (std::uint32_t bit = 0; bit < block.count; ++bit) {
        if (row[view.representative(block.first + bit).value] == ways.packets().level) bits.set(bit);
      }
    }
    sent[entrance.stand] |=
        bits - block.here[static_cast<std::size_t>(at.plane) * network.router_count() + at.router.value];
  }
}

void ClassReach::walk(const Network& network, const PacketWays& ways, const RelationView& view,
                      const ServiceLevels& levels, const ClassBlock& block) {
  const std::uint32_t channels = network.channel_count();
  const std::uint32_t routers = network.router_count();
  dropped = {};
  buffer.assign(ways.buffer_count(), {});
  used.assign(ways.buffer_count(), 0);
  sent.assign(ways.stand_count(), {});
  done_.assign(ways.stand_count(), {});
  queued_.assign(ways.stand_count(), 0);
  queue_.clear();
  send(ways, view, levels, network, block);
  stand = sent;
  for (std::uint32_t s = 0; s < ways.stand_count(); ++s) {
    if (!sent[s].any()) continue;
    queue_.push_back(s);
    queued_[s] = 1;
  }
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const std::uint32_t s = queue_[next];
    queued_[s] = 0;
    const ClassBits fresh = stand[s] - done_[s];
    done_[s] = stand[s];
    const PacketWays::Stand& at = ways.stand(s);
    const IdRange<ChannelId> out = network.out(at.router);
    const ClassBits* allowed = block.allowed.data() + static_cast<std::size_t>(at.plane) * channels;
    for (std::uint32_t i = 0; i < out.size(); ++i) {
      const std::uint32_t c = out.first() + i;
      ClassBits moving = fresh & allowed[c];
      if (!moving.any()) continue;
      const std::uint8_t lane = ways.lane(s, i);
      if (lane >= ways.lanes()) {
        dropped |= moving;
        continue;
      }
      const std::size_t in = static_cast<std::size_t>(lane) * channels + c;
      const std::uint32_t to = ways.stand_of(static_cast<std::uint32_t>(in));
      const PacketWays::Stand& there = ways.stand(to);
      used[in] = 1;
      moving -= block.here[static_cast<std::size_t>(there.plane) * routers + there.router.value];
      moving -= buffer[in];
      if (!moving.any()) continue;
      buffer[in] |= moving;
      stand[to] |= moving;
      if (queued_[to] == 0 && (stand[to] - done_[to]).any()) {
        queued_[to] = 1;
        queue_.push_back(to);
      }
    }
  }
}

}  // namespace unknot
