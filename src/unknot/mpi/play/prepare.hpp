// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/combine/combined_problem.hpp"
#include "unknot/mpi/play/options.hpp"

namespace unknot::mpi {

/// What the teller finds out before anything is played.
struct Prepared {
  std::string network;  ///< one line for people
  CombinedProblem problem;
  ScheduleVerdict verdict;          ///< where it is not valid, nothing below is set
  std::vector<std::uint32_t> part;  ///< by rank of mpirun: which rank of the problem it plays
  PlaySettings settings;
  std::vector<play::RankProgram> programs;  ///< by rank of the problem
  std::vector<play::Promise> promises;
};

/// Reads, checks and makes all that is to be handed out to `processes` ranks. InputError for what does not
/// fit, the number of ranks with it.
Prepared prepare(const PlayOptions& options, std::uint32_t processes);

}  // namespace unknot::mpi
