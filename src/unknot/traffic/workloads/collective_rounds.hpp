// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/traffic/workloads/task_graph.hpp"

// Collectives of traces as messages. What they carry does not matter here: those of collective/known/ know.
namespace unknot {

/// Collectives that traces name, by their numbers there.
enum class TraceCollective : std::uint8_t {
  all_reduce,
  reduce,
  all_gather,
  gather,
  scatter,
  broadcast,
  all_to_all,
  reduce_scatter,
  reduce_scatter_block,
  barrier,
};
constexpr std::uint64_t kTraceCollectives = 10;
std::string_view name_of(TraceCollective collective);

/// Ways of collectives, each with its first as the default. Gather and scatter go directly, a barrier by
/// dissemination.
const std::vector<std::string>& all_reduce_ways();      ///< ring, recursive-doubling, direct
const std::vector<std::string>& all_gather_ways();      ///< ring, bruck, direct
const std::vector<std::string>& reduce_scatter_ways();  ///< ring, direct
const std::vector<std::string>& all_to_all_ways();      ///< direct, pairwise
const std::vector<std::string>& broadcast_ways();       ///< binomial, direct; of reduce, too

/// One collective among members 0 .. members - 1.
struct CollectiveCase {
  TraceCollective collective = TraceCollective::all_reduce;
  std::string_view way;       ///< a name of the list above; of no meaning for others
  std::uint32_t members = 1;  ///< at least one
  std::uint32_t root = 0;
  /// What a member puts in: of an all-gather and a gather its part, of all others the whole vector, which is
  /// divided into as many shares as there are members, the first ones a byte longer. A scatter's is the
  /// root's.
  std::uint64_t bytes = 0;
};

struct CollectiveMove {
  std::uint32_t from = 0, to = 0;  ///< members
  std::uint64_t bytes = 0;
};
/// Hands over the messages round by round. What a member sends in a round waits for all that it has received
/// in those before. O(messages).
void for_each_round(const CollectiveCase& which,
                    const std::function<void(std::span<const CollectiveMove>)>& take);

/// The messages as tasks, sends before receives; those of no bytes as one of 1. Member m stands on
/// terminals[m]; it begins when task begins[m] is done, and ends[m] is made to wait for all that it sends and
/// receives. `made` is told of each new task and its member. InputError where there are too many tasks.
void add_collective(const CollectiveCase& which, std::span<const TerminalId> terminals,
                    std::span<const std::uint32_t> begins, std::span<const std::uint32_t> ends,
                    TaskGraphBuilder& builder,
                    const std::function<void(std::uint32_t task, std::uint32_t member)>& made);

}  // namespace unknot
