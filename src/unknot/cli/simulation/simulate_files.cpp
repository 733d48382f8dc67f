// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/simulation/simulate_files.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "unknot/support/files/file.hpp"

namespace unknot::cli {
namespace {

using simulate::FlowResult;
using simulate::LatencyBin;

std::string run_fields(const FiledRun& one) {
  return fmt::format("{},{}", one.load != nullptr ? fmt::format("{}", *one.load) : "", one.seed);
}

}  // namespace

void write_points(const Json& points, const std::string& path) {
  write_file(path, [&](const FileSink& sink) {
    std::string heading;
    std::vector<std::string> columns;
    // Any point has the members of all; circles and the like are no values.
    for (const auto& [name, value] : points.front().items()) {
      if (value.is_array() || value.is_object() || name == "deadlock_cycle") continue;
      heading += (columns.empty() ? "" : ",") + name;
      columns.push_back(name);
    }
    sink(heading + "\n");
    for (const Json& point : points) {
      std::string line;
      for (const std::string& name : columns)
        line += (&name == &columns.front() ? "" : ",") + csv_field(point.at(name));
      sink(line + "\n");
    }
  });
}

void write_flows(const Network& network, const std::vector<FiledRun>& runs, const std::string& path) {
  write_file(path, [&](const FileSink& sink) {
    sink(
        "load,seed,source,destination,accepted,packets,flits,latency_mean,latency_p99,latency_max,"
        "hops_mean\n");
    for (const FiledRun& one : runs) {
      for (const FlowResult& flow : one.run->flows) {
        const std::string times = one.run->undelivered || flow.packets == 0
                                      ? ",,,"
                                      : fmt::format("{},{},{},{}", flow.latency_mean, flow.latency_p99,
                                                    flow.latency_max, flow.hops_mean);
        sink(fmt::format("{},{},{},{},{},{},{}\n", run_fields(one),
                         csv_field(network.terminal_name(TerminalId(flow.source))),
                         csv_field(network.terminal_name(TerminalId(flow.destination))),
                         one.window > 0 ? static_cast<double>(flow.accepted_flits) / one.window : 0.0,
                         flow.packets, flow.flits, times));
      }
    }
  });
}

void write_histogram(const std::vector<FiledRun>& runs, std::uint32_t speedup, const std::string& path) {
  write_file(path, [&](const FileSink& sink) {
    sink("load,seed,from,to,packets\n");
    const auto cycles = [&](std::uint64_t steps) { return static_cast<double>(steps) / speedup; };
    for (const FiledRun& one : runs) {
      if (one.run->undelivered) continue;
      for (const LatencyBin& bin : one.run->histogram)
        sink(fmt::format("{},{},{},{}\n", run_fields(one), cycles(bin.from), cycles(bin.to), bin.packets));
    }
  });
}

}  // namespace unknot::cli
