// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/combine/combined_schedule.hpp"
#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/model/schedule.hpp"
#include "unknot/network/network.hpp"
#include "unknot/simulate/settings/settings.hpp"
#include "unknot/support/progress.hpp"

namespace unknot::simulate {

/// What a step of a schedule takes on routers that are simulated.
struct PlayedStep {
  std::uint32_t transfers = 0;
  std::uint64_t steps = 0;        ///< of a router's core, from the first flit to the arrival of the last
  std::uint64_t alone_steps = 0;  ///< what the slowest of its transfers takes when it is sent alone
  std::uint32_t held_up = 0;      ///< transfers that took longer than they take alone
  std::uint32_t first_held_up = 0xFFFFFFFFU;  ///< of these the first: its number in the schedule
};

/// A schedule, flit by flit: each transfer is a message of `message_flits` flits (packets of at most
/// `settings.packet_flits`, one after the other) on exactly the path that the schedule gives. The transfers
/// of a step are sent at once, and the next step begins when the last flit has arrived: steps do not meet,
/// and are simulated one by one. A node that is a router has a terminal for each message that it sends or
/// receives in a step, as it has ports for them.
///
/// `graph` is that of the problem, made from `network`; `schedule` has only paths that are there, as
/// check_schedule() knows. One lane is enough, and all that is used. InputError as make_engine(). Runs go to
/// both cores: the same result at any number of threads. Throws Interrupted.
std::vector<PlayedStep> play_schedule(const Network& network, const NodeGraph& graph,
                                      const Schedule& schedule, const Settings& settings,
                                      std::uint32_t message_flits, std::uint32_t threads, Progress& progress);

/// The same where messages are combined: a transfer has `block_flits` for each block that it carries.
std::vector<PlayedStep> play_schedule(const Network& network, const NodeGraph& graph,
                                      const CombinedSchedule& schedule, const Settings& settings,
                                      std::uint32_t block_flits, std::uint32_t threads, Progress& progress);

}  // namespace unknot::simulate
