// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/network/network.hpp"

namespace unknot {

/// ibdiagnet's database (ibdiagnet2.db_csv): sections START_<name> to END_<name>, each a header row with the
/// names of its columns and rows of values between commas. Read are NODES (GUID, kind, number of ports,
/// description), PORTS (GUID, LID, LMC, width and speed) and LINKS (two nodes and ports), whatever the order
/// of their columns and of the sections; other sections and columns are passed over. Without PORTS, or where
/// a port has no row, LIDs and rates are not stated. Links of ports that are down (PortState 1) are left out.
/// What each column means, and by which source: docs/ibdiagnet.md.
///
/// Throws InputError, with file and line, for a row that does not have as many values as its header, a value
/// that is none, a section that does not end or comes twice, a port of a node that NODES does not have, a
/// port with two rows, and what assemble() refuses. O(n log n) time for n rows.
Network read_db_csv(std::string_view text, const std::string& name);
/// The same of several subnets in one text, which no cable joins.
Network read_db_csv_parts(std::string_view text, const std::string& name);

/// True when a line of `head` starts a section.
bool looks_like_db_csv(std::string_view head);

/// The sections NODES, PORTS and LINKS of a network, as this project makes them: the columns that it reads,
/// under ibdiagnet's names. Control characters of names become blanks. Throws InputError for one-way links.
/// O(n log n) time for n ports.
std::string write_db_csv(const Network& network);

}  // namespace unknot
