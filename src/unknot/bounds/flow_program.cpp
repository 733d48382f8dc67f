// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "unknot/bounds/concurrent_flow.hpp"
#include "unknot/network/distances_to.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/solve/linear_program.hpp"

namespace unknot {

ConcurrentFlow flow_by_program(const FlowProblem& problem) {
  const Network& network = problem.network;
  const RouterDemand& demand = problem.demand;
  const std::uint32_t channels = network.channel_count();
  const std::uint32_t count = demand.endpoints().count();
  if (std::uint64_t{channels} * count > kMaxProgramColumns) {
    throw InputError(fmt::format("the linear program of this network has {} variables, at most {} are solved",
                                 std::uint64_t{channels} * count, kMaxProgramColumns));
  }
  // Columns: the largest load, then for each destination the flow on each channel that does not leave it.
  // Rows: the load of each channel is at most the largest; each router but the destination passes on what it
  // gets and makes.
  LinearProgram program;
  std::vector<LinearProgram::Entry> entries;
  for (std::uint32_t c = 0; c < channels; ++c) {
    program.add_row(-LinearProgram::kInfinity, 0);
    entries.push_back({c, -problem.capacity_of(c)});
  }
  if (channels > 0) program.add_column(1, entries);
  const InNeighbours neighbours(network);
  DistancesTo hops(neighbours);
  std::vector<double> rate(count);
  std::vector<std::vector<std::uint32_t>> columns(
      count);  // by destination, then channel; empty without demand
  for (std::uint32_t d = 0; d < count; ++d) {
    demand.column(d, rate);
    if (std::all_of(rate.begin(), rate.end(), [](double one) { return one == 0; })) continue;
    const RouterId home = demand.endpoints()[d];
    const std::uint32_t first = program.rows();  // of the routers; that of the destination stays empty
    for (const RouterId r : network.routers()) {
      const std::uint32_t index = demand.endpoints().index_of(r);
      const double made = r == home || index == EndpointRouters::kNone ? 0 : rate[index];
      program.add_row(made, made);
    }
    columns[d].assign(channels, 0);
    if (problem.ways == FlowWays::shortest) hops.run(home);
    for (const ChannelId c : network.channels()) {
      if (network.source(c) == home) continue;
      if (problem.ways == FlowWays::shortest &&
          hops.distance()[network.source(c).value] != hops.distance()[network.target(c).value] + 1) {
        continue;
      }
      entries.assign({{c.value, 1}, {first + network.source(c).value, 1}});
      if (network.target(c) != home) entries.push_back({first + network.target(c).value, -1});
      columns[d][c.value] = program.add_column(0, entries);
    }
  }
  ConcurrentFlow result;
  result.flow.assign(std::size_t{count} * channels, 0);
  result.length.assign(channels, 0);
  if (program.columns() <= 1) return result;
  const LinearProgram::Solution solution = program.solve();
  if (!solution.optimal)
    throw InputError("the linear program has no solution: some pair with traffic has no path");
  for (std::uint32_t d = 0; d < count; ++d) {
    if (columns[d].empty()) continue;
    for (std::uint32_t c = 0; c < channels; ++c) {
      if (columns[d][c] != 0)
        result.flow[std::size_t{d} * channels + c] = std::max(0.0, solution.x[columns[d][c]]);
    }
  }
  for (std::uint32_t c = 0; c < channels; ++c) result.length[c] = std::max(0.0, -solution.dual[c]);
  return result;
}

}  // namespace unknot
