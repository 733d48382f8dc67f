// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace unknot::opensm {

constexpr std::uint16_t kFirstMulticastLid = 0xC000;
constexpr std::uint16_t kLastMulticastLid = 0xFFFE;

/// Multicast forwarding tables as a file states them, before anything is known of the live fabric.
struct MulticastFile {
  struct Row {
    std::uint32_t at = 0;  ///< among `switches`
    std::vector<std::uint8_t> ports;
  };
  struct Group {
    std::uint8_t level = 0;
    std::vector<Row> rows;  ///< those without a port are left out
  };

  std::string path;
  std::vector<std::uint64_t> switches;
  std::map<std::uint16_t, Group> groups;  ///< by their LIDs
};

/// Reads what OpenSM dumps as opensm.mcfdbs, and unknot writes: rows "0xC000 : 0x001 0x00b" below the line
/// "Switch 0x<guid>" of their switch. A comment "# 0xC000 sl=3" tells the group's service level, 0 where
/// there is none. Throws Misfit with file and line.
MulticastFile read_multicast_file(const std::string& path);

}  // namespace unknot::opensm
