// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/collective/model/problem.hpp"

namespace unknot {

/// Collective operations of MPI. [MPI: A Message-Passing Interface Standard 4.0, chapter 6]
enum class MpiCollective : std::uint8_t {
  none,  ///< no operation of MPI does it
  scatter,
  gather,
  alltoall,
  alltoallv,  ///< with one block or none for each pair
  bcast,
  allgather,
  allgatherv,  ///< with one block or none of each rank
  reduce,
  reduce_scatter_block,
  allreduce,  ///< of combined messages only (combined_problem.hpp)
  scan,       ///< the same; inclusive
};

/// The operation of MPI that leaves every rank with what a problem asks for, among the nodes that take part
/// (ranks.hpp), and with no more than that. A broadcast to some of the ranks only is an alltoallv whose
/// blocks are alike; reductions of some of the ranks only have none. Operations other than alltoallv also
/// take what a rank has for itself. O(messages).
MpiCollective mpi_collective(const Problem& problem);

/// "MPI_Alltoall"; "" for none.
const char* name_of(MpiCollective collective);

}  // namespace unknot
