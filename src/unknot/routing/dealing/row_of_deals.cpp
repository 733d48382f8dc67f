// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/dealing/row_of_deals.hpp"

namespace unknot {

template <class Entry>
void deal_row(const RowOfDeals& deals, std::uint32_t most, Entry* places, Entry* row) {
  Entry* const aside = places + 2 * (std::size_t{most} + Deal::kOverrun);
  const std::uint64_t* ports = deals.ports;
  for (const Destination& d : deals.destinations) {
    // What a deal writes past its terminals, the next one writes over. The last ones go by way of scratch:
    // the next row may be another thread's.
    const bool last = d.first + d.count + Deal::kOverrun > deals.terminals;
    deal_destination(deals, d, ports, places, last ? aside : row + d.first);
    if (last) std::copy_n(aside, d.count, row + d.first);
    ports += deals.words;
  }
}

template void deal_row<std::uint8_t>(const RowOfDeals&, std::uint32_t, std::uint8_t*, std::uint8_t*);
template void deal_row<std::uint16_t>(const RowOfDeals&, std::uint32_t, std::uint16_t*, std::uint16_t*);

}  // namespace unknot
