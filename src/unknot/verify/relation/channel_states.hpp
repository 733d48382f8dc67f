// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/deadlock/dependency_graph.hpp"
#include "unknot/tables/adaptive/channel_relation.hpp"

namespace unknot {

/// Where packets of one flow can be, and their choices there. A state is a channel; the first ones, one for
/// each source, are packets that have not come in yet.
struct FlowStates {
  std::vector<ChannelRelation::Channel> channel;  ///< by state; kEntrance of the first
  std::vector<std::uint32_t> router;              ///< by state: where its head is
  std::vector<std::uint32_t> first;               ///< by state, and one more: of its choices
  std::vector<std::uint32_t> choice;              ///< states
  std::uint32_t entrances = 0;

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(channel.size()); }
  [[nodiscard]] std::span<const std::uint32_t> next(std::uint32_t state) const {
    return {choice.data() + first[state], choice.data() + first[state + std::size_t{1}]};
  }
};

/// All that packets of the flow can come to; those at the router of their destination are delivered, and have
/// no choices. O(states * channels of a router).
FlowStates reach(const ChannelRelation& relation, const ChannelRelation::Flow& flow);

/// Distinct arcs between channels, collected flow by flow.
class ArcList {
 public:
  explicit ArcList(std::uint32_t channels) : channels_(channels) {}
  void add(ChannelRelation::Channel from, ChannelRelation::Channel to) {
    arcs_.push_back(std::uint64_t{from} * channels_ + to);
    if (arcs_.size() > 2 * distinct_ + (std::size_t{1} << 20)) sort();
  }
  /// Vertices are channels.
  [[nodiscard]] DependencyGraph graph();

 private:
  void sort();
  std::uint32_t channels_;
  std::size_t distinct_ = 0;
  std::vector<std::uint64_t> arcs_;
};

/// Channels that can block each other for ever, each with a packet that may take none but others of them: a
/// small set of them; empty where there is none.
struct BlockedChannel {
  ChannelRelation::Channel holds = 0;
  std::uint32_t flow = 0;
  std::uint32_t state = 0;
};
/// By taking away channels of which every packet has a choice that is not blocked (the greatest fixed point).
/// O(choices), and what it takes to make the set small.
std::vector<BlockedChannel> blocked_channels(std::uint32_t channels, std::span<const FlowStates> flows);

}  // namespace unknot
