// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/fabric/scope_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "unknot/cli/command/help.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/fabric/fault_option.hpp"
#include "unknot/cli/fabric/rails.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/network/allocation.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {
namespace {

constexpr std::uint32_t kMostRails = 1'000'000;

}  // namespace

void add_scope_options(CLI::App& app, Scope& scope) {
  app.add_option("--rail", scope.rail,
                 "Of a fabric in several parts that no cable joins, the one of this number: 1 has the most "
                 "terminals")
      ->check(whole_number(1, kMostRails))
      ->type_name("N");
  add_fault_option(app, scope.faults);
  CLI::Option* nodes =
      app.add_option("--nodes", scope.nodes,
                     "Only these nodes send and receive: router numbers, names, ranges and host lists, as "
                     "0-3,7 or node[01-04]")
          ->type_name("LIST");
  app.add_option("--transit", scope.transit,
                 "With --nodes, who carries their traffic: own (the routers of these nodes alone) or any "
                 "(all of the machine)")
      ->check(CLI::IsMember({"own", "any"}))
      ->type_name("own|any")
      ->needs(nodes)
      ->capture_default_str();
}

Network load_rail(const Scope& scope, const std::string& fabric) {
  if (scope.rail == 0) return load_fabric(fabric);
  Network rail = rail_of(read_fabric_in_parts(fabric), scope.rail, fabric);
  if (const std::string parts = describe_disconnection(rail); !parts.empty())
    throw InputError(fmt::format("{} rail {}: {}", fabric, scope.rail, parts));
  return rail;
}

Network within(const Scope& scope, Network network, const Common& common) {
  if (scope.whole()) return network;
  Faults faults;
  if (!scope.faults.empty()) faults = read_faults(network, scope.faults, common);
  if (!scope.nodes.empty()) {
    const Allocation allocation = parse_nodes(network, scope.nodes);
    require_alive(network, allocation, faults);
    faults = merged(faults, outside(network, allocation, transit_from(scope.transit)));
  }
  Network rest = with_faults(network, faults);
  require_terminals(rest, rest.description());
  return rest;
}

void add_scope(Json& document, const Scope& scope, const Network& network) {
  if (scope.rail > 0) document["rail"] = scope.rail;
  if (scope.whole()) return;
  if (!scope.faults.empty()) document["fail"] = scope.faults;
  if (!scope.nodes.empty()) {
    document["nodes"] = scope.nodes;
    document["transit"] = scope.transit;
  }
  add_disconnection(document, network);
}

std::string scope_line(const Scope& scope, const Network& network) {
  if (scope.whole()) return "";
  const std::string parts = disconnection_sentence(network);
  if (parts.empty()) return "";
  std::string options;
  if (!scope.faults.empty()) options = "--fail " + scope.faults;
  if (!scope.nodes.empty()) {
    options +=
        fmt::format("{}--nodes {} --transit {}", options.empty() ? "" : " ", scope.nodes, scope.transit);
  }
  return fmt::format("{}: {}\n", options, parts);
}

}  // namespace unknot::cli
