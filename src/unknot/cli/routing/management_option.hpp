// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "unknot/network/network.hpp"
#include "unknot/routing/management/management.hpp"

namespace CLI {
class App;
}

namespace unknot::cli {

/// What a proof is about besides what hosts send to hosts.
struct ManagementChoice {
  std::string traffic = "all";
  std::string hosts;                   ///< as parse_nodes() takes it
  std::optional<std::uint32_t> lanes;  ///< lanes more, at most; nothing: all that the hardware has
  [[nodiscard]] bool wanted() const { return traffic != "data"; }
};

/// Declares --traffic.
void add_traffic_option(CLI::App& app, ManagementChoice& choice);
/// Declares --traffic, --management-hosts and --management-lanes.
void add_management_options(CLI::App& app, ManagementChoice& choice);
/// Refuses what is said of management that is not covered. InputError.
void require_management(const ManagementChoice& choice, std::string_view command);
/// `lanes`: what the hardware has. InputError for hosts that name nothing.
ManagementRequest management_request(const ManagementChoice& choice, const Network& network,
                                     std::uint32_t data_lanes, std::uint32_t lanes, std::uint32_t threads);

}  // namespace unknot::cli
