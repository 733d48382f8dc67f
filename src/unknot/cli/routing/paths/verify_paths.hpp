// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/fabric/scope_option.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace unknot::cli {

/// `verify` on a routing that is no table: which paths, on which lanes.
struct PathsRequest {
  std::string paths;  ///< "minimal", "valiant", or "" where tables are to be checked
  std::string lane_scheme = "single";
  bool check = false;             ///< list the paths one by one, however many
  std::string write_certificate;  ///< "": nowhere
  std::optional<std::uint32_t>
      virtual_lanes;  ///< the hardware has; also of tables. None: as many as are asked for
};

/// Declares --paths, which is returned, and the options that need it.
CLI::Option* add_paths_options(CLI::App& app, PathsRequest& request);

/// `certificate` is a file to re-check, "" for none. Returns the exit code.
Answer verify_paths(const std::string& fabric, const Scope& scope, const PathsRequest& request,
                    const std::string& certificate, const Common& common);

}  // namespace unknot::cli
