// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/fabric/guidance_option.hpp"
#include "unknot/cli/fabric/scope_option.hpp"
#include "unknot/cli/routing/engine_run.hpp"
#include "unknot/cli/routing/route/route_files.hpp"

namespace CLI {
class App;
}

namespace unknot::cli {

/// Random bisections where several engines are compared: enough for a standard error of a percent or so on
/// every fabric of some hundred endpoints.
inline constexpr std::uint32_t kComparisonSamples = 200;

/// What the command line says of unknot route.
struct RouteOptions {
  std::string fabric;
  Scope scope;
  std::string engines = "unknot";
  std::uint32_t virtual_lanes = 8;
  std::optional<std::uint32_t> samples;
  RouteFiles files;  ///< but for multicast's and the classes
  std::string classes;
  std::string port_lanes;
  ManagementChoice management;
  MulticastChoice multicast;
  GuidanceFiles guidance;
  std::uint32_t lmc = 0;
  std::string guid2lid;
  bool rails = false;
  bool memory = false;
  std::string adaptive_groups;  ///< file to be written
  std::string adaptive_format = "json";
};

void add_route_options(CLI::App& app, RouteOptions& options);

/// Refuses what does not go together, before anything is read. `several`: engines are compared. InputError.
void check_route_options(const RouteOptions& options, bool several, const Common& common);

}  // namespace unknot::cli
