// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/managed_input.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/tables/rows_to_routers.hpp"

namespace unknot::cli {

bool from_files(const TablesInput& input) {
  const std::array<std::string_view, 3> paths{input.tables, input.lanes, input.lane_map};
  return std::all_of(paths.begin(), paths.end(), [](std::string_view path) {
    std::error_code ignored;
    return path.empty() || std::filesystem::is_regular_file(path, ignored) ||
           std::filesystem::is_directory(path, ignored);
  });
}

std::shared_ptr<ManagedRun> read_management(const TablesInput& input, const Network& whole,
                                            const Network* part) {
  if (!from_files(input) || !tables_have_switches(input.tables)) return nullptr;
  auto run = std::make_shared<ManagedRun>();
  run->managed = managed_network(part == nullptr ? whole : *part);
  const Network& network = run->managed.network;
  if (part == nullptr) {
    run->result.routing = read_routing(network, input);
    return lead_to_routers(run->managed, run->result.routing.table()) ? run : nullptr;
  }
  const ManagedNetwork all = managed_network(whole);
  run->result.routing = read_routing_within(all.network, network, input);
  if (lead_to_routers(run->managed, run->result.routing.table())) return run;
  // What failed may have been on the way of all such rows.
  try {
    return lead_to_routers(all, read_routing(all.network, input).table()) ? run : nullptr;
  } catch (const InputError&) {  // tables of what is left
    return nullptr;
  }
}

}  // namespace unknot::cli
