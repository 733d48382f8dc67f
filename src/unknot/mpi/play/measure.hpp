// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "unknot/mpi/play/assignment.hpp"
#include "unknot/play/spread.hpp"
#include "unknot/play/test_data.hpp"

namespace unknot::mpi {

/// One message size. Seconds: from where a rank leaves the barrier before to where its part is done, of the
/// rank that takes longest.
struct SizeResult {
  std::uint64_t bytes = 0;
  play::Spread schedule;
  std::optional<play::Spread> own;  ///< of MPI's own operation
  std::uint64_t wrong_bytes = 0;    ///< at all ranks, in all repetitions, of both
};

/// The first byte of the lowest rank that is not what it must be.
struct FirstWrong {
  std::uint32_t rank = 0;
  std::uint64_t bytes = 0;  ///< of a block
  bool own = false;         ///< left by MPI's own operation
  play::WrongByte byte;
};

struct PlayResult {
  std::vector<SizeResult> sizes;
  std::optional<FirstWrong> first_wrong;
};

/// Plays the schedule, and in turn with it MPI's own operation, as often as told, and checks every byte of
/// every receive buffer each time. All ranks call it; only the teller's result says something.
PlayResult measure(const Assignment& assignment, MPI_Comm comm);

}  // namespace unknot::mpi
