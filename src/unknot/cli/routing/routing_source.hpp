// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/routing/tables_input.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"

namespace CLI {
class App;
}

namespace unknot::cli {

/// Where a command takes a routing from that it measures: an engine, or third-party tables.
struct RoutingSource {
  std::string engine;
  TablesInput input;
  std::uint32_t virtual_lanes = 8;  ///< for the engine

  [[nodiscard]] bool by_engine() const { return !engine.empty(); }
  [[nodiscard]] bool from_tables() const { return !input.tables.empty(); }
};

/// Adds --engine, --tables and --vls, for commands to which lanes do not matter.
void add_table_source(CLI::App& app, RoutingSource& source);
/// These, and --lanes.
void add_routing_source(CLI::App& app, RoutingSource& source);
/// Refuses an engine that does not exist, before any work.
void check_engine(const RoutingSource& source);
/// The engine's routing. Throws as route() does.
Routing route_by_engine(const Network& network, const RoutingSource& source, const Common& common,
                        Progress& progress);

}  // namespace unknot::cli
