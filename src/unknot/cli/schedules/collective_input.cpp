// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/schedules/collective_input.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/fabric/fault_option.hpp"
#include "unknot/collective/files/thesis_file.hpp"
#include "unknot/collective/model/pair_routes.hpp"
#include "unknot/collective/model/pattern_messages.hpp"
#include "unknot/network/network_change.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/text/in_file.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::cli {
namespace {

/// FABRIC before anything fails; without roles where it is no input file of the thesis. Standard input is
/// left to other formats.
ThesisInput load_whole(const std::string& fabric) {
  std::error_code error;
  if (!is_spec(fabric) && std::filesystem::is_regular_file(fabric, error)) {
    const std::string text = read_file(fabric);
    if (looks_like_thesis_input(text)) return parse_thesis_input(text, fabric);
  }
  return {load_routers(fabric), {}};  // which may be the nodes
}

void leave_out_failed(ThesisInput& whole, const std::string& faults, const Common& common) {
  Network rest = without_failed(whole.network, faults, common);
  if (!whole.roles.empty()) {
    std::vector<Role> roles;
    for (const std::uint32_t old : compare_networks(whole.network, rest).router_to_old)
      roles.push_back(whole.roles[old]);
    whole.roles = std::move(roles);
  }
  whole.network = std::move(rest);
}

NodeModel model_of(const CollectiveInput& input, const ScheduleDocument* document, const ThesisInput& whole) {
  if (input.nodes == "routers" || (input.nodes.empty() && !whole.roles.empty())) return NodeModel::routers;
  if (input.nodes == "terminals") return NodeModel::terminals;
  // a schedule says it by its numbers: terminals come after the routers
  if (input.nodes.empty() && document != nullptr) {
    std::uint32_t highest = 0;
    bool any = false;
    const auto look_at = [&](const std::vector<NodeId>& nodes) {
      for (const NodeId n : nodes) highest = std::max(highest, n.value);
      any = any || !nodes.empty();
    };
    if (document->participants.nodes) look_at(*document->participants.nodes);
    for (const auto& group : document->participants.groups.value_or(std::vector<std::vector<NodeId>>()))
      look_at(group);
    if (any) return highest < whole.network.router_count() ? NodeModel::routers : NodeModel::terminals;
  }
  return NodeModel::automatic;
}

NodeGraphOptions graph_options(const CollectiveInput& input) {
  NodeGraphOptions options;
  options.links = input.links == "half-duplex" ? LinkClass::half_duplex : LinkClass::full_duplex;
  options.terminal_capacity = input.terminal_capacity;
  options.unit = input.unit;
  return options;
}

std::uint32_t extra_hops(const std::string& paths) {
  if (paths == "any") return Problem::kAnyLength;
  if (paths == "minimal") return 0;
  Cursor cursor(paths);
  if (cursor.eat('+')) {
    const auto more = cursor.decimal(1'000'000);
    if (more && cursor.at_end()) return static_cast<std::uint32_t>(*more);
  }
  throw InputError(fmt::format("--paths: expected minimal, any or +N, found '{}'", paths));
}

ProblemRules rules_of(const CollectiveInput& input) {
  ProblemRules rules;
  if (input.send_ports > 0) rules.send_ports = input.send_ports;
  if (input.receive_ports > 0) rules.receive_ports = input.receive_ports;
  rules.extra_hops = extra_hops(input.paths);
  return rules;
}

}  // namespace

void add_collective_options(CLI::App& app, CollectiveInput& input) {
  app.add_option("--collective", input.collective, fmt::format("One of {}", row_names("collectives")));
  app.add_option("--root", input.root, "Node all messages come from or go to")->type_name("NODE");
  app.add_option("--transmitters", input.transmitters, "Nodes that send, as 0-3,7")->type_name("LIST");
  app.add_option("--receivers", input.receivers, "Nodes that receive")->type_name("LIST");
  app.add_option(
         "--messages", input.messages,
         "File with any list of messages in place of pairs of all transmitters and receivers: on each line a "
         "node, and those it has messages for (MNS, permutation), or its one message (MNB)")
      ->type_name("FILE");
  app.add_option("--pattern", input.pattern,
                 "Messages of a traffic pattern (unknot list patterns): of a permutation one that is one, "
                 "of MNS and MNB any")
      ->type_name("SPEC");
  add_group_options(app, input.groups);
  app.add_option(
         "--nodes", input.nodes,
         "What a node is: routers (each with its terminal) or terminals; by default routers where each "
         "has exactly one terminal")
      ->check(CLI::IsMember({"routers", "terminals"}))
      ->type_name("WORD");
  app.add_option("--links", input.links,
                 "full-duplex or half-duplex: whether a cable carries both ways in one step")
      ->check(CLI::IsMember({"full-duplex", "half-duplex"}))
      ->type_name("WORD")
      ->capture_default_str();
  app.add_option("--ports", input.send_ports,
                 "Most messages a node sends in one step; 0: as its channels allow")
      ->check(whole_number(0, 65535))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--receive-ports", input.receive_ports, "Most it receives; 0: as its channels allow")
      ->check(whole_number(0, 65535))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--terminal-capacity", input.terminal_capacity,
                 "Messages a step on the cable of a terminal that is a node, each way")
      ->check(whole_number(1, 65535))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--paths", input.paths, "minimal, +N (this many hops more at most) or any")
      ->type_name("WORD")
      ->capture_default_str();
  add_table_source(app, input.routing);
  add_fault_option(app, input.faults);
}

Network load_collective_network(const std::string& fabric, const CollectiveInput& input,
                                const Common& common) {
  ThesisInput whole = load_whole(fabric);
  if (!input.faults.empty()) leave_out_failed(whole, input.faults, common);
  return std::move(whole.network);
}

std::shared_ptr<const PairRoutes> load_routes(const Network& network, const NodeGraph& graph,
                                              const CollectiveInput& input, const Common& common) {
  const RoutingSource& source = input.routing;
  if (source.by_engine() && source.from_tables())
    throw InputError("--engine and --tables both say which routes transfers keep to: give one of them");
  if (input.paths != "any")
    throw InputError("--paths: with --engine or --tables there is one path from each node to each other");
  check_engine(source);
  Progress progress;
  return std::make_shared<const PairRoutes>(network, graph,
                                            source.by_engine()
                                                ? route_by_engine(network, source, common, progress)
                                                : read_routing(network, source.input));
}

std::string routing_name(const CollectiveInput& input) {
  return input.routing.by_engine() ? input.routing.engine : input.routing.input.tables;
}

NodeGraphOptions graph_options(const CollectiveInput& input, const NodeGraph& like) {
  NodeGraphOptions options = graph_options(input);
  options.model = like.has_terminal_nodes() ? NodeModel::terminals : NodeModel::routers;
  return options;
}

CollectiveRequest load_request(const std::string& fabric, const CollectiveInput& input, const Common& common,
                               const ScheduleDocument* document, const std::string& document_file) {
  const std::string name = !input.collective.empty() ? input.collective
                           : document != nullptr     ? document->collective
                                                     : "";
  if (name.empty())
    throw InputError(fmt::format("--collective is missing: one of {}", row_names("collectives")));
  const CollectiveRow& row = in_file(input.collective.empty() ? document_file : "",
                                     [&]() -> const CollectiveRow& { return find_collective(name); });
  CollectiveRequest result;
  result.row = &row;
  result.rules = rules_of(input);
  Participants& who = result.who;
  if (document != nullptr) who = document->participants;

  ThesisInput whole = load_whole(fabric);
  NodeGraphOptions options = graph_options(input);
  // What the file says has failed is of the fabric that it names.
  const bool documented = input.faults.empty() && document != nullptr && document->fabric == fabric;
  const std::string& faults = documented ? document->faults : input.faults;
  if (!faults.empty()) {
    // What has lost its terminal is a node still.
    const NodeGraph before(whole.network, options);
    in_file(documented ? document_file : "", [&] { leave_out_failed(whole, faults, common); });
    result.faults = with_seed(faults, common);
    options = graph_options(input, before);
  }
  if (const NodeModel said = model_of(input, document, whole); said != NodeModel::automatic)
    options.model = said;
  result.graph = std::make_shared<const NodeGraph>(whole.network, options);
  const NodeGraph& graph = *result.graph;
  if (!whole.roles.empty()) {
    // the file says who takes part; a schedule for it need not
    who.nodes.reset();
    who.transmitters = whole.with_role(Role::transmitter);
    who.receivers = whole.with_role(Role::receiver);
  }
  result.network = std::move(whole.network);
  result.routing = routing_name(input);
  if (!result.routing.empty()) result.rules.routes = load_routes(result.network, graph, input, common);

  if (!input.messages.empty() && !input.pattern.empty())
    throw InputError("--messages and --pattern both say what is sent: give one of them");
  if (!input.messages.empty())
    who.messages = parse_message_list(graph, read_file(input.messages), input.messages);
  if (!input.pattern.empty())
    who.messages = pattern_messages(result.network, graph, input.pattern, common.seed);
  if (!input.transmitters.empty())
    who.transmitters = parse_node_list(graph, input.transmitters, "--transmitters");
  if (!input.receivers.empty()) who.receivers = parse_node_list(graph, input.receivers, "--receivers");
  if (input.groups.any()) {
    who.nodes.reset();  // as a file says it
    who.groups = groups_of(result.network, graph, input.groups);
  }
  if (input.root.empty()) {
    const auto require_one = [&](const char* option, const std::string& given, const auto& nodes) {
      if (!given.empty() && nodes->size() > 1) {
        throw InputError(fmt::format("{}: of {} nodes which is the root of {}? --root says it", option,
                                     nodes->size(), row.name));
      }
    };
    if (row.participation == Participation::one_to_all)
      require_one("--transmitters", input.transmitters, who.transmitters);
    if (row.participation == Participation::all_to_one)
      require_one("--receivers", input.receivers, who.receivers);
  }
  if (!input.root.empty()) {
    const std::vector<NodeId> root = parse_node_list(graph, input.root, "--root");
    if (root.size() != 1) throw InputError(fmt::format("--root: expected one node, found '{}'", input.root));
    who.root = root[0];
  }
  if (!who.root && !who.groups && document != nullptr) who.root = implied_root(row, document->schedule);
  result.said_in = input.messages.empty() ? document_file : input.messages;
  return result;
}

CollectiveCase load_collective(const std::string& fabric, const CollectiveInput& input, const Common& common,
                               const ScheduleDocument* document, const std::string& document_file) {
  CollectiveRequest request = load_request(fabric, input, common, document, document_file);
  Problem problem = in_file(request.said_in, [&] {
    return make_collective(request.graph, request.row->name, request.who, request.rules);
  });
  return {std::move(request.network), std::move(problem), std::move(request.routing),
          std::move(request.faults)};
}

}  // namespace unknot::cli
