// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "unknot/collective/known/known_makers.hpp"

namespace unknot {
namespace {

/// Down the tree whose first edge is the longest: who is reached, counted from the root, sends half as far.
void add_broadcast(RankDraft& draft, const KnownCase& which, bool backwards) {
  const std::uint32_t first = draft.rounds();
  const auto rounds = static_cast<std::uint32_t>(std::bit_width(which.ranks - 1));
  for (std::uint32_t k = 0; k < rounds; ++k) {
    const std::uint32_t distance = 1U << (rounds - 1 - k);
    for (std::uint32_t at = 0; at + distance < which.ranks; at += 2 * distance) {
      const std::uint32_t near = (at + which.root) % which.ranks;
      const std::uint32_t far = (at + distance + which.root) % which.ranks;
      if (backwards) {
        draft.add(first + rounds - 1 - k, {far, near, true}, {{0U}});
      } else {
        draft.add(first + k, {near, far, false}, {{0U}});
      }
    }
  }
}

RankSchedule make_binomial(const KnownCase& which, const Parameters&) {
  const bool sums = which.collective == RankCollective::all_reduce;
  RankDraft draft(which.collective, which.ranks, 1, which.root);
  if (sums) add_broadcast(draft, which, true);
  add_broadcast(draft, which, false);
  return std::move(draft).build();
}

}  // namespace

KnownAlgorithm binomial_row() {
  return {"binomial",
          "broadcast down a binomial tree, far ones first; all-reduce: up the tree, and down again",
          "Thakur, Rabenseifner, Gropp 2005",
          "any",
          {},
          [](const KnownCase& which, const Parameters&) {
            return only_for(which, {RankCollective::broadcast, RankCollective::all_reduce});
          },
          make_binomial};
}

}  // namespace unknot
