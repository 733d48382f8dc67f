// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/routing/engine_run.hpp"
#include "unknot/cli/routing/files/level_form_option.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/service_classes.hpp"

namespace unknot::cli {

/// The files that `route` writes; "": not asked for, "-": standard output.
struct RouteFiles {
  std::string tables;
  std::string format;  ///< "": the one that suits the routing
  std::string lanes;   ///< of the first class of service; of others with ".NAME" behind it
  LevelFormChoice lanes_format;
  std::string lane_map;
  std::string qos_policy;
  std::string certificate;
  std::string multicast;
  std::string opensm_conf;
  ServiceClasses classes;
  bool force = false;  ///< tables even where the format drops lanes that they need

  [[nodiscard]] std::vector<std::string> paths() const;
  [[nodiscard]] bool any() const;
  [[nodiscard]] bool to_standard_output() const;
};

/// Refuses files that could not be written, before any work: InputError.
void check_route_files(const RouteFiles& files);
/// The files of one rail of several, in a folder of its own (rail_path()).
RouteFiles files_of_rail(const RouteFiles& files, std::uint32_t rail);

/// Writes the files of a routing, within the group of the caller: tables without the lanes they need can
/// deadlock. Returns a note for each.
std::vector<std::string> write_route_files(const Network& network, const EngineRun& run,
                                           const RouteFiles& files);

}  // namespace unknot::cli
