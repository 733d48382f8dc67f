// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/formats/opensm/opensm_options.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace CLI {
class App;
}

namespace unknot::cli {

/// Declares --opensm-conf.
void add_opensm_conf_option(CLI::App& app, std::string& path);

/// Refuses, before anything is written, what the lines cannot say. `format`: of the tables.
void require_opensm_conf(const std::string& path, const OpensmOptions& files, const std::string& format);

/// Writes the lines to `path`, of files that are named as on the command line. `routing`: all that is
/// written, with management; `more_lanes`: those of trees and classes.
void write_opensm_conf(const std::string& path, OpensmOptions files, const Network& network,
                       const Routing& routing, std::uint32_t more_lanes);

}  // namespace unknot::cli
