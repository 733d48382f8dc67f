// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/combine/combined_problem.hpp"
#include "unknot/collective/combine/combined_schedule.hpp"
#include "unknot/play/block_layout.hpp"

namespace unknot::play {

/// What becomes of a schedule whose transfers meet on a channel within a step.
enum class Channels : std::uint8_t {
  exclusive,  ///< it is not valid
  shared,     ///< it is played all the same, as that of trees that share the time of a channel
};

enum class Action : std::uint8_t {
  copy,     ///< blocks from `from` on to those from `to` on
  send,     ///< blocks from `from` on to rank `peer`; goes on at once
  receive,  ///< into blocks from `to` on from rank `peer`; goes on at once
  combine,  ///< each block from `to` on becomes the combination of itself and that from `from` on
  wait,     ///< the end of a step: until all that was sent and received in it is done
};

/// Blocks are numbered through the buffers of a rank: send, receive, work. Members that an action does not
/// speak of are 0.
struct Instruction {
  Action action = Action::wait;
  std::uint32_t peer = 0;
  std::uint32_t tag = 0;  ///< of send and receive: alike at both ends, no two alike from one rank to another
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t blocks = 0;  ///< how many, one after the other in one buffer

  bool operator==(const Instruction&) const = default;
};

/// What one rank does, in order. Every rank has as many waits as the schedule has steps. A message is one run
/// of blocks; blocks that do not lie together are copied together before they are sent, and apart after the
/// wait that ends the step, where what comes in is combined, too. Nothing is received into a block that is
/// read in the step, and no block is received into twice: steps may be forgotten by who looks at what
/// instructions read and write.
struct RankProgram {
  std::uint32_t work_blocks = 0;
  std::vector<Instruction> instructions;
};

/// Tags stay below what every MPI has (MPI_TAG_UB is 32767 or more).
constexpr std::uint32_t kTags = 32768;

/// The program of each rank, by place among problem.nodes, that moves the messages of a schedule: one message
/// for each transfer, in its step, paths left to the network. A partial result is combined where it comes in,
/// and sent on as one. InputError with the first violation where the schedule is not valid.
/// O((sources + blocks carried) log).
std::vector<RankProgram> rank_programs(const CombinedProblem& problem, const CombinedSchedule& schedule,
                                       Channels channels = Channels::exclusive);

}  // namespace unknot::play
