// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <numeric>

#include "unknot/collective/known/known_makers.hpp"
#include "unknot/collective/known/ring_parts.hpp"

namespace unknot {
namespace {

using Extent = std::vector<std::uint32_t>;

Extent grid_of(const KnownCase& which, const Parameters& parameters) {
  return parameters.has("dims") ? parameters.list("dims") : which.grid;
}

std::uint32_t ranks_in(const Extent& extent) {
  return std::accumulate(extent.begin(), extent.end(), 1U, std::multiplies<>());
}

/// The rings along dimension d, where blocks have been reduced along all dimensions before it: a member's
/// items are those of all ranks that have its place in dimensions 0..d, and anywhere in those after it.
std::vector<RingPart> rings_along(const Extent& extent, std::size_t d) {
  const std::uint32_t ranks = ranks_in(extent);
  std::uint32_t stride = 1;
  for (std::size_t i = d + 1; i < extent.size(); ++i) stride *= extent[i];
  std::vector<RingPart> rings;
  for (std::uint32_t r = 0; r < ranks; ++r) {
    if (r / stride % extent[d] != 0) continue;
    RingPart ring;
    for (std::uint32_t i = 0; i < extent[d]; ++i) {
      const std::uint32_t member = r + i * stride, base = member - member % stride;
      ring.members.push_back(member);
      BlockList& items = ring.items.emplace_back(stride);
      std::iota(items.begin(), items.end(), base);
    }
    rings.push_back(std::move(ring));
  }
  return rings;
}

std::string grid_refuses(const KnownCase& which, const Parameters& parameters) {
  const Extent extent = grid_of(which, parameters);
  if (extent.size() < 2) return "it needs ranks on a grid: dims=8x8";
  if (ranks_in(extent) != which.ranks)
    return fmt::format("dims={} are {} ranks, not {}", fmt::join(extent, "x"), ranks_in(extent), which.ranks);
  return only_for(which,
                  {RankCollective::all_reduce, RankCollective::all_gather, RankCollective::reduce_scatter});
}

RankSchedule make_grid_rings(const KnownCase& which, const Parameters& parameters) {
  const Extent extent = grid_of(which, parameters);
  const bool sums = which.collective != RankCollective::all_gather;
  const bool copies = which.collective != RankCollective::reduce_scatter;
  RankDraft draft(which.collective, which.ranks, sums && copies ? which.ranks : 1);
  for (std::size_t d = 0; sums && d < extent.size(); ++d) {
    const std::uint32_t round = draft.rounds();
    for (const RingPart& ring : rings_along(extent, d)) add_ring_reduce(draft, round, ring);
  }
  for (std::size_t d = extent.size(); copies && d-- > 0;) {
    const std::uint32_t round = draft.rounds();
    for (const RingPart& ring : rings_along(extent, d)) add_ring_gather(draft, round, ring);
  }
  return std::move(draft).build();
}

}  // namespace

KnownAlgorithm grid_rings_row() {
  return {"grid-rings",
          "rings along one dimension of a grid after the other: those of a torus, first dimension first",
          "Chan, Heimlich, Purkayastha, van de Geijn 2007; Ying et al. 2018",
          "those of a grid: dims=AxB, or the grid of the network",
          {{.name = "dims",
            .kind = ParameterKind::list,
            .help = "sizes of the grid, the last one running fastest; else that of the network",
            .fallback = "",
            .min = 1,
            .max = 65536}},
          grid_refuses,
          make_grid_rings};
}

}  // namespace unknot
