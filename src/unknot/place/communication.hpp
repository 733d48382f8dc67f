// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/traffic/patterns/pattern.hpp"
#include "unknot/traffic/workloads/matrix_file.hpp"
#include "unknot/traffic/workloads/workload.hpp"

// Communication matrices made of other things than files: who sends how many bytes to whom, by rank.
namespace unknot::place {

/// Most entries that are made of a pattern of all pairs.
inline constexpr std::uint64_t kMostEntries = 64'000'000;

/// A grid of ranks that each send to the neighbours in every dimension, numbered as MPI_Cart_create numbers
/// them: the last dimension runs fastest.
struct Stencil {
  std::vector<std::uint32_t> extents;
  bool periodic = false;  ///< closed around: along an extent of two a neighbour gets two messages
};
/// "8x8x8" or "8x8:periodic". InputError for anything else, or more than 2^24 ranks.
Stencil parse_stencil(std::string_view text);
/// `bytes` from each rank to each of its neighbours. O(ranks * dimensions).
CommunicationMatrix stencil_matrix(const Stencil& stencil, std::uint64_t bytes);

/// Sample `sample` of a pattern, terminal t being rank t: `bytes` times the weight of each flow, rounded, at
/// least one. InputError for more than kMostEntries entries or kMostAmount bytes.
CommunicationMatrix pattern_matrix(const TrafficPattern& pattern, std::uint32_t ranks, std::uint64_t seed,
                                   std::uint64_t bytes);
/// All that a workload sends, terminal t being rank t. InputError as above.
CommunicationMatrix workload_matrix(const Workload& workload, std::uint32_t ranks);

/// What each rank receives instead of what it sends. O(entries).
CommunicationMatrix transposed(const CommunicationMatrix& matrix);
/// Sum of all entries. InputError for 2^62 or more: sums of loads would not fit.
std::uint64_t total_bytes(const CommunicationMatrix& matrix);

}  // namespace unknot::place
