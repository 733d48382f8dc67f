// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/fabric/fabric.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "unknot/cli/output/text_table.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {

void add_fabric_argument(CLI::App& app, std::string& fabric) {
  app.add_option(
         "FABRIC", fabric,
         "A spec such as torus:4x4,p=2 (see unknot list topologies), or a file, its format told by its "
         "content (see unknot list formats), or - for standard input")
      ->required()
      ->type_name("");
}

Network load_routers(const std::string& fabric) {
  Network network = read_fabric(fabric);
  const std::string parts = describe_disconnection(network);
  if (!parts.empty()) throw InputError(fmt::format("{}: {}", fabric, parts));
  return network;
}

Network load_fabric(const std::string& fabric) {
  Network network = load_routers(fabric);
  require_terminals(network, fabric);
  return network;
}

void require_terminals(const Network& network, const std::string& fabric) {
  if (network.terminal_count() > 0) return;
  throw InputError(
      fmt::format("{}: has no terminal, so there is nothing to route, measure or simulate", fabric));
}

void add_fabric(Json& document, const std::string& fabric, const Network& network) {
  document["fabric"] = fabric;
  document["routers"] = network.router_count();
  document["terminals"] = network.terminal_count();
  document["channels"] = network.channel_count();
}

std::string fabric_line(const std::string& fabric, const Network& network) {
  return fmt::format("{}: {} routers, {} terminals, {} channels between routers\n",
                     fabric == "-" ? "standard input" : fabric, grouped(network.router_count()),
                     grouped(network.terminal_count()), grouped(network.channel_count()));
}

}  // namespace unknot::cli
