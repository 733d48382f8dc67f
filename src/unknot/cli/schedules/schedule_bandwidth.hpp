// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/schedules/collective_input.hpp"
#include "unknot/cli/schedules/schedule_output.hpp"

namespace CLI {
class App;
}

namespace unknot::cli {

struct BandwidthInput {
  std::string goal = "steps";
  std::string capacity;            ///< cables, rates or stated; empty: CapacityUnit::automatic
  bool terminal_capacity = false;  ///< given
  bool bounds = false;             ///< the optimum alone, no trees

  [[nodiscard]] bool is_goal() const { return goal == "bandwidth"; }
};

void add_bandwidth_options(CLI::App& app, BandwidthInput& input);

/// schedule --goal bandwidth: the least time for each byte that the network allows, its proof, and trees that
/// take no more.
Answer bandwidth_command(const std::string& fabric, const CollectiveInput& collective,
                         const BandwidthInput& input, const ScheduleTarget& target, const Common& common);

/// schedule check of a file of trees: whether they deliver, and how near they come to the optimum.
Answer check_forest_file(const std::string& fabric, const CollectiveInput& collective,
                         const BandwidthInput& input, const std::string& content, const std::string& file,
                         const Common& common);

}  // namespace unknot::cli
