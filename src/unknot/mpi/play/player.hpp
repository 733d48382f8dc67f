// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "unknot/mpi/play/assignment.hpp"
#include "unknot/play/data_flow.hpp"

namespace unknot::mpi {

/// Carries out the program of one rank with real messages. All ranks of the communicator call run() alike.
class Player {
 public:
  /// Keeps references.
  Player(const Assignment& assignment, MPI_Comm comm);

  /// Bytes of a message from now on.
  void set_message_bytes(std::size_t bytes);
  /// Buffers of the sizes that the layout says; nullptr where the program does not touch one.
  void run(std::byte* send, std::byte* receive);

 private:
  void run_in_steps();
  void run_as_data_comes();
  [[nodiscard]] std::byte* block(std::uint32_t number);
  /// Of the blocks of an instruction.
  [[nodiscard]] int bytes_of(const play::Instruction& now) const;
  /// Messages go on, with this request.
  void carry_out(const play::Instruction& now, MPI_Request& request);

  const Assignment& assignment_;
  MPI_Comm comm_;
  std::size_t message_bytes_ = 0, block_bytes_ = 0;
  std::byte* send_ = nullptr;
  std::byte* receive_ = nullptr;
  std::vector<std::byte> work_;
  /// The buffers again where a message is not as long as its blocks together.
  std::vector<std::byte> padded_send_, padded_receive_;
  std::vector<MPI_Request> requests_;

  // where nothing is between the steps
  play::DataFlow flow_;
  std::vector<std::uint32_t> ready_, pending_;
  std::vector<int> done_;
};

}  // namespace unknot::mpi
