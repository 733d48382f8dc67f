// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/schedules/collective_input.hpp"
#include "unknot/cli/schedules/schedule_output.hpp"

namespace unknot::cli {

/// schedule --goal bandwidth: the least time per byte that the network allows, its proof, and trees that take
/// no more.
Answer bandwidth_command(const std::string& fabric, const CollectiveInput& collective,
                         const ScheduleTarget& target, const Common& common);

}  // namespace unknot::cli
