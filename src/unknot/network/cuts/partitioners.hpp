// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "unknot/network/cuts/local_cut.hpp"

namespace unknot {

/// Side (0 or 1) of each router in halves of nearly equal weight and few channels between them, by a graph
/// partitioning library: multilevel recursive bisection. The same seed gives the same sides. Safe to call
/// from several threads, which take turns. Empty where the library gives up.
std::vector<std::uint8_t> metis_halves(const CutGraph& graph, std::uint64_t seed);  // Karypis, Kumar 1998
/// Parts, 2 to 255, the same way.
std::vector<std::uint8_t> metis_parts(const CutGraph& graph, std::uint32_t parts, std::uint64_t seed);
std::vector<std::uint8_t> scotch_halves(const CutGraph& graph, std::uint64_t seed);  // Pellegrini 1996

/// Both libraries keep random numbers in global state: who calls one of them holds this lock.
std::mutex& partitioner_lock();

}  // namespace unknot
