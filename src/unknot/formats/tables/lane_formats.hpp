// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

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
/// The same rows for VL-to-VL tables: which switches have them is told by `at`, and those must have all. Rows
/// of adapters are passed over.
LaneMap parse_lane_steps(const Network& network, std::string_view text, const std::string& name,
                         std::vector<bool>& at);
/// The rows in the lines ibdmchk takes, of the switches of `at`; empty: of all. `head` comes before them.
void write_lane_rows(const Network& network, const LaneMap& map, const std::vector<bool>& at,
                     std::string_view head, const std::string& path);
Certificate parse_certificate(const Network& network, std::string_view text, const std::string& name);
/// Network::fingerprint() of the network that a certificate is of, as it says. InputError where its first two
/// lines do not.
std::uint64_t network_of_certificate(std::string_view text, const std::string& name);
LidMap parse_guid2lid(const Network& network, std::string_view text, const std::string& name);

}  // namespace unknot
