// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "unknot/collective/bandwidth/bandwidth_problem.hpp"
#include "unknot/collective/bandwidth/forest.hpp"
#include "unknot/collective/combine/combined_problem.hpp"
#include "unknot/collective/combine/combined_schedule.hpp"

namespace unknot {

/// Trees run chunk by chunk (pipelining.hpp), as transfers of the collective in pieces: what libraries carry
/// out that know messages and no trees.
struct PipelinedSteps {
  CombinedProblem problem;
  CombinedSchedule schedule;
};

/// `graph` as the fabric has it, `forest` valid by check_forest(), in time of `groups`; `who`: all that take
/// part. A message becomes as many pieces as trees carry parts of it, times `chunks`; what goes the same way
/// in the same step goes together. Trees share channels within a step, which check_combined() calls
/// conflicts; nothing else is wrong with the steps, or std::logic_error is thrown. InputError for trees that
/// branch at switches, where there are too many pieces, and where the messages of groups have unlike numbers
/// of them. Translations are to be written out before. O(edges * chunks * copies).
PipelinedSteps pipelined_steps(std::shared_ptr<const NodeGraph> graph,
                               std::span<const BandwidthProblem> groups, const Participants& who,
                               const Forest& forest, std::uint64_t chunks);
/// Of one group.
PipelinedSteps pipelined_steps(std::shared_ptr<const NodeGraph> graph, const BandwidthProblem& problem,
                               const Forest& forest, std::uint64_t chunks);

}  // namespace unknot
