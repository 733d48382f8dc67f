// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/model/schedule.hpp"

namespace unknot {

struct FewerSteps {
  std::uint32_t fewest = 1;  ///< proven: fewer are not looked for
  std::uint64_t arcs = 0;    ///< ends after about so many have been looked at, over all steps
  std::uint64_t seed = 1;
};

/// Each message into the first step that has a free shortest path for it, the longest ways first: some tenth
/// more steps than the fewest, at once. The problem is a scatter on free paths; nothing where more than
/// channels limits a step. `least`: a lower bound. The same for a seed.
std::optional<Schedule> first_fit(const Problem& problem, std::uint32_t least, std::uint64_t seed);

/// Takes one step after the other out of a schedule, the one with the fewest channels in use each time, and
/// packs its messages into the others by ejection search, which finds them as full as the last step has left
/// them. [Nagata and Braysy 2009, who so take routes of vehicles out of a plan] The problem is a scatter on
/// free paths, for which the schedule is valid; messages that are moved take shortest paths. Valid, and with
/// no step more. The same for a seed, unless `stop`, asked now and then, ends it.
Schedule fewer_steps(const Problem& problem, const Schedule& schedule, const FewerSteps& options,
                     const std::function<bool()>& stop);

}  // namespace unknot
