// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/files/opensm_conf.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli {
namespace {

std::string absolute(const std::string& path) {
  return path.empty() ? path : std::filesystem::absolute(path).lexically_normal().string();
}

}  // namespace

void add_opensm_conf_option(CLI::App& app, std::string& path) {
  app.add_option("--opensm-conf", path,
                 "Write the lines for opensm.conf that load what is written: lanes, SL-to-VL, arbitration, "
                 "the plug-in with its options, or the file engine")
      ->type_name("FILE");
}

void require_opensm_conf(const std::string& path, const OpensmOptions& files, const std::string& format) {
  if (path.empty()) return;
  for (const std::string& one :
       {files.tables, files.service_levels, files.lane_map, files.multicast, files.qos_policy}) {
    if (one == "-")
      throw InputError("--opensm-conf: OpenSM cannot load what goes to standard output; name a file");
  }
  if (!files.tables.empty() && !format.starts_with("opensm"))
    throw InputError(fmt::format("--opensm-conf: OpenSM loads no tables of format {}; use opensm", format));
}

void write_opensm_conf(const std::string& path, OpensmOptions files, const Network& network,
                       const Routing& routing, std::uint32_t more_lanes) {
  for (std::string* one :
       {&files.tables, &files.service_levels, &files.lane_map, &files.multicast, &files.qos_policy})
    *one = absolute(*one);
  files.levels_are_lanes = routing.lane_map == nullptr;
  files.lanes = std::max({lanes_in_use(network, routing), more_lanes, 1U});
  write_file(path, opensm_options_text(files));
}

}  // namespace unknot::cli
