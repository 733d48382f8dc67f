// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/collective/combine/combined_problem.hpp"
#include "unknot/collective/combine/combined_schedule.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

struct CombiningOptions {
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;    ///< 0: all of the machine
  std::string solver = "auto";  ///< spec of what makes schedules without combining
  std::uint32_t tries = 64;     ///< of a search that begins anew
  std::uint32_t effort = 10;    ///< of solver packing, for each number of steps of a round
};

/// Puts an algorithm on the network. Its rounds are the steps of `rounds`, whose paths are only ends, sender
/// and receiver, each pair once in a round; they may share channels. Every round becomes as few steps without
/// conflict as solver `packing` finds, one after the other.
///
/// Where blocks are combined, what a node sends must not change within a round: transfers are then in an
/// order in which a round may be cut wherever no node that has received a block sends it afterwards, and it
/// is divided in halves until each fits in a step. Two nodes that exchange what they have, next to each
/// other in the list, are not parted; where they do not fit in one step the second one sends back the sum,
/// a copy. InputError where no path leads from a sender to its receiver; Interrupted.
CombinedSchedule lay_rounds(const CombinedProblem& problem, const CombinedSchedule& rounds,
                            const CombiningOptions& options, Progress& progress);

}  // namespace unknot
