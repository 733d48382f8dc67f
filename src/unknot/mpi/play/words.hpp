// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include "unknot/play/combination.hpp"

namespace unknot::mpi {

/// What combinations are to MPI.
struct Words {
  MPI_Datatype type;
  MPI_Op operation;
};

inline Words words_of(play::Combination combination) {
  switch (combination) {
    case play::Combination::sum:
      return {MPI_INT64_T, MPI_SUM};
    case play::Combination::sum_double:
      return {MPI_DOUBLE, MPI_SUM};
    case play::Combination::exclusive_or:
      return {MPI_INT64_T, MPI_BXOR};
    case play::Combination::maximum:
      break;
  }
  return {MPI_INT64_T, MPI_MAX};
}

constexpr int kWordBytes = 8;

}  // namespace unknot::mpi
