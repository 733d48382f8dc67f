// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "unknot/collective/model/mpi_collective.hpp"
#include "unknot/collective/model/problem.hpp"

namespace unknot::play {

/// Where each rank has what it sends and wants what it gets: the buffers of MPI's own operations, in blocks
/// of one message. A buffer has one block, or one for each rank, in order of ranks.
///
///     scatter    block d of the send buffer is for rank d, block s of the receive buffer is of rank s;
///                one source: each receives one block; one destination: each sends one
///     broadcast  an owner sends one block; block s of the receive buffer is of owner s, or the only one
///     reduction  block d of the send buffer goes into the result for d, or the only one; results are one
///     block
struct BlockLayout {
  std::uint32_t send_blocks = 1;
  std::uint32_t receive_blocks = 1;

  [[nodiscard]] std::uint32_t send_block(std::uint32_t to) const { return send_blocks == 1 ? 0 : to; }
  [[nodiscard]] std::uint32_t receive_block(std::uint32_t from) const {
    return receive_blocks == 1 ? 0 : from;
  }
};

/// O(messages).
BlockLayout block_layout(const Problem& problem);

/// The nodes with a block for themselves, which is in the result as if it had been sent: the one destination
/// of a gather, else all owners. Nobody where only the scatters of a list count. O(messages).
std::span<const NodeId> own_blocks(const Problem& problem);

/// The rank that is the root of MPI's operation for a problem; 0 for operations without a root. O(messages).
std::uint32_t root_rank(const Problem& problem);

}  // namespace unknot::play
