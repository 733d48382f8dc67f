// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "unknot/collective/known/known_makers.hpp"

namespace unknot {
namespace {

/// Round k: r sends the 2^k blocks that it has, its own and those of the ranks after it, to r - 2^k; in the
/// last round what is left.
void add_gather(RankDraft& draft, const KnownCase& which, bool backwards) {
  const std::uint32_t first = draft.rounds(), ranks = which.ranks;
  std::uint32_t rounds = 0;
  while ((1U << rounds) < ranks) ++rounds;
  for (std::uint32_t k = 0; k < rounds; ++k) {
    const std::uint32_t have = 1U << k;
    for (std::uint32_t r = 0; r < ranks; ++r) {
      const std::uint32_t to = (r + ranks - have) % ranks;
      std::vector<std::uint32_t> blocks;
      for (std::uint32_t i = 0; i < std::min(have, ranks - have); ++i) blocks.push_back((r + i) % ranks);
      if (backwards) {
        draft.add(first + rounds - 1 - k, {to, r, true}, blocks);
      } else {
        draft.add(first + k, {r, to, false}, blocks);
      }
    }
  }
}

/// Round k: every block whose way to go, in ranks, has bit k goes on by 2^k.
void add_exchange(RankDraft& draft, std::uint32_t ranks) {
  for (std::uint32_t k = 0; (1U << k) < ranks; ++k) {
    for (std::uint32_t r = 0; r < ranks; ++r) {
      std::vector<std::uint32_t> blocks;
      for (std::uint32_t way = 1; way < ranks; ++way) {
        if ((way >> k & 1U) == 0) continue;
        const std::uint32_t gone = way & ((1U << k) - 1), from = (r + ranks - gone) % ranks;
        blocks.push_back(from * ranks + (from + way) % ranks);
      }
      draft.add(k, {r, (r + (1U << k)) % ranks, false}, blocks);
    }
  }
}

RankSchedule make_bruck(const KnownCase& which, const Parameters&) {
  const bool pieces = which.collective == RankCollective::all_reduce;
  RankDraft draft(which.collective, which.ranks, pieces ? which.ranks : 1);
  if (which.collective == RankCollective::all_to_all) {
    add_exchange(draft, which.ranks);
  } else {
    if (which.collective != RankCollective::all_gather) add_gather(draft, which, true);
    if (which.collective != RankCollective::reduce_scatter) add_gather(draft, which, false);
  }
  return std::move(draft).build();
}

}  // namespace

KnownAlgorithm bruck_row() {
  return {"bruck",
          "log2 P rounds for any number: what is gathered doubles; an all-to-all sends on what has a bit of "
          "its way to go",
          "Bruck, Ho, Kipnis, Upfal, Weathersby 1997",
          "any",
          {},
          [](const KnownCase& which, const Parameters&) {
            return only_for(which, {RankCollective::all_reduce, RankCollective::all_gather,
                                    RankCollective::reduce_scatter, RankCollective::all_to_all});
          },
          make_bruck};
}

}  // namespace unknot
