// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/transition_step.hpp"

namespace unknot {

/// The steps of a file that `reroute --transition` has written (docs/faults.md), or anybody else: devices by
/// GUID and LID, ports, levels. `before` is the routing of the network that the first step starts from; where
/// it has no levels and a step gives some, it gets level 0 for all first. What the changes replace
/// (EntryChange::before, LevelChange::before) is not in the file and left at none. Throws InputError that
/// names the place for anything malformed, a device that the network does not have, a port that leads neither
/// to a router nor to the destination, a level above 14 (lane 15 carries no data), and an entry or a level
/// that is there twice in one step. LIDs are those of LidMap::of(network). O(text log text + devices log
/// devices).
std::vector<TransitionStep> parse_transition(const Network& network, Routing& before, std::string_view text,
                                             const std::string& file);

/// The steps as such a file has them: [{"what", "entries": [{"router": guid, "lid", "port": number or null}],
/// "levels":
/// [{"router" or "terminal": guid, "lid", "level": number or null}], "wait": true where it waits first}]; a
/// router stands for all its terminals. A
/// port of null is no route, a level of null a path that is withdrawn. `in_force` are the levels whose rows
/// the steps name.
nlohmann::ordered_json transition_steps(const Network& network, const ServiceLevels& in_force,
                                        std::span<const TransitionStep> steps);

}  // namespace unknot
