// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/routing_source.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/network/addressed_network.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/tables/further_addresses.hpp"

namespace unknot::cli {

void add_table_source(CLI::App& app, RoutingSource& source) {
  app.add_option("--engine,-E", source.engine,
                 fmt::format("Engine, as NAME or NAME:key=value,...; one of {}", row_names("engines")));
  app.add_option("--tables", source.input.tables, "Third-party forwarding tables")->type_name("FILE");
  app.add_option("--vls", source.virtual_lanes, "Virtual lanes the hardware has, for the engine")
      ->check(whole_number(1, kMaxLanes))
      ->type_name("N")
      ->needs(app.get_option("--engine"))
      ->capture_default_str();
}

void add_routing_source(CLI::App& app, RoutingSource& source) {
  add_table_source(app, source);
  app.add_option("--lanes", source.input.lanes, "Service level of each path, with --tables")
      ->type_name("FILE")
      ->needs(app.get_option("--tables"));
  app.add_option("--sl2vl", source.input.lane_map, "SL-to-VL tables, with --tables")
      ->type_name("FILE")
      ->needs(app.get_option("--lanes"));
}

void add_lmc(CLI::App& app, RoutingSource& source) {
  app.add_option("--lmc", source.lmc, "With --engine: each host has 2^N addresses, with a path to each")
      ->check(whole_number(0, 7))
      ->type_name("N")
      ->capture_default_str();
}

void add_addresses(CLI::App& app, RoutingSource& source) {
  add_lmc(app, source);
  app.add_option("--address", source.split,
                 "Where hosts have several addresses: flows go evenly to all of them, or to the lowest")
      ->check(CLI::IsMember({"even", "lowest"}))
      ->type_name("NAME")
      ->capture_default_str();
}

Routing routing_from(const Network& network, const RoutingSource& source, const Common& common,
                     Progress& progress) {
  Routing routing = source.by_engine() ? route_by_engine(network, source, common, progress)
                                       : read_routing(network, source.input);
  if (source.split == "lowest") routing.further.clear();
  return routing;
}

void check_engine(const RoutingSource& source) {
  if (source.lmc > 0 && !source.by_engine())
    throw InputError("--lmc is for --engine; tables have their addresses");
  if (source.by_engine()) (void)find_engine(split_spec(source.engine).name);
}

Routing route_by_engine(const Network& network, const RoutingSource& source, const Common& common,
                        Progress& progress) {
  EngineRequest request;
  request.virtual_lanes = source.virtual_lanes;
  request.seed = common.seed;
  request.threads = common.threads;
  if (source.lmc == 0) return route(network, source.engine, request, progress);
  const Network wide = addressed_network(network, source.lmc);
  return with_further_addresses(network, wide, route(wide, source.engine, request, progress));
}

}  // namespace unknot::cli
