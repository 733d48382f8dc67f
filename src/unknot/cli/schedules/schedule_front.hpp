// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/schedules/bandwidth_request.hpp"
#include "unknot/cli/schedules/collective_input.hpp"
#include "unknot/cli/schedules/schedule_output.hpp"

namespace unknot::cli {

/// --goal front: steps against time, a schedule and a proof for each number of steps, and from which size on
/// which is the best. -o writes the one for --bytes, else the one of most steps; `most_steps`: 0 for those
/// that FrontOptions has.
Answer front_command(const std::string& fabric, const CollectiveInput& collective,
                     const BandwidthInput& input, std::uint32_t most_steps, const ScheduleTarget& target,
                     const Common& common);

}  // namespace unknot::cli
