// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/routing/engine_run.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace unknot::cli {

/// Declares --port-lanes.
CLI::Option* add_port_lanes_option(CLI::App& app, std::string& path);

/// Data lanes by channel: those of the end that has fewer, 15 where nobody says. Switches that the network
/// does not have are passed over, with a note.
std::vector<std::uint8_t> read_lanes_of_channels(const Network& network, const std::string& path,
                                                 const Common& common);

/// The routing as it is in force on such ports: each level on the lane that OpenSM cuts it to. InputError for
/// a routing with SL-to-VL tables of its own.
void cut_to_port_lanes(const Network& network, Routing& routing, const std::vector<std::uint8_t>& lanes);

/// measured_engine() on the most lanes with which all is proven as it is in force on such ports: those that
/// are allowed, else as many as some port has, at last as many as all have, where nothing is cut.
/// EngineRun::ports says what came out.
EngineRun measured_on_ports(const Network& network, const std::string& engine, EngineRunOptions options,
                            const std::vector<std::uint8_t>& lanes, const Common& common, Progress& progress);

}  // namespace unknot::cli
