// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/cli/command/command.hpp"
#include "unknot/simulate/settings/settings.hpp"

namespace unknot::cli {

/// Plays the schedule of a file on a fabric, as simulate --schedule: has it checked first. kNo where it is
/// not valid, or a message was held up within a step. InputError as the readers do.
Answer simulate_schedule(const std::string& fabric, const std::string& file, std::uint32_t message_flits,
                         const simulate::Settings& settings, const Common& common);

}  // namespace unknot::cli
