// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

// Names in MSCCL's XML, in the order of the enumerations.
namespace unknot::msccl {

struct ActionRow {
  std::string_view name;
  bool receives, reduces, reads, stores, sends;
};
inline constexpr std::array<ActionRow, 9> kActions = {{
    {"s", false, false, true, false, true},
    {"r", true, false, false, true, false},
    {"rcs", true, false, false, true, true},
    {"rrs", true, true, true, false, true},
    {"rrc", true, true, true, true, false},
    {"rrcs", true, true, true, true, true},
    {"cpy", false, false, true, true, false},
    {"re", false, true, true, true, false},
    {"nop", false, false, false, false, false},
}};

inline constexpr std::array<std::string_view, 11> kCollectives = {
    "allreduce", "allgather", "reducescatter", "broadcast", "reduce", "alltoall",
    "alltoallv", "gather",    "scatter",       "send",      "recv"};

inline constexpr std::array<std::string_view, 3> kBuffers = {"i", "o", "s"};
inline constexpr std::array<std::string_view, 3> kProtocols = {"Simple", "LL", "LL128"};

}  // namespace unknot::msccl
