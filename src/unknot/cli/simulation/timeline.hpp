// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/traffic/workloads/workload.hpp"

namespace unknot::cli {

/// InputError where the workload has no tasks that a timeline could show.
void check_timeline(const Workload& workload);

/// Writes the run of a task graph as trace events in JSON, the format of chrome://tracing that Perfetto and
/// others open: a process for each rank, with a track for each processor that computations take turns on, one
/// for sends, and as many as overlap for other computations, receives, and collectives, each from its first
/// task to its last. Arrows go from sends to receives. Times are in microseconds with three decimals. A send
/// begins when the one before it has left. Tasks that have not begun are not there; those that have not ended
/// last as long as the run.
void write_timeline(const Network& network, const Workload& workload, const simulate::WorkloadReport& report,
                    double cycle_ns, const std::string& path);

/// The files of filled traces, PREFIX.0.et and on; InputError where the workload has no files for each rank.
std::vector<std::string> filled_trace_files(const Workload& workload, const std::string& prefix);
/// Writes the files of the traces again, with the start and the duration that each
/// node had in this run, from its first task to its last, cut to microseconds. A node that has not ended
/// stays as it is.
void write_filled_traces(const Workload& workload, const simulate::WorkloadReport& report, double cycle_ns,
                         const std::string& prefix);

}  // namespace unknot::cli
