// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/model/schedule.hpp"
#include "unknot/play/block_layout.hpp"

namespace unknot::play {

enum class Action : std::uint8_t {
  copy,     ///< block `from` to block `to`
  send,     ///< block `from` to rank `peer`; goes on at once
  receive,  ///< into block `to` from rank `peer`; goes on at once
  combine,  ///< block `to` becomes the combination of itself and block `from`
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

  bool operator==(const Instruction&) const = default;
};

/// What one rank does, in order. What a step combines it combines after the wait that ends the step. Every
/// rank has as many waits as the schedule has steps; copies come before all else, and each receive has a
/// block of its own.
struct RankProgram {
  std::uint32_t work_blocks = 0;
  std::vector<Instruction> instructions;
};

/// Tags stay below what every MPI has (MPI_TAG_UB is 32767 or more).
constexpr std::uint32_t kTags = 32768;

/// The program of each rank (collective/model/ranks.hpp) that moves the messages of a schedule: one message
/// for each transfer, in its step, paths left to the network. A partial result is combined where it comes in,
/// and sent on as one block. InputError with the first violation where the schedule is not valid, or delivers
/// a message twice. O((messages + transfers) log ranks).
std::vector<RankProgram> rank_programs(const Problem& problem, const Schedule& schedule);

}  // namespace unknot::play
