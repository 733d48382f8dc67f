// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/known/ring_parts.hpp"

namespace unknot {

void add_ring_gather(RankDraft& draft, std::uint32_t round, const RingPart& ring) {
  const auto size = static_cast<std::uint32_t>(ring.members.size());
  for (std::uint32_t k = 0; k + 1 < size; ++k) {
    for (std::uint32_t i = 0; i < size; ++i) {
      draft.add(round + k, {ring.members[i], ring.members[(i + 1) % size], false},
                ring.items[(i + size - k) % size]);
    }
  }
}

void add_ring_reduce(RankDraft& draft, std::uint32_t round, const RingPart& ring) {
  const auto size = static_cast<std::uint32_t>(ring.members.size());
  for (std::uint32_t k = 0; k + 1 < size; ++k) {
    for (std::uint32_t i = 0; i < size; ++i) {
      draft.add(round + k, {ring.members[i], ring.members[(i + 1) % size], true},
                ring.items[(i + 2 * size - 1 - k) % size]);
    }
  }
}

}  // namespace unknot
