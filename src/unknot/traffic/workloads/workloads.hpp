// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/support/ids.hpp"
#include "unknot/traffic/patterns/pattern.hpp"
#include "unknot/traffic/workloads/matrix_file.hpp"
#include "unknot/traffic/workloads/workload.hpp"

// The workloads themselves; workload_catalogue.hpp lists them.
namespace unknot {

/// In which order a terminal goes through the others.
enum class SendOrder {
  shift,   ///< terminal t: t + 1, t + 2, ..., around, so that at any time every one receives once
  random,  ///< in a random order of its own
  linear,  ///< 0, 1, 2, ...: all send to the same one at first
};

/// One message from each terminal to each other one. at_once = 0 stands for all. O(1) time and memory,
/// whatever the size. InputError where there are 2^64 bytes or more.
Workload all_to_all(std::uint32_t terminals, std::uint64_t bytes, SendOrder order, std::uint32_t at_once,
                    std::uint64_t seed);

/// A message and who sends it.
struct ListedMessage {
  TerminalId source;
  Message message;
};
/// These messages, those of one source in the order of the list. O(terminals + messages).
Workload workload_of_list(std::uint32_t terminals, const std::vector<ListedMessage>& list,
                          std::uint32_t at_once);
/// The work of a task graph, with its totals.
Workload workload_of_tasks(std::uint32_t terminals, TaskGraph graph, std::uint32_t at_once);

/// One message for each flow of a sample of the pattern: `bytes` times the weight of the flow, rounded, at
/// least one. A pattern of all pairs becomes all_to_all() in order `shift`. InputError for more than
/// kMostAmount.
Workload workload_of_pattern(std::uint32_t terminals, const TrafficPattern& pattern, std::uint32_t sample,
                             std::uint64_t bytes, std::uint32_t at_once, std::uint64_t seed);

/// Where processes (ranks) that have no geometry go.
enum class RankMapping { contiguous, random };
/// Terminal of each rank; ranks are no more than terminals.
std::vector<TerminalId> terminals_of_ranks(std::uint32_t terminals, std::uint32_t ranks, RankMapping mapping,
                                           std::uint64_t seed);

/// A message for each entry of a matrix, rank r being terminal_of[r]. A rank goes through the others in that
/// order, as ranks.
Workload workload_of_matrix(std::uint32_t terminals, const CommunicationMatrix& matrix,
                            const std::vector<TerminalId>& terminal_of, SendOrder order,
                            std::uint32_t at_once, std::uint64_t seed);

}  // namespace unknot
