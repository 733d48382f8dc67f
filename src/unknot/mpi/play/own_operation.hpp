// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "unknot/mpi/play/assignment.hpp"

namespace unknot::mpi {

/// MPI's own operation on the same buffers: leaves behind what a Player leaves. There must be one
/// (PlaySettings::own).
class OwnOperation {
 public:
  /// Keeps references. All ranks of the communicator make theirs together.
  OwnOperation(const Assignment& assignment, MPI_Comm comm);

  void set_message_bytes(std::size_t bytes);
  void run(std::byte* send, std::byte* receive);

 private:
  const Assignment& assignment_;
  MPI_Comm comm_;
  int bytes_ = 0;                   // of a message
  std::vector<int> takes_, gives_;  // by rank: whether there is a message from it, to it
  std::vector<int> receives_, receive_at_, sends_, send_at_;  // in bytes
};

}  // namespace unknot::mpi
