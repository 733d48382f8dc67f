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
  std::uint32_t lmc = 0;            ///< for the engine: 2^lmc addresses of each host
  std::string split = "even";       ///< of flows over the addresses: "even", or all to the "lowest"

  [[nodiscard]] bool by_engine() const { return !engine.empty(); }
  [[nodiscard]] bool from_tables() const { return !input.tables.empty(); }
};

/// Adds --engine, --tables and --vls, for commands to which lanes do not matter.
void add_table_source(CLI::App& app, RoutingSource& source);
/// These, --lanes and --sl2vl.
void add_routing_source(CLI::App& app, RoutingSource& source);
/// Adds --lmc.
void add_lmc(CLI::App& app, RoutingSource& source);
/// Adds --lmc and --address, for commands that tell loads.
void add_addresses(CLI::App& app, RoutingSource& source);
/// What --engine or --tables asks for, the further addresses left out where --address says so.
Routing routing_from(const Network& network, const RoutingSource& source, const Common& common,
                     Progress& progress);
/// Refuses an engine that does not exist, and --lmc without one, before any work.
void check_engine(const RoutingSource& source);
/// The engine's routing, to all addresses. Throws as route() does.
Routing route_by_engine(const Network& network, const RoutingSource& source, const Common& common,
                        Progress& progress);

}  // namespace unknot::cli
