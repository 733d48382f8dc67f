// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/combine/combined_problem.hpp"

namespace unknot::play {

/// A message of the send buffer of a rank.
struct SentMessage {
  std::uint32_t rank = 0;
  std::uint32_t message = 0;
  auto operator<=>(const SentMessage&) const = default;  // NOLINT(modernize-use-nullptr): a false positive
};

/// What the receive buffer of one rank holds when a collective is over, in flat arrays: message by message,
/// what it is combined of; of one only, where nothing is combined. Messages that nothing is combined into
/// keep what was there.
struct Promise {
  std::vector<std::uint32_t> first{0};  ///< messages + 1
  std::vector<SentMessage> sent;        ///< ascending in each

  [[nodiscard]] std::uint32_t messages() const { return static_cast<std::uint32_t>(first.size()) - 1; }
  [[nodiscard]] std::span<const SentMessage> of(std::uint32_t message) const {
    return {sent.data() + first[message], sent.data() + first[message + 1]};
  }
};

/// By rank (collective/model/ranks.hpp), in the buffers of block_layout(): from the problem alone, whatever
/// the schedule. O(messages log messages + ranks * messages of a buffer).
std::vector<Promise> promises(const CombinedProblem& problem);

}  // namespace unknot::play
