// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/port_lanes.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>

#include "unknot/cli/output/interrupt.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/formats/text/node_list.hpp"
#include "unknot/support/error.hpp"
#include "unknot/tables/lane_map.hpp"

namespace unknot::cli {
namespace {

/// What the checker says of the run's tables, all traffic, on ports with fewer lanes.
Verdict verdict_on_ports(const Network& network, const EngineRun& run, const std::vector<std::uint8_t>& lanes,
                         const EngineRunOptions& options, std::uint32_t threads, Progress& progress) {
  const FileContent all = file_content(network, *run.routing, run.management.get());
  Routing routing = all.routing;
  cut_to_port_lanes(all.network, routing, lanes);
  VerifyOptions checks;
  checks.threads = threads;
  checks.certificate = options.certificate;
  return verify(all.network, routing, checks, progress);
}

}  // namespace

CLI::Option* add_port_lanes_option(CLI::App& app, std::string& path) {
  return app
      .add_option("--port-lanes", path,
                  "Ports of switches that have fewer lanes than --vls, lines 0x<switch guid> <port> <lanes>: "
                  "OpenSM cuts service levels to them, and the proof is about that")
      ->type_name("FILE");
}

std::vector<std::uint8_t> read_lanes_of_channels(const Network& network, const std::string& path,
                                                 const Common& common) {
  const PortValues read = read_port_lanes(network, path);
  if (!read.absent.empty()) {
    note(common,
         fmt::format("{}: line {}: 0x{:016x} is not in the fabric{}", path, read.absent.front().line,
                     read.absent.front().guid,
                     read.absent.size() > 1 ? fmt::format(", nor are {} more", read.absent.size() - 1) : ""));
  }
  std::unordered_map<std::uint64_t, RouterId> by_guid;
  for (const RouterId r : network.routers()) by_guid.emplace(network.router_guid(r), r);
  std::vector<std::uint8_t> of_channel(network.channel_count(), LaneMap::kDrop);
  std::set<std::pair<std::uint64_t, std::uint16_t>> seen;
  for (const PortValue& one : read.weights) {
    if (!seen.emplace(one.guid, one.port).second)
      throw InputError(fmt::format("{}: port {} of 0x{:016x} is told twice", path, one.port, one.guid));
    const ChannelId c = network.channel_at(by_guid.at(one.guid), one.port);
    for (const ChannelId way : {c, c.valid() ? network.reverse(c) : c}) {
      if (!way.valid()) continue;
      std::uint8_t& have = of_channel[way.value];
      have = std::min(have, static_cast<std::uint8_t>(one.weight));
    }
  }
  return of_channel;
}

void cut_to_port_lanes(const Network& network, Routing& routing, const std::vector<std::uint8_t>& lanes) {
  require_tables(routing, "ports with fewer lanes (--port-lanes)");
  if (routing.lane_map != nullptr) {
    throw InputError(
        "--port-lanes is about levels that are lanes; SL-to-VL tables say themselves which lanes there are "
        "(of "
        "dor: dor:sl2vl=0)");
  }
  routing.lane_map = std::make_shared<const LaneMap>(cut_to_ports(network, lanes));
  for (Routing& further : routing.further) further.lane_map = routing.lane_map;
  routing.virtual_lanes = routing.lanes_needed =
      std::max(routing.virtual_lanes, lanes_in_use(network, routing));
}

EngineRun measured_on_ports(const Network& network, const std::string& engine, EngineRunOptions options,
                            const std::vector<std::uint8_t>& lanes, const Common& common,
                            Progress& progress) {
  std::set<std::uint32_t, std::greater<>> budgets{options.virtual_lanes};
  for (const std::uint8_t have : lanes) {
    if (have < options.virtual_lanes) budgets.insert(have);
  }
  const auto fewer = static_cast<std::uint64_t>(std::count_if(
      lanes.begin(), lanes.end(), [&](std::uint8_t have) { return have < options.virtual_lanes; }));
  EngineRun best;
  for (const std::uint32_t budget : budgets) {
    stop_if_interrupted();
    options.virtual_lanes = budget;
    EngineRun run = measured_engine(network, engine, options, common, progress);
    if (!run.routing) {
      if (!best.routing) best = std::move(run);
      break;  // fewer lanes will not do
    }
    Verdict verdict = verdict_on_ports(network, run, lanes, options, common.threads, progress);
    run.ports = PortLanesRun{fewer, budget, verdict.deadlock_free};
    if (options.certificate) run.verdict.certificate = std::move(verdict.certificate);
    best = std::move(run);
    if (best.ports->deadlock_free) break;
  }
  return best;
}

}  // namespace unknot::cli
