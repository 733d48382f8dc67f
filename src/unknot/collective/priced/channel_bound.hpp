// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "unknot/collective/bandwidth/bandwidth_problem.hpp"
#include "unknot/collective/bandwidth/fraction.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// Channels that sums must pass. Over all others members fall into groups that reach each other, some of them
/// first (no other group leads to them), some last (they lead to no other), some both. Until one of the first
/// groups has a sum, each last one but it has sent something that passed one of the channels; then each other
/// of the first has to get something still. So as many parts of the vector as there are first and last
/// groups, less one, or two where a group is both, must pass the channels, as long as what is sent are shares
/// and sums of shares, and switches neither copy nor combine.
///
/// The arcs into disjoint parts are such channels, and those into the nodes of a cut. On a one-way ring with
/// two narrow arcs both say two, and three must pass them.
struct ChannelBound {
  std::vector<ArcId> channels;  ///< ascending
  std::uint64_t shares = 0;     ///< that pass one of them, at least
  std::uint64_t capacity = 0;   ///< of all of them

  [[nodiscard]] Fraction time() const { return {shares, capacity}; }
};

/// What channels prove, counted anew from the graph. O(nodes + arcs).
ChannelBound count_channels(const BandwidthProblem& problem, const std::vector<ArcId>& channels);

/// Channels that prove more than `time`, of those that are left when of some that are `given` those between
/// two groups are taken out, one pair of groups after the other, whatever leaves the most (where there are
/// few, each is tried as the first); else nothing. Not always the best of all. For networks of few arcs,
/// nothing beyond kMostChannels or where switches have powers. O(arcs^3) for each of those given.
inline constexpr std::uint32_t kMostChannels = 400;
std::optional<ChannelBound> better_channels(const BandwidthProblem& problem,
                                            const std::vector<std::vector<ArcId>>& given,
                                            const Fraction& time, Progress& progress);

}  // namespace unknot
