// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/relation/channel_states.hpp"

#include <algorithm>
#include <utility>

namespace unknot {

FlowStates reach(const ChannelRelation& relation, const ChannelRelation::Flow& flow) {
  constexpr std::uint32_t kNew = 0xFFFFFFFFU;
  FlowStates states;
  std::vector<std::uint32_t> state_of(relation.channel_count(), kNew);
  for (const std::uint32_t source : flow.sources) {
    states.channel.push_back(ChannelRelation::kEntrance);
    states.router.push_back(source);
  }
  states.entrances = states.size();
  states.first.push_back(0);
  for (std::uint32_t s = 0; s < states.size(); ++s) {
    if (states.router[s] != flow.destination) {
      const auto [begin, end] = relation.out(states.router[s]);
      for (ChannelRelation::Channel next = begin; next < end; ++next) {
        if (!relation.allows(states.channel[s], next, flow)) continue;
        if (state_of[next] == kNew) {
          state_of[next] = states.size();
          states.channel.push_back(next);
          states.router.push_back(relation.channel(next).to);
        }
        states.choice.push_back(state_of[next]);
      }
    }
    states.first.push_back(static_cast<std::uint32_t>(states.choice.size()));
  }
  return states;
}

void ArcList::sort() {
  std::sort(arcs_.begin(), arcs_.end());
  arcs_.erase(std::unique(arcs_.begin(), arcs_.end()), arcs_.end());
  distinct_ = arcs_.size();
}

DependencyGraph ArcList::graph() {
  sort();
  return {channels_, 1, std::vector<std::uint8_t>(channels_, 1), [this](const auto& visit) {
            for (const std::uint64_t arc : arcs_) {
              visit(static_cast<DependencyGraph::Vertex>(arc / channels_),
                    static_cast<DependencyGraph::Vertex>(arc % channels_));
            }
          }};
}

namespace {

/// States of all flows numbered one after another, and who waits for each channel.
class BlockedSearch {
 public:
  BlockedSearch(std::uint32_t channels, std::span<const FlowStates> flows)
      : flows_(flows), blocked_(channels, 1), packets_(channels, 0), waiters_(channels) {
    for (std::uint32_t f = 0; f < flows.size(); ++f) {
      const FlowStates& states = flows[f];
      base_.push_back(static_cast<std::uint32_t>(moves_.size()));
      for (std::uint32_t s = 0; s < states.size(); ++s) {
        const bool waits = s >= states.entrances && !states.next(s).empty();
        moves_.push_back(waits ? 0 : 1);
        if (!waits) continue;
        ++packets_[states.channel[s]];
        for (const std::uint32_t next : states.next(s)) waiters_[states.channel[next]].push_back({f, s});
      }
    }
  }

  std::vector<BlockedChannel> run() {
    std::vector<ChannelRelation::Channel> free;
    for (std::uint32_t c = 0; c < packets_.size(); ++c)
      if (packets_[c] == 0) free.push_back(c);
    while (!free.empty()) {
      const ChannelRelation::Channel c = free.back();
      free.pop_back();
      blocked_[c] = 0;
      for (const auto& [f, s] : waiters_[c]) {
        if (std::exchange(moves_[base_[f] + s], std::uint8_t{1}) != 0) continue;
        if (--packets_[flows_[f].channel[s]] == 0) free.push_back(flows_[f].channel[s]);
      }
    }
    return smallest();
  }

 private:
  /// In each channel the packet with the fewest choices; of what follows from each channel, the least.
  std::vector<BlockedChannel> smallest() const {
    std::vector<BlockedChannel> packet(blocked_.size());
    std::vector<std::uint32_t> choices(blocked_.size(), 0);
    for (std::uint32_t f = 0; f < flows_.size(); ++f) {
      for (std::uint32_t s = 0; s < flows_[f].size(); ++s) {
        if (moves_[base_[f] + s] != 0) continue;
        const ChannelRelation::Channel c = flows_[f].channel[s];
        const auto count = static_cast<std::uint32_t>(flows_[f].next(s).size());
        if (choices[c] != 0 && choices[c] <= count) continue;
        choices[c] = count;
        packet[c] = {c, f, s};
      }
    }
    constexpr std::uint64_t kMostSteps = 20'000'000;
    std::uint64_t steps = 0;
    std::vector<BlockedChannel> best;
    for (std::uint32_t c = 0; c < blocked_.size() && steps < kMostSteps; ++c) {
      if (blocked_[c] == 0) continue;
      std::vector<std::uint8_t> in(blocked_.size(), 0);
      std::vector<BlockedChannel> all = {packet[c]};
      in[c] = 1;
      steps += blocked_.size();
      for (std::size_t i = 0; i < all.size() && (best.empty() || all.size() < best.size()); ++i) {
        const FlowStates& states = flows_[all[i].flow];
        for (const std::uint32_t next : states.next(all[i].state)) {
          const ChannelRelation::Channel d = states.channel[next];
          if (std::exchange(in[d], std::uint8_t{1}) == 0) all.push_back(packet[d]);
        }
      }
      if (best.empty() || all.size() < best.size()) best = std::move(all);
    }
    return best;
  }

  std::span<const FlowStates> flows_;
  std::vector<std::uint8_t> blocked_;   // by channel
  std::vector<std::uint32_t> packets_;  // by channel: packets there that do not move
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> waiters_;  // by channel: flow and state
  std::vector<std::uint32_t> base_;  // by flow: number of its first state
  std::vector<std::uint8_t> moves_;  // by state
};

}  // namespace

std::vector<BlockedChannel> blocked_channels(std::uint32_t channels, std::span<const FlowStates> flows) {
  return BlockedSearch(channels, flows).run();
}

}  // namespace unknot
