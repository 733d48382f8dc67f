// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/cli/schedules/bandwidth_request.hpp"
#include "unknot/cli/schedules/schedule_output.hpp"
#include "unknot/collective/bandwidth/pipelined_steps.hpp"
#include "unknot/network/network.hpp"

namespace unknot::cli {

/// schedule --goal bandwidth: the least time for each byte that the network allows, its proof, and trees that
/// take no more; paths where messages have a receiver each.
Answer bandwidth_command(const std::string& fabric, const CollectiveInput& collective,
                         const BandwidthInput& input, const ScheduleTarget& target, const Common& common);

/// schedule check of a file of trees: whether they deliver, and how near they come to the optimum.
Answer check_forest_file(const std::string& fabric, const CollectiveInput& collective,
                         const BandwidthInput& input, const std::string& content, const std::string& file,
                         const Common& common);

/// A file of trees, made ready to be carried out as steps.
struct LoadedTrees {
  Network network;
  PipelinedSteps steps;
};
/// With so many chunks. InputError where the trees do not deliver, with what is wrong.
LoadedTrees load_trees(const std::string& fabric, const CollectiveInput& collective, std::uint64_t chunks,
                       const std::string& content, const std::string& file, const Common& common);

}  // namespace unknot::cli
