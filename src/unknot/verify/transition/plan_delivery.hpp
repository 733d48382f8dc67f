// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/tables/transition_step.hpp"

namespace unknot {

/// For each step of a plan, the pairs of terminals that it leaves without delivery until all of it is in
/// force: those for which some mixture of old and new entries has no way, goes in a circle or takes a lane
/// that carries no data, and those whose source may send nothing, with its old level or its new one. Packets
/// that earlier steps have sent are not looked at. `undelivered_after` is what verify() counts of the tables
/// that the plan ends with: pairs to destinations that no step changes are taken from there.
///
/// For tables that verify_plan() takes. O(routers + terminals) for each step that changes something for a
/// destination, and O(1) for its other steps. The same numbers at any number of threads.
std::vector<std::uint64_t> undelivered_in_steps(const Network& network, const Routing& before,
                                                std::span<const TransitionStep> steps,
                                                std::uint64_t undelivered_after, std::uint32_t threads);

}  // namespace unknot
