// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/network/network.hpp"

namespace unknot {

/// ibdiagnet's list of links (ibdiagnet2.net_dump): for each switch a line with its name, GUID and LID, a
/// header row, and a row for each port: its label and number, state, width and speed, and the GUID, label,
/// LID and description of the port at the other end. Columns are found by their names. Ports that are down
/// are left out; of a switch they still count. A neighbour that has no lines of its own is an adapter, with
/// the port number that its label is, else the next. What each column means, and by which source:
/// docs/ibdiagnet.md.
///
/// The file has no node GUIDs of adapters and no numbers of their ports: each neighbour's GUID is taken for
/// that of an adapter, which has several ports where several rows name it. Routers to other subnets cannot be
/// told from hosts.
///
/// Throws InputError, with file and line, for what is no such line or row, a label used twice in a switch, a
/// neighbour's label that its switch does not have, and what assemble() refuses: each link between switches
/// must be stated at both ends. O(n log n) time for n ports.
Network read_net_dump(std::string_view text, const std::string& name);
/// The same of several subnets in one text, which no cable joins.
Network read_net_dump_parts(std::string_view text, const std::string& name);

/// True when a line of `head` is a switch's.
bool looks_like_net_dump(std::string_view head);

/// The same file of a network, as this project makes it. Control characters of names become blanks. Throws
/// InputError for one-way links. O(n log n) time for n ports.
std::string write_net_dump(const Network& network);

}  // namespace unknot
