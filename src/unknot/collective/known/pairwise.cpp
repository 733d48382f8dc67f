// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/known/known_makers.hpp"

namespace unknot {
namespace {

RankSchedule make_pairwise(const KnownCase& which, const Parameters&) {
  const std::uint32_t ranks = which.ranks;
  RankDraft draft(which.collective, ranks, 1);
  for (std::uint32_t k = 1; k < ranks; ++k) {
    for (std::uint32_t r = 0; r < ranks; ++r) {
      const std::uint32_t to = (r + k) % ranks;
      const bool sums = which.collective == RankCollective::reduce_scatter;
      const std::uint32_t block = which.collective == RankCollective::all_to_all ? r * ranks + to
                                  : sums                                         ? to
                                                                                 : r;
      draft.add(k - 1, {r, to, sums}, {{block}});
    }
  }
  return std::move(draft).build();
}

}  // namespace

KnownAlgorithm pairwise_row() {
  return {"pairwise",
          "round k: every rank sends straight to the k-th after it",
          "Thakur, Rabenseifner, Gropp 2005",
          "any",
          {},
          [](const KnownCase& which, const Parameters&) {
            return only_for(which, {RankCollective::all_gather, RankCollective::reduce_scatter,
                                    RankCollective::all_to_all});
          },
          make_pairwise};
}

}  // namespace unknot
