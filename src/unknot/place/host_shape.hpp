// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace unknot::place {

/// Cores that hosts may have at most.
inline constexpr std::uint32_t kMostCores = 4096;

/// The cores of a host in the order of their numbers, those of a socket one after another.
struct HostShape {
  struct Core {
    std::uint32_t socket;  ///< from 0
    std::uint32_t cache;   ///< group that shares a last-level cache, from 0 over all sockets
    std::uint32_t number;  ///< within the socket
    bool operator==(const Core&) const = default;
  };
  std::vector<Core> cores;

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(cores.size()); }
};

/// "SOCKETSxCORES" or "SOCKETSxCACHESxCORES", as in 2x4x8: two sockets of four caches that eight cores share
/// each. InputError for anything else, and for more than kMostCores.
HostShape parse_host_shape(std::string_view text);
/// A machine as hwloc writes it (`lstopo --of xml`): its packages, last-level caches and cores. InputError
/// with file and line for what is no such file, for cores outside of packages, and for more than kMostCores.
HostShape read_host_shape(std::string_view text, const std::string& file);
/// Whether the text is meant as a shape and not as the name of a file: digits and x.
bool is_host_shape(std::string_view text);

}  // namespace unknot::place
