// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "unknot/collective/chakra/chakra_trace.hpp"
#include "unknot/traffic/workloads/workload.hpp"

namespace unknot::chakra {

/// The same as a graph of tasks, for goal_text() and simulations: rank r is terminal r. The traces must be
/// without a fault. O(nodes log nodes).
TaskGraph task_graph_of(const std::vector<Trace>& traces);

}  // namespace unknot::chakra
