// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "unknot/collective/model/catalogue.hpp"

namespace unknot {

/// What files of schedules, combined or not, say before the steps.

/// Who takes part in a problem that make_collective() made, as it has to be told to make it again.
/// O(messages).
Participants participants_of(const Problem& problem);

/// The beginning of a JSON document, up to the last of these members. O(participants).
std::string schedule_head(const std::string& fabric, const std::string& faults, const std::string& collective,
                          const Participants& who);

/// Numbers, with a text between each two.
std::string node_list(std::span<const NodeId> nodes, const char* between);

}  // namespace unknot
