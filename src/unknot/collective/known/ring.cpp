// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "unknot/collective/known/known_makers.hpp"
#include "unknot/collective/known/ring_parts.hpp"

namespace unknot {
namespace {

/// Chunk c goes from the i-th rank after the root to the next in round c + i.
RankSchedule chain(const KnownCase& which, std::uint32_t chunks) {
  RankDraft draft(which.collective, which.ranks, chunks, which.root);
  for (std::uint32_t c = 0; c < chunks; ++c) {
    for (std::uint32_t i = 0; i + 1 < which.ranks; ++i) {
      const std::uint32_t from = (which.root + i) % which.ranks;
      draft.add(c + i, {from, (from + 1) % which.ranks, false}, {{c}});
    }
  }
  return std::move(draft).build();
}

RankSchedule make_ring(const KnownCase& which, const Parameters& parameters) {
  if (which.collective == RankCollective::broadcast) {
    const std::uint32_t chunks = parameters.number32("chunks");
    return chain(which, chunks == 0 ? which.ranks : chunks);
  }
  const bool sums = which.collective != RankCollective::all_gather;
  const bool copies = which.collective != RankCollective::reduce_scatter;
  RankDraft draft(which.collective, which.ranks, sums && copies ? which.ranks : 1);
  RingPart ring{std::vector<std::uint32_t>(which.ranks), {}};
  std::iota(ring.members.begin(), ring.members.end(), 0);
  for (const std::uint32_t r : ring.members) ring.items.push_back({r});
  if (sums) add_ring_reduce(draft, 0, ring);
  if (copies) add_ring_gather(draft, draft.rounds(), ring);
  return std::move(draft).build();
}

}  // namespace

KnownAlgorithm ring_row() {
  return {"ring",
          "everyone sends to the next rank alone; a broadcast goes along the chain in chunks",
          "Patarasuk, Yuan 2009",
          "any",
          {{.name = "chunks", .help = "of a broadcast; 0: as many as ranks", .fallback = "0", .max = 65536}},
          [](const KnownCase& which, const Parameters&) {
            return only_for(which, {RankCollective::all_reduce, RankCollective::all_gather,
                                    RankCollective::reduce_scatter, RankCollective::broadcast});
          },
          make_ring};
}

}  // namespace unknot
