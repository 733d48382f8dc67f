// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/routing/routing_source.hpp"
#include "unknot/cli/schedules/group_input.hpp"
#include "unknot/collective/files/schedule_file.hpp"
#include "unknot/collective/model/catalogue.hpp"
#include "unknot/collective/model/problem.hpp"
#include "unknot/network/network.hpp"

namespace CLI {
class App;
}

namespace unknot::cli {

/// What the command line says of a collective: names, lists and limits as they were written.
struct CollectiveInput {
  std::string collective;
  std::string root, transmitters, receivers;
  std::string messages;  ///< file
  std::string pattern;   ///< spec of a traffic pattern
  GroupInput groups;
  std::string nodes;  ///< automatic, routers or terminals
  std::string links = "full-duplex";
  std::uint32_t send_ports = 0, receive_ports = 0;  ///< 0: as many as there are channels
  std::uint32_t terminal_capacity = 1;
  CapacityUnit unit = CapacityUnit::cables;
  std::string paths = "any";  ///< minimal, any, or +N
  RoutingSource routing;      ///< transfers keep to; neither engine nor tables: paths are free
  std::string faults;         ///< what has failed; "": nothing
};

void add_collective_options(CLI::App& app, CollectiveInput& input);

/// A network, and what is asked for on it.
struct CollectiveRequest {
  Network network;
  std::shared_ptr<const NodeGraph> graph;
  const CollectiveRow* row = nullptr;
  Participants who;
  ProblemRules rules;
  std::string routing;  ///< engine or file whose routes transfers keep to; empty: none
  std::string faults;   ///< what FABRIC has and the network has not, as --fail takes it
  std::string said_in;  ///< file whose fault it is where this fits together badly; empty: the command line's
};

/// A network and the problem on it.
struct CollectiveCase {
  Network network;
  Problem problem;
  std::string routing;      ///< engine or file whose routes transfers keep to; empty: none
  std::string faults = {};  ///< what FABRIC has and the network has not, as --fail takes it
};

/// FABRIC may also be an input file of the thesis (collective/files/thesis_file.hpp), which says who
/// transmits and receives. What a schedule's document says holds where the command line says nothing, and
/// errors in it name its file. With --fail the network is what that leaves of FABRIC, and nodes have the
/// numbers of what is left. InputError for all that does not fit.
CollectiveCase load_collective(const std::string& fabric, const CollectiveInput& input, const Common& common,
                               const ScheduleDocument* document = nullptr,
                               const std::string& document_file = "");

/// The same before a problem is made of it.
CollectiveRequest load_request(const std::string& fabric, const CollectiveInput& input, const Common& common,
                               const ScheduleDocument* document = nullptr,
                               const std::string& document_file = "");

/// The network alone.
Network load_collective_network(const std::string& fabric, const CollectiveInput& input,
                                const Common& common);

/// The routes of the engine or the tables that the command line names, on a network and its graph; and the
/// name of either, empty where there is none. InputError for both of them, and for --paths beside them.
std::shared_ptr<const PairRoutes> load_routes(const Network& network, const NodeGraph& graph,
                                              const CollectiveInput& input, const Common& common);
std::string routing_name(const CollectiveInput& input);

/// What the command line says of the graphs of networks, with the nodes of a graph that was made so.
NodeGraphOptions graph_options(const CollectiveInput& input, const NodeGraph& like);

}  // namespace unknot::cli
