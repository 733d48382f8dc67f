// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/collective/combine/combined_problem.hpp"

namespace unknot::play {

/// The part of c_source() below #ifdef UNKNOT_MAIN: a program that calls `function` and MPI's own operation
/// on the same buffers, and says whether they leave the same behind. It takes the number of words in a block
/// as its argument, and ends with 0 where they do, 1 where they do not, 2 where either fails. Made from the
/// problem alone. It uses RANKS, SEND_BLOCKS and RECEIVE_BLOCKS.
std::string c_self_test(const CombinedProblem& problem, const std::string& function);

}  // namespace unknot::play
