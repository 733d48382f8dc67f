// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

// Names in MSCCL++'s JSON, in the order of the enumerations.
namespace unknot::mscclpp {

inline constexpr std::array<std::string_view, 30> kKinds = {
    "nop",       "barrier",   "put",     "pws",      "pwsf",        "get",        "copy",  "signal",
    "wait",      "flush",     "re",      "res",      "rre",         "rres",       "ppkt",  "rppkt",
    "respkt",    "cpkt",      "upkt",    "repkt",    "recpkt",      "recspkt",    "glres", "gstore",
    "gstorepkt", "rlxsignal", "rlxwait", "pipeline", "sem_acquire", "sem_release"};
inline constexpr std::array<std::string_view, 3> kAccesses = {"memory", "port", "switch"};
inline constexpr std::array<std::string_view, 3> kPlaces = {"i", "o", "s"};

}  // namespace unknot::mscclpp
