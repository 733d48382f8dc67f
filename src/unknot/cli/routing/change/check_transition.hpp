// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/cli/command/command.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot::cli {

/// Follows the steps of a transition file on `network`, from `before` on, and says for each whether it is
/// deadlock-free in every mixture and how many pairs it leaves without delivery meanwhile, and what the
/// checker says of the tables it ends with. kYes where all steps are safe, and the end delivers every pair
/// and cannot deadlock.
Answer check_transition(const std::string& fabric, const Network& network, Routing before,
                        const std::string& file, const Common& common);

}  // namespace unknot::cli
