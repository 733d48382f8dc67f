// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/management_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "unknot/cli/command/help.hpp"
#include "unknot/network/allocation.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {

void add_traffic_option(CLI::App& app, ManagementChoice& choice) {
  app.add_option(
         "--traffic", choice.traffic,
         "What the proof covers: data (what hosts send to hosts), data+management (what hosts and routers "
         "send to routers, and routers to hosts, too), or all there is")
      ->check(CLI::IsMember({"data", "data+management", "all"}))
      ->type_name("data|data+management|all")
      ->capture_default_str();
}

void add_management_options(CLI::App& app, ManagementChoice& choice) {
  add_traffic_option(app, choice);
  app.add_option(
         "--management-hosts", choice.hosts,
         "Hosts whose questions the routers answer on the level that they came on, as those of a subnet "
         "manager: router numbers, names, ranges and host lists")
      ->type_name("LIST");
  app.add_option(
         "--management-lanes", choice.lanes,
         "Lanes more than the data has that routers without hosts may need, at most (default: those that "
         "--vls leaves)")
      ->check(whole_number(0, kMaxLanes))
      ->type_name("N");
}

void require_management(const ManagementChoice& choice, std::string_view command) {
  if (choice.wanted()) return;
  for (const auto& [given, name] : {std::pair(!choice.hosts.empty(), "--management-hosts"),
                                    std::pair(choice.lanes.has_value(), "--management-lanes")}) {
    if (given) {
      throw InputError(
          fmt::format("{}: {} says nothing where --traffic data leaves management out", command, name));
    }
  }
}

ManagementRequest management_request(const ManagementChoice& choice, const Network& network,
                                     std::uint32_t data_lanes, std::uint32_t lanes, std::uint32_t threads) {
  ManagementRequest request;
  request.lanes = choice.lanes ? std::min(lanes, data_lanes + *choice.lanes) : lanes;
  request.threads = threads;
  if (!choice.hosts.empty()) request.hosts = parse_nodes(network, choice.hosts).terminals;
  return request;
}

}  // namespace unknot::cli
