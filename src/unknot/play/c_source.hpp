// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/collective/combine/combined_problem.hpp"
#include "unknot/collective/combine/combined_schedule.hpp"
#include "unknot/play/rank_program.hpp"

namespace unknot::play {

/// A schedule as one function of C99 that needs nothing but MPI: unknot_aas_16 for AAS among 16 ranks. It
/// takes a send buffer, a receive buffer, how many of which datatype a message is, for reductions an
/// operation, and a communicator; the text says which message is for whom (block_layout.hpp). What each rank
/// does stands in a table, and a loop carries it out: rank_programs(). Compiled with -DUNKNOT_MAIN the text
/// is a program that compares the function with MPI's own operation.
///
/// Where messages are divided into pieces and `count` is not a multiple of them, the function works on copies
/// of the buffers in which it is.
///
/// `fabric` is for the comment at the top. InputError as rank_programs(). O(rank_programs() + ranks^2 where
/// MPI's own operation takes a table of who sends to whom).
std::string c_source(const CombinedProblem& problem, const CombinedSchedule& schedule,
                     std::string_view fabric, Channels channels = Channels::exclusive);

}  // namespace unknot::play
