// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/model/problem.hpp"

namespace unknot::play {

/// A block of the send buffer of a rank.
struct SentBlock {
  std::uint32_t rank = 0;
  std::uint32_t block = 0;
  auto operator<=>(const SentBlock&) const = default;  // NOLINT(modernize-use-nullptr): a false positive
};

/// What the receive buffer of one rank holds when a collective is over, in flat arrays: block by block, what
/// it is combined of; of one block only, where nothing is combined. Blocks that nothing is combined into keep
/// what was in them.
struct Promise {
  std::vector<std::uint32_t> first{0};  ///< blocks + 1
  std::vector<SentBlock> sent;          ///< ascending in each block

  [[nodiscard]] std::uint32_t blocks() const { return static_cast<std::uint32_t>(first.size()) - 1; }
  [[nodiscard]] std::span<const SentBlock> of(std::uint32_t block) const {
    return {sent.data() + first[block], sent.data() + first[block + 1]};
  }
};

/// By rank (collective/model/ranks.hpp), in the buffers of block_layout(): from the problem alone, whatever
/// the schedule. O(messages log messages + ranks * blocks).
std::vector<Promise> promises(const Problem& problem);

}  // namespace unknot::play
