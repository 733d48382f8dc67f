// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/traffic/workloads/workload.hpp"

namespace unknot {

/// The first promise that a workload breaks on a network of that many terminals, as a sentence; empty where
/// it keeps all: terminals exist, nobody sends to itself, sizes are positive and not too large, counts are
/// the same when asked again; in a task graph, arrays fit together, requirements stay at the terminal, every
/// send has exactly one receive at its destination, of its size, and everything can be done; totals are right
/// where it has them. Shares no code with what makes workloads. O(messages + tasks + requirements).
std::string workload_fault(const Workload& workload, std::uint32_t terminals);

}  // namespace unknot
