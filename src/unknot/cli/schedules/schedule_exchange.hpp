// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/cli/schedules/bandwidth_request.hpp"
#include "unknot/cli/schedules/schedule_output.hpp"

namespace unknot::cli {

/// schedule --goal bandwidth of messages that each have a receiver of their own: a bound on the time, paths
/// that come near it, and how near.
Answer exchange_command(const std::string& fabric, const BandwidthRequest& request,
                        const BandwidthInput& input, const ScheduleTarget& target, const Common& common);

/// schedule check of a file of paths.
Answer check_exchange_file(const std::string& fabric, const CollectiveInput& collective,
                           const BandwidthInput& input, const std::string& content, const std::string& file,
                           const Common& common);

}  // namespace unknot::cli
