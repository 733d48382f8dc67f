// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/lane_map.hpp"
#include "unknot/tables/service_levels.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {

// What stands behind the readers of catalogue.hpp that take a path: the same on text. `name` is the file's,
// for messages.

ServiceLevels parse_service_levels(const Network& network, const LidMap& lids, std::string_view text,
                                   const std::string& name);
LaneMap parse_lane_map(const Network& network, std::string_view text, const std::string& name);
Certificate parse_certificate(const Network& network, std::string_view text, const std::string& name);
LidMap parse_guid2lid(const Network& network, std::string_view text, const std::string& name);

}  // namespace unknot
