// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "unknot/mpi/play/assignment.hpp"

namespace unknot::mpi {

/// Carries out the program of one rank with real messages. All ranks of the communicator call run() alike.
class Player {
 public:
  /// Keeps references.
  Player(const Assignment& assignment, MPI_Comm comm);

  /// Bytes of a block from now on.
  void set_block_bytes(std::size_t bytes);
  /// Buffers of the sizes that the layout says; nullptr where the program does not touch one.
  void run(std::byte* send, std::byte* receive);

 private:
  /// One message that comes in.
  struct Incoming {
    std::size_t instruction = 0;
    std::uint32_t ready = 0;     ///< the block that has it at the end
    std::size_t combine = kNot;  ///< the instruction that puts it there, where it is combined
  };
  static constexpr std::size_t kNot = SIZE_MAX;

  void prepare();
  void run_in_steps();
  void run_as_data_comes();
  [[nodiscard]] std::byte* block(std::uint32_t number);
  void copy(const play::Instruction& now);
  void combine(const play::Instruction& now);
  void send(const play::Instruction& now, MPI_Request& request);
  void receive(const play::Instruction& now, MPI_Request& request);
  /// Posts the sends of a block.
  void release(std::uint32_t number);

  const Assignment& assignment_;
  MPI_Comm comm_;
  int bytes_ = 0;  // of a block
  std::byte* send_ = nullptr;
  std::byte* receive_ = nullptr;
  std::vector<std::byte> work_;
  std::vector<MPI_Request> requests_;

  // where nothing is between the steps
  std::vector<Incoming> incoming_;
  std::vector<std::uint32_t> expected_, pending_;  // by block: how many come into it, and are yet to come
  std::vector<std::uint32_t> first_send_;          // blocks + 1
  std::vector<std::size_t> sends_;                 // instructions, by the block that is sent
  std::vector<int> done_;
  std::size_t sent_ = 0;
};

}  // namespace unknot::mpi
