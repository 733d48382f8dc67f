// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/multicast_tables.hpp"

namespace unknot {

/// Multicast tables from a file, the format told by its content: what OpenSM and ibdiagnet write
/// (opensm.mcfdbs, ibdiagnet2.mcfdbs), or what dump_mfts and ibroute -M print. None of them tells service
/// levels: groups have level 0, but for lines "# 0xC000 sl=3" of our own. InputError with file, line and what
/// was expected; switches, ports and LIDs that the fabric or InfiniBand cannot have are refused.
MulticastTables read_multicast_tables(const Network& network, const std::string& path);

/// As OpenSM writes opensm.mcfdbs: for each switch that has rows, a line of ports in hexadecimal for each
/// group; before them a comment for each group whose level is not 0. InputError where a port is above 254.
void write_multicast_tables(const Network& network, const MulticastTables& tables, const std::string& path);

/// What one file knows of groups: who is in them, and their service levels.
struct MulticastGroupSpec {
  std::uint16_t lid = 0;
  std::uint8_t level = 0;
  bool level_told = false;
  std::vector<TerminalId> members;  ///< in order, each once
};

/// Groups, by ascending LID: lines "LID [sl=N] MEMBERS" (as parse_nodes() takes them, port GUIDs, or "all";
/// '#' begins a comment), OpenSM's dump of its administrator (opensm-sa.dump), or what saquery -g prints,
/// which names no members. InputError as above.
std::vector<MulticastGroupSpec> read_multicast_groups(const Network& network, const std::string& path);

/// Gives the groups of the tables the levels that are told of them. O(groups log groups).
void set_levels(MulticastTables& tables, const std::vector<MulticastGroupSpec>& groups);
/// InputError for a level on lane 15, which is for management, of tables whose lanes are levels.
void require_data_levels(const MulticastTables& tables, const std::string& file);
void require_data_level(const std::string& file, std::uint16_t group, std::uint8_t level);

/// The groups on another network: those of their members that it has too, told by their port GUIDs, may be
/// none. O(terminals + members log members).
std::vector<MulticastGroupSpec> carried_over(const Network& before, std::vector<MulticastGroupSpec> groups,
                                             const Network& after);

// The formats, one file each.

bool recognises_mcfdbs(std::string_view head);
MulticastTables read_mcfdbs(const Network& network, std::string_view text, const std::string& name);
bool recognises_mft_dump(std::string_view head);
MulticastTables read_mft_dump(const Network& network, std::string_view text, const std::string& name);

}  // namespace unknot
