// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "unknot/collective/model/mpi_collective.hpp"
#include "unknot/play/block_layout.hpp"
#include "unknot/play/combination.hpp"
#include "unknot/play/promise.hpp"
#include "unknot/play/rank_program.hpp"

namespace unknot::mpi {

/// What is between one step and the next.
enum class Between : std::uint8_t {
  nothing,  ///< a message is sent as soon as there is what it says
  pairs,    ///< a rank begins a step when its own messages of the step before are done
  barrier,  ///< all ranks wait for each other
};

/// What all ranks are told alike.
struct PlaySettings {
  std::uint64_t seed = 1;
  std::uint32_t repetitions = 1;  ///< that count
  std::uint32_t warm_up = 0;      ///< before them
  Between between = Between::pairs;
  bool reduces = false;
  play::Combination combination = play::Combination::exclusive_or;
  play::BlockLayout layout;
  MpiCollective own = MpiCollective::none;  ///< the operation of MPI to compare with
  std::uint32_t root = 0;                   ///< of `own`, where it has one
  std::uint32_t teller = 0;                 ///< the rank that knows the schedule, and prints
};

/// What one rank has to do.
struct Assignment {
  PlaySettings settings;
  std::vector<std::uint64_t> sizes;  ///< bytes of a message, one experiment after the other
  play::RankProgram program;
  play::Promise promise;
};

/// The teller hands out the programs and promises of all ranks of a communicator; the others leave theirs
/// empty. All machines must hold numbers alike. Returns what this rank has to do.
Assignment hand_out(MPI_Comm comm, PlaySettings settings, std::vector<std::uint64_t> sizes,
                    const std::vector<play::RankProgram>& programs,
                    const std::vector<play::Promise>& promises);

}  // namespace unknot::mpi
