// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace unknot::opensm {

constexpr unsigned kHighestUnicastLid = 0xBFFF;

/// Forwarding tables as a file states them, before anything is known of the live fabric. Both text forms of
/// the InfiniBand tools are read: OpenSM's opensm-lfts.dump and what dump_lfts and ibroute print.
struct TablesFile {
  static constexpr std::uint8_t kNoRow = 0xFF;
  struct SwitchTable {
    std::uint64_t guid = 0;
    std::vector<std::uint8_t> port_of_lid;  ///< kNoRow where the table has no row
    [[nodiscard]] std::uint8_t port(unsigned lid) const {
      return lid < port_of_lid.size() ? port_of_lid[lid] : kNoRow;
    }
  };

  std::string path;
  std::vector<SwitchTable> switches;
  std::unordered_map<std::uint64_t, std::uint32_t> switch_of_guid;
  /// Port GUID that rows of a LID name; 0 where they name none: then the LID itself counts.
  std::vector<std::uint64_t> guid_of_lid;
  /// LIDs of a port, in ascending order: one unless the tables were made for LMC > 0.
  std::unordered_map<std::uint64_t, std::vector<std::uint16_t>> lids_of_guid;

  /// The file's LID for the `offset`-th LID of a port that OpenSM calls `live_lid` now; 0 when the file has
  /// none.
  [[nodiscard]] std::uint16_t file_lid(std::uint64_t port_guid, std::uint16_t live_lid,
                                       unsigned offset) const;
  /// True when some row names the LID.
  [[nodiscard]] bool has_lid(unsigned lid) const { return lid < known_lid.size() && known_lid[lid]; }
  std::vector<bool> known_lid;
};

/// Throws Misfit with file and line.
TablesFile read_tables_file(const std::string& path);

}  // namespace unknot::opensm
