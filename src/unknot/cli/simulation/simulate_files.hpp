// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "unknot/cli/output/csv.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/network/network.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/simulate/settings/settings.hpp"

/// Comma-separated values of `simulate`, a heading and a line for each row. Fields that hold a comma or a
/// quotation mark are quoted (RFC 4180); what has no meaning is empty.
namespace unknot::cli {

/// A run whose packets are written; `load` is null where there is none.
struct FiledRun {
  const simulate::RunReport* run = nullptr;
  const double* load = nullptr;
  std::uint64_t seed = 0;
  double window = 0;  ///< cycles of measuring
};

/// The points of --json, each member with one value a column.
void write_points(const Json& points, const std::string& path);
/// load,seed,source,destination,accepted,packets,flits,latency_mean,latency_p99,latency_max,hops_mean for
/// each flow of each run: `accepted` in flits a cycle. Latencies and hops where all measured packets arrived.
void write_flows(const Network& network, const std::vector<FiledRun>& runs, const std::string& path);
/// load,seed,from,to,packets: latencies in cycles, first and last of a bin. Runs of which measured packets
/// have not arrived have none.
void write_histogram(const std::vector<FiledRun>& runs, std::uint32_t speedup, const std::string& path);

}  // namespace unknot::cli
