// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/dealing/clos_plan.hpp"

#include <algorithm>
#include <utility>

namespace unknot {
namespace {

// Channels times groups: as many as a round of weights looks at in some milliseconds, all rounds in a blink,
// and one in a second. Above that the order has no levels by which it could be cut, and all paths weigh the
// same.
constexpr std::uint64_t kFewChannels = 2'000'000;
constexpr std::uint64_t kManyChannels = 40'000'000;
constexpr std::uint64_t kTooManyChannels = 400'000'000;
constexpr std::uint64_t kRounds = 6;

LeafGroups groups_for(const LiveNetwork& network, const std::vector<std::uint32_t>& height, bool even) {
  LeafGroups groups = even ? groups_of_tree(network, height, kFewChannels) : single_groups(network);
  if (std::uint64_t{groups.count} * network.live_channel_count() > kTooManyChannels)
    groups = one_group(network, height);
  return groups;
}

std::uint32_t rounds_for(const LiveNetwork& network, const LeafGroups& groups) {
  const std::uint64_t channels = network.live_channel_count();
  const bool one = groups.gates.empty();
  const std::uint64_t work = std::max<std::uint64_t>(1, one ? channels : groups.count * channels);
  return static_cast<std::uint32_t>(std::min(kRounds, kManyChannels / work));
}

}  // namespace

ClosPlan::ClosPlan(const LiveNetwork& network, std::vector<std::uint32_t> heights, UpDownOrder up_down,
                   bool even)
    : height(std::move(heights)),
      order(std::move(up_down)),
      groups(groups_for(network, height, even)),
      weights(network, order, groups, rounds_for(network, groups)) {}

}  // namespace unknot
