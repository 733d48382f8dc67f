// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "unknot/network/dependency_slots.hpp"
#include "unknot/network/network.hpp"

namespace unknot {

/// The channels of one lane in an order in which every dependency leads on. Paths whose channels come in this
/// order can be added, any number of them, and the lane stays free of cycles.
struct LaneSequence {
  std::vector<ChannelId> channels;   ///< from first to last
  std::vector<std::uint32_t> place;  ///< by channel
  /// Whether a packet on `from` may wait for `to`.
  [[nodiscard]] bool leads(ChannelId from, ChannelId to) const { return place[from.value] < place[to.value]; }
};

/// Rank of each channel in up*/down* routing [Schroeder et al. 1991] from `root`: channels that lead nearer
/// to it before those that lead away. In this order some path joins any two routers.
std::vector<std::uint32_t> up_down_rank(const Network& network, RouterId root);

/// A lane's sequence; of the channels that dependencies let come next, the one of least rank comes first.
/// `uses` are the lanes of each dependency, a bit each, by slot. Nothing where the lane has a cycle already.
/// O(dependencies + channels log channels).
std::optional<LaneSequence> lane_sequence(const Network& network, const DependencySlots& slots,
                                          std::span<const std::uint16_t> uses, std::uint32_t lane,
                                          std::span<const std::uint32_t> rank);

}  // namespace unknot
