// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/transition/mixture_walk.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "unknot/deadlock/shortest_cycle.hpp"
#include "unknot/deadlock/topological.hpp"
#include "unknot/support/error.hpp"

namespace unknot {

void require_mixable(const Network& network, const Routing& routing) {
  require_tables(routing, "checking a transition");
  require_fit(network, routing);
  if (routing.lane_map != nullptr) throw InputError("a transition of SL-to-VL tables cannot be checked");
  if (!routing.further.empty()) {
    throw InputError("a transition of tables with several addresses (LMC above 0) cannot be checked");
  }
  if (routing.service_levels.highest() >= LaneMap::kLevels) throw InputError("a service level is above 15");
}

DependencyGraph marked_dependencies(const Network& network, const DependencySlots& slots,
                                    const MarkSet<LaneMask>& marks) {
  const std::uint32_t channels = network.channel_count();
  const auto for_each = [&](const auto& visit) {
    std::uint32_t channel = 0;
    marks.for_each([&](std::uint64_t slot, LaneMask mask) {
      while (slots.first(channel + 1) <= slot) ++channel;
      const IdRange<ChannelId> out = network.out(network.target(ChannelId(channel)));
      const auto position = static_cast<std::uint32_t>(slot - slots.first(channel));
      const ChannelId next = position < out.size() ? out[position] : ChannelId();
      for (std::uint32_t left = mask; left != 0; left &= left - 1)
        visit(static_cast<std::uint32_t>(std::countr_zero(left)), channel, next);
    });
  };
  std::uint32_t lanes = 1;
  for_each([&](std::uint32_t lane, std::uint32_t, ChannelId) { lanes = std::max(lanes, lane + 1); });
  std::vector<std::uint8_t> used(std::size_t{channels} * lanes, 0);
  for_each([&](std::uint32_t lane, std::uint32_t channel, ChannelId) {
    used[std::size_t{lane} * channels + channel] = 1;
  });
  return {channels, lanes, std::move(used), [&](const auto& arc) {
            for_each([&](std::uint32_t lane, std::uint32_t channel, ChannelId next) {
              if (next.valid()) arc(lane * channels + channel, lane * channels + next.value);
            });
          }};
}

std::vector<LaneChannel> marked_cycle(const DependencyGraph& graph) {
  std::vector<LaneChannel> cycle;
  if (topological_numbers(graph).acyclic) return cycle;
  for (const DependencyGraph::Vertex v : shortest_cycle(graph))
    cycle.push_back({ChannelId(graph.channel_of(v)), static_cast<std::uint8_t>(graph.lane_of(v))});
  return cycle;
}

}  // namespace unknot
