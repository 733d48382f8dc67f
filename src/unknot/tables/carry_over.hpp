// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/network/network.hpp"
#include "unknot/network/network_change.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// The tables of one network in force on another that has lost, gained or exchanged some parts: what the
/// switches do there until somebody changes their entries.
///
/// An entry is a port, and leads to whatever is plugged into that port now: another router it may be
/// (swapped cables), the destination, another terminal (stray), or nothing (none). A row is of a LID, and is
/// of the terminal that has the LID now: where both networks state LIDs, these say which terminal of the
/// old network had it, elsewhere it is the same terminal. New routers have no entries, nor has any router
/// for a LID that is new, not even the terminal's own.
///
/// Service levels go with the rows, those of new sources and LIDs are 0. SL-to-VL tables stay as they are, by
/// port; of new routers and ports no row is told (see LaneMap). A stray entry leads to what is plugged into
/// its port now like any other; where nobody has told its port it stays stray.
///
/// O(routers * terminals) for copying whole rows; only the rows of routers where something else is plugged
/// in, or that have stray entries, are looked at entry by entry. With SL-to-VL tables also O(squares of the
/// numbers of ports).
Routing carry_over(const Network& before, const Routing& routing, const Network& after,
                   const NetworkChange& change);

/// The same, but with only the entries that lead where they led: by a channel that both networks have, and to
/// each terminal at its router. Entries on channels that are gone, and those of new routers or to new
/// terminals, are none; a terminal is the same by its port GUID, whatever its LID. What reroute() repairs;
/// not what the switches do.
Routing kept_entries(const Network& before, const Routing& routing, const Network& after,
                     const NetworkChange& change);

}  // namespace unknot
