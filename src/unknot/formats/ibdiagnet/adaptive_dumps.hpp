// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/adaptive/adaptive_routing.hpp"
#include "unknot/tables/lane_map.hpp"

namespace unknot {

// Adaptive routing as ibdiagnet dumps it, a file for each of its parts. Which columns are known by which
// public source, and what is only assumed, is in docs/ibdiagnet.md. `name` is the file's, for messages. All
// readers throw InputError, with file and line, for what they do not expect, for a switch that the fabric
// does not have, and for a row that is there twice.

/// True when a line of `head` starts the groups or the tables of a .far file.
bool recognises_far(std::string_view head);
/// Groups of ports and tables (ibdiagnet2.far) into `routing.planes`, and the mask of service levels, where a
/// switch tells one, into `routing.adaptive_levels`. A group is all ports of its sub-groups; those that lead
/// to no router are left out. Rows of LIDs that no terminal has as its own are checked and passed over, LIDs
/// as lid_map_beside() finds them. Switches are read side by side on all cores. O(text).
void read_far(const Network& network, std::string_view text, const std::string& name,
              AdaptiveRouting& routing);
/// The same file of a relation. A route that is missing has no row. Throws InputError where the file cannot
/// hold it: a port above 254.
void write_far(const Network& network, const AdaptiveRouting& routing, const std::string& path);

/// Unicast tables (ibdiagnet2.fdbs) for the switches that have no route in any plane: those that do not route
/// adaptively may be left out of a .far file. InputError as read_fdbs(). O(text + routers * terminals).
void add_static_tables(const Network& network, std::string_view text, const std::string& name,
                       AdaptiveRouting& routing);

/// Which private table a switch looks packets up in, by the port they came in by and their lane or service
/// level (ibdiagnet2.plft): "Switch 0x<guid>", a header row "Port : VL 0 1 ..." or "Port : SL 0 1 ...", and
/// rows "<port> : <16 numbers of tables>". Ports that are not told look in table 0. O(text + ports).
bool recognises_plft(std::string_view head);
PlaneMap read_plft(const Network& network, std::string_view text, const std::string& name);
void write_plft(const Network& network, const PlaneMap& map, const std::string& path);

/// VL-to-VL tables (ibdiagnet2.vl2vl): rows as those of SL-to-VL tables (parse_lane_map()), looked up by the
/// lane that a packet came on. A comment before the first row says VL2VL. `at` gets the switches that have
/// any. Throws InputError where such a switch lacks a pair of connected ports. O(text + squares of the
/// numbers of ports).
bool recognises_vl2vl(std::string_view head);
LaneMap read_vl2vl(const Network& network, std::string_view text, const std::string& name,
                   std::vector<bool>& at);
/// Those of the switches of `at`, of all where it is empty.
void write_vl2vl(const Network& network, const LaneMap& map, const std::vector<bool>& at,
                 const std::string& path);

/// SL-to-VL tables (ibdiagnet2.slvl) are what parse_lane_map() reads. True for rows of such tables that no
/// comment calls VL2VL.
bool recognises_slvl(std::string_view head);

/// All that ibdiagnet would dump of the relation: `path` with the tables, and beside it, where it has them,
/// files of the same name that end in .plft, .slvl and .vl2vl. The paths that were written. InputError as
/// write_far().
std::vector<std::string> write_adaptive_dumps(const Network& network, const AdaptiveRouting& routing,
                                              const std::string& path);

}  // namespace unknot
