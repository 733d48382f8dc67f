// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "unknot/routing/dealing/deal.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// The terminals of one destination router, and what of their deals is the same in all rows.
struct Destination {
  std::uint32_t router = 0;
  std::uint32_t first = 0;  ///< terminal
  std::uint32_t count = 0;
  std::uint32_t group = 0;
  std::uint32_t stride = 0;  ///< by which the turns of neighbouring routers differ
  std::uint32_t turn = 0;    ///< for each level of the router
  std::uint32_t shift = 0;   ///< Deal::shift_for(count)
  std::uint32_t dither = 0;
};

/// The row of one router, as it is to be dealt.
struct RowOfDeals {
  std::span<const Destination> destinations;  ///< in order of terminals
  std::uint32_t terminals = 0;
  std::uint32_t router = 0;
  std::uint32_t sibling = 0;               ///< LeafGroups::sibling
  std::uint32_t level = 0;                 ///< LeafGroups::level
  std::uint32_t hash = 0;                  ///< of the router
  std::uint32_t words = 1;                 ///< of a set of ports
  const std::uint64_t* ports = nullptr;    ///< by destination: the candidates, words of them
  const std::uint32_t* weights = nullptr;  ///< by group and port, 64 * words of them

  [[nodiscard]] Deal deal(const Destination& d) const {
    Deal deal;
    deal.count = d.count;
    // Turns of the levels differ by one stride for each destination: terminals that a router gets from one
    // level must not lie together on the next.
    deal.turn = (sibling * d.stride + (1 + level) * d.turn) % d.count;
    deal.shift = d.shift;
    deal.offset = (d.dither + hash) >> (32 - d.shift);
    return deal;
  }
};

/// Bytes of scratch for rows whose destinations have `most` terminals at most.
constexpr std::size_t deal_scratch(std::uint32_t most, std::size_t entry) {
  return 3 * (most * entry + 2 * Deal::kOverrun);
}

/// Fills the row; `places` is scratch of that size. O(destinations * candidates + terminals / 16).
template <class Entry>
void deal_row(const RowOfDeals& deals, std::uint32_t most, Entry* places, Entry* row);
/// The same by AVX-512, for routers of 64 ports at most; only where can_deal_wide().
void deal_row_wide(const RowOfDeals& deals, std::uint32_t most, std::uint8_t* places, std::uint8_t* row);
bool can_deal_wide();
/// These destinations alone, of 64 terminals at most, beside the row in force: what each should be, 64
/// entries apart, and which of its entries differ. `places`: by destination, where in `deals.ports` it is.
/// Only where can_deal_wide().
void redeal_wide(const RowOfDeals& deals, std::span<const std::uint32_t> chosen,
                 std::span<const std::uint32_t> places, const std::uint8_t* row, std::uint8_t* fresh,
                 std::uint64_t* differing);

/// One destination, in whatever form the rest of the row takes.
template <class Entry>
void deal_destination(const RowOfDeals& deals, const Destination& d, const std::uint64_t* ports,
                      Entry* places, Entry* out) {
  std::uint64_t any = 0;
  std::uint64_t twice = 0;  // bits that are in two words, or beside another in one
  std::uint32_t word = 0;
  for (std::uint32_t w = 0; w < deals.words; ++w) {
    if (ports[w] == 0) continue;
    twice |= any | (ports[w] & (ports[w] - 1));
    any = ports[w];
    word = w;
  }
  if (twice != 0) {
    deal_out(deals.deal(d), {ports, deals.words}, deals.weights + std::size_t{d.group} * deals.words * 64,
             places, out);
    return;
  }
  Entry entry = ForwardingTable::none<Entry>;
  if (d.router == deals.router) {
    entry = ForwardingTable::here<Entry>;
  } else if (any != 0) {
    entry = static_cast<Entry>(word * 64 + static_cast<std::uint32_t>(std::countr_zero(any)));
  }
  std::fill_n(out, d.count, entry);
}

}  // namespace unknot
