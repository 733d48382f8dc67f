// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include "unknot/collective/known/butterfly.hpp"
#include "unknot/collective/known/known_makers.hpp"

namespace unknot {
namespace {

/// Sizes to swing in: those of the grid that are more than one, or a single ring.
std::vector<std::uint32_t> swing_extent(const KnownCase& which, const Parameters& parameters) {
  std::vector<std::uint32_t> extent = parameters.has("dims") ? parameters.list("dims") : which.grid;
  std::erase(extent, 1U);
  if (extent.empty() || (!parameters.has("dims") &&
                         std::any_of(extent.begin(), extent.end(), [](auto size) { return size % 2 == 1; })))
    extent = {which.ranks};
  return extent;
}

std::string swing_refuses(const std::vector<std::uint32_t>& extent, const KnownCase& which) {
  const std::uint32_t ranks = std::accumulate(extent.begin(), extent.end(), 1U, std::multiplies<>());
  if (ranks != which.ranks)
    return fmt::format("dims={} are {} ranks, not {}", fmt::join(extent, "x"), ranks, which.ranks);
  if (extent.size() > 1 && std::any_of(extent.begin(), extent.end(), [](auto size) { return size % 2 == 1; }))
    return "several dimensions must be of even sizes";
  return {};
}

std::vector<Parameter> swing_parameters() {
  return {{.name = "dims",
           .kind = ParameterKind::list,
           .help =
               "sizes of the grid, the last one running fastest; else that of the network where its sizes "
               "are even, else one ring",
           .fallback = "",
           .min = 1,
           .max = 65536}};
}

Pairing swing_of(std::vector<std::uint32_t> extent) {
  if (extent.size() == 1) extent[0] -= extent[0] % 2;  // of an odd number one hands over
  return swing_pairing(extent);
}

}  // namespace

KnownAlgorithm swing_row() {
  return {"swing",
          "r exchanges with r + 1, r - 1, r + 3, r - 5, ...: neighbours on a torus have most to exchange",
          "De Sensi, Bonato, Saam, Hoefler: Swing, NSDI 2024",
          "any: of an odd number one hands over before and gets back after",
          swing_parameters(),
          [](const KnownCase& which, const Parameters& parameters) {
            const std::string why = only_for(which, {RankCollective::all_reduce, RankCollective::all_gather,
                                                     RankCollective::reduce_scatter});
            return why.empty() ? swing_refuses(swing_extent(which, parameters), which) : why;
          },
          [](const KnownCase& which, const Parameters& parameters) {
            return Butterfly(which, swing_of(swing_extent(which, parameters))).in_blocks();
          }};
}

KnownAlgorithm swing_whole_row() {
  return {"swing-whole",
          "the exchanges of swing with whole vectors: few rounds for short ones",
          "De Sensi, Bonato, Saam, Hoefler: Swing, NSDI 2024",
          "any on one ring: beyond the largest power of two they hand over before; on a grid powers of two",
          swing_parameters(),
          [](const KnownCase& which, const Parameters& parameters) -> std::string {
            const std::vector<std::uint32_t> extent = swing_extent(which, parameters);
            if (std::string why = only_for(which, {RankCollective::all_reduce}); !why.empty()) return why;
            if (extent.size() > 1 && !std::all_of(extent.begin(), extent.end(),
                                                  [](auto size) { return std::has_single_bit(size); }))
              return "several dimensions must be powers of two";
            return swing_refuses(extent, which);
          },
          [](const KnownCase& which, const Parameters& parameters) {
            std::vector<std::uint32_t> extent = swing_extent(which, parameters);
            if (extent.size() == 1) extent[0] = std::bit_floor(extent[0]);
            return Butterfly(which, swing_pairing(extent)).whole();
          }};
}

}  // namespace unknot
