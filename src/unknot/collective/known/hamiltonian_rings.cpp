// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "unknot/collective/known/known_makers.hpp"
#include "unknot/collective/known/ring_parts.hpp"

namespace unknot {
namespace {

/// Walecki's cycles: a zigzag 0, 1, -1, 2, -2, ... through the corners of a polygon, closed over a point in
/// the middle and turned on by one corner for each next cycle. Where the number of ranks is even one rank
/// more is put into the longest leap of each zigzag, which is a diameter, and no two have the same.
std::vector<std::uint32_t> walecki_cycle(std::uint32_t ranks, std::uint32_t number) {
  const std::uint32_t corners = (ranks - 1) / 2 * 2;
  std::vector<std::uint32_t> cycle{corners};  // the middle
  for (std::uint32_t i = 0; i < corners; ++i) {
    if (ranks % 2 == 0 && i == corners / 2) cycle.push_back(corners + 1);
    const std::uint32_t leap = i % 2 == 1 ? (i + 1) / 2 : corners - i / 2;
    cycle.push_back((leap + number) % corners);
  }
  return cycle;
}

std::uint32_t cycles_of(const KnownCase& which, const Parameters& parameters) {
  constexpr std::uint64_t kMostMessages = std::uint64_t{1} << 21U;  // of a direction, unless asked for
  const std::uint32_t most = (which.ranks - 1) / 2, wanted = parameters.number32("rings");
  if (wanted > 0) return std::min(most, wanted);
  const std::uint64_t room = kMostMessages / (std::uint64_t{which.ranks} * which.ranks);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(room, 1, std::min(most, 16U)));
}

RankSchedule make_hamiltonian(const KnownCase& which, const Parameters& parameters) {
  const std::uint32_t rings = 2 * cycles_of(which, parameters);  // each cycle in both directions
  const bool sums = which.collective != RankCollective::all_gather;
  const bool copies = which.collective != RankCollective::reduce_scatter;
  const bool both = sums && copies;
  RankDraft draft(which.collective, which.ranks, both ? which.ranks * rings : rings);
  std::vector<RingPart> parts;
  for (std::uint32_t ring = 0; ring < rings; ++ring) {
    RingPart part{walecki_cycle(which.ranks, ring / 2), {}};
    if (ring % 2 == 1) std::reverse(part.members.begin(), part.members.end());
    for (const std::uint32_t r : part.members) part.items.push_back({r * rings + ring});
    parts.push_back(std::move(part));
  }
  if (sums) {
    for (const RingPart& part : parts) add_ring_reduce(draft, 0, part);
  }
  const std::uint32_t then = draft.rounds();
  if (copies) {
    for (const RingPart& part : parts) add_ring_gather(draft, then, part);
  }
  return std::move(draft).build();
}

}  // namespace

KnownAlgorithm hamiltonian_rings_row() {
  return {"hamiltonian-rings",
          "edge-disjoint Hamiltonian cycles of all pairs, each in both directions, at once",
          "Walecki: Lucas 1883; Alspach 2008",
          "three or more: (P-1)/2 cycles, rounded down; an even number leaves a perfect matching unused",
          {{.name = "rings",
            .help = "cycles in use; 0: all, but 16 at most, and fewer of more than 360 ranks",
            .fallback = "0",
            .max = 4096}},
          [](const KnownCase& which, const Parameters&) -> std::string {
            if (which.ranks < 3) return "it needs three ranks";
            return only_for(which, {RankCollective::all_reduce, RankCollective::all_gather,
                                    RankCollective::reduce_scatter});
          },
          make_hamiltonian};
}

}  // namespace unknot
