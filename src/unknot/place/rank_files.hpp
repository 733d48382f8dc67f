// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace unknot::place {

/// Most ranks that a file may hold.
inline constexpr std::uint32_t kMostRanksInFile = 1U << 24U;

/// Where a rank is bound on its host.
struct CoreSlot {
  std::uint32_t socket, core;  ///< core within the socket
};

/// Hosts of ranks as launchers take them. A row reads and writes: read(write(hosts)) is hosts.
struct RankFileFormat {
  std::string name;
  std::string summary;
  bool holds_cores = false;
  /// Text for the host of each rank, and its core (empty: not known, as many as hosts otherwise; left out
  /// where the format has no room for them). InputError for a name that the format cannot hold.
  std::function<std::string(const std::vector<std::string>& host_of_rank,
                            const std::vector<CoreSlot>& core_of_rank)>
      write;
  /// Host of each rank. InputError with file and line for anything else. `file` names the text in messages.
  /// Empty for what is written for compilers.
  std::function<std::vector<std::string>(std::string_view text, const std::string& file)> read;
};

const std::vector<RankFileFormat>& rank_file_formats();
/// Row of that name; InputError with the near names otherwise.
const RankFileFormat& find_rank_file_format(std::string_view name);
/// Reads a text in the format that its first line tells.
std::vector<std::string> read_rank_file(std::string_view text, const std::string& file);

}  // namespace unknot::place
