// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/known/rank_schedule.hpp"

namespace unknot {

using BlockList = std::vector<std::uint32_t>;

/// Members of a ring, and the blocks that each has first, or is to have in the end.
struct RingPart {
  std::vector<std::uint32_t> members;  ///< ranks, in the order of the ring
  std::vector<BlockList> items;        ///< by member
};

/// Everyone passes on to the next what came last, until all have all: members - 1 rounds, from `round` on.
void add_ring_gather(RankDraft& draft, std::uint32_t round, const RingPart& ring);
/// The same backwards: partial sums go around, and each member ends with the sum of its own blocks.
void add_ring_reduce(RankDraft& draft, std::uint32_t round, const RingPart& ring);

}  // namespace unknot
