// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "unknot/collective/combine/combined_problem.hpp"

namespace unknot::play {

/// Where each rank has what it sends and wants what it gets: the buffers of MPI's own operations. A buffer
/// has one message, or one for each rank, in order of ranks.
///
///     scatter     message d of the send buffer is for rank d, message s of the receive buffer is of rank s;
///                 one source: each receives one message; one destination: each sends one
///     broadcast   an owner sends one message; message s of the receive buffer is of owner s, or the only one
///     reduction   message d of the send buffer goes into the result for d, or the only one; results are one
///                 message
///     all-reduce, scan  one message each
///
/// What moves as a whole is a block, a message or one of its equal pieces. Blocks are numbered through the
/// buffers, those of a message one after the other.
struct BlockLayout {
  std::uint32_t send_messages = 1;
  std::uint32_t receive_messages = 1;
  std::uint32_t pieces = 1;  ///< blocks of a message

  [[nodiscard]] std::uint32_t send_blocks() const { return send_messages * pieces; }
  [[nodiscard]] std::uint32_t receive_blocks() const { return receive_messages * pieces; }
  /// First block of the message to a rank, from a rank, in its buffer.
  [[nodiscard]] std::uint32_t send_block(std::uint32_t to) const {
    return send_messages == 1 ? 0 : to * pieces;
  }
  [[nodiscard]] std::uint32_t receive_block(std::uint32_t from) const {
    return receive_messages == 1 ? 0 : from * pieces;
  }
};

/// O(messages).
BlockLayout block_layout(const CombinedProblem& problem);

/// The nodes with a message for themselves, which is in the result as if it had been sent: the one
/// destination of a gather, else all owners. Nobody where only the scatters of a list count. O(messages).
std::span<const NodeId> own_messages(const CombinedProblem& problem);

/// The rank that is the root of MPI's operation for a problem; 0 for operations without a root. O(messages).
std::uint32_t root_rank(const CombinedProblem& problem);

}  // namespace unknot::play
