// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "unknot/formats/ibdiagnet/adaptive_dumps.hpp"
#include "unknot/formats/tables/table_formats.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {
namespace {

/// The entry of the plane that a table's entry is; it has not been told as a choice before.
std::uint16_t fixed_entry(AdaptivePlane& plane, RouterId r, std::uint32_t entry) {
  if (entry == ForwardingTable::kNone) return AdaptivePlane::kNone;
  if (entry == ForwardingTable::kHere) return AdaptivePlane::kHere;
  const auto position = entry == ForwardingTable::kStray ? Choice::kStray : static_cast<std::uint16_t>(entry);
  return plane.add_choice(r, {ChoiceKind::fixed, position, 0});
}

}  // namespace

void add_static_tables(const Network& network, std::string_view text, const std::string& name,
                       AdaptiveRouting& routing) {
  const Routing tables = read_fdbs(network, text, name);
  for (const RouterId r : network.routers()) {
    const bool told =
        std::any_of(routing.planes.begin(), routing.planes.end(), [&](const AdaptivePlane& plane) {
          const auto row = plane.row(r);
          return std::any_of(row.begin(), row.end(),
                             [](std::uint16_t e) { return e != AdaptivePlane::kNone; });
        });
    if (told) continue;
    // Whatever plane a packet is looked up in, such a switch has one table.
    for (AdaptivePlane& plane : routing.planes) {
      const auto row = plane.row(r);
      for (const TerminalId t : network.terminals())
        row[t.value] = fixed_entry(plane, r, tables.table().get(r, t));
    }
  }
}

}  // namespace unknot
