// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/routing/multicast_run.hpp"
#include "unknot/cli/routing/routing_source.hpp"
#include "unknot/network/network.hpp"
#include "unknot/simulate/plan/lane_proof.hpp"
#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/simulate/settings/settings.hpp"
#include "unknot/support/progress.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace unknot::cli {

/// Routing options of `simulate`: tables of an engine or of anyone, an adaptive routing, or paths on a lane
/// scheme.
struct SimulatedRouting {
  RoutingSource source;
  std::string paths;                           ///< "minimal", "valiant", "ugal:..."; "": tables
  std::vector<std::string> adaptive;           ///< files of an adaptive routing
  bool committed = false;                      ///< with those
  std::string lane_scheme;                     ///< "": the lanes of the tables, or scheme hop
  std::string address;                         ///< which address of its destination a packet goes to
  const CLI::Option* address_given = nullptr;  ///< --address
  bool no_proof = false;
  bool management = false;    ///< routers send and receive as well; the network is one with management
  MulticastChoice multicast;  ///< tables that are read
  double multicast_share = 0.1;
  const CLI::Option* share_given = nullptr;  ///< --multicast-share
  const CLI::Option* lanes_given = nullptr;  ///< --vls
};

/// A routing as it is simulated, and what is known of it.
struct PlannedRouting {
  simulate::RoutePlan plan;
  std::string words;                         ///< "engine dfsssp", for people
  std::optional<simulate::LaneProof> proof;  ///< nothing: --no-proof
};

/// Adds --engine, --tables, --lanes, --vls, --paths, --adaptive, --committed, --lane-scheme, --no-proof,
/// --management and those of multicast.
void add_simulated_routing(CLI::App& app, SimulatedRouting& options);
/// Refuses what is said of groups without --multicast. InputError.
void check_simulated_groups(const SimulatedRouting& options);
/// Refuses what --paths and --lane-scheme do not take, each by itself. InputError.
void check_paths(const std::string& spec);
void check_lane_scheme(const std::string& scheme);
/// Refuses what does not go together and names that do not exist, before any work.
void check_simulated_routing(const SimulatedRouting& options);
/// Computes or reads the routing, proves it and plans it. An engine gets the lanes of the settings unless
/// --vls says otherwise. Throws as route(), read_routing(), plan_routing() and plan_paths().
PlannedRouting plan_simulated_routing(const Network& network, const SimulatedRouting& options,
                                      const simulate::Settings& settings, const Common& common,
                                      Progress& progress);
/// Adds engine, tables, adaptive or paths, lane_scheme, virtual_lanes and what is proven.
void add_simulated_routing(Json& document, const SimulatedRouting& options, const PlannedRouting& routing);

}  // namespace unknot::cli
