// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unknot/traffic/workloads/task_graph.hpp"

// What a GOAL text says, before its sends and receives are matched. The parts of goal_file.hpp's reader.
namespace unknot::goal {

/// Source or tag of a receive that takes any.
constexpr std::uint32_t kAny = 0xFFFFFFFFU;

struct Operation {
  TaskGraph::Kind kind = TaskGraph::Kind::compute;
  std::uint32_t rank = 0;
  std::uint32_t peer = 0;  ///< other rank of a send or receive, kAny included
  std::uint32_t tag = 0;
  std::uint64_t amount = 0;  ///< bytes or nanoseconds
  std::uint32_t line =
      0;  ///< of the text; in a binary file the number of the operation among those of its rank
  std::uint8_t cpu = 0;  ///< that computes
  std::uint8_t nic = 0;  ///< that sends
};

/// `operation` waits until `before` is done, or has begun; both by index.
struct Requirement {
  std::uint32_t operation = 0;
  std::uint32_t before = 0;
  bool begun = false;
};

struct Schedule {
  std::uint32_t ranks = 0;
  std::vector<Operation> operations;  ///< in the order of the text
  std::vector<Requirement> requirements;
  std::vector<std::pair<std::uint32_t, std::string_view>> labels;  ///< by operation, views into the text
  bool binary = false;                                             ///< what Operation::line means
};

/// Throws an InputError at an operation, with its place in the file.
[[noreturn]] void fail_at(const Schedule& schedule, const std::string& file, std::uint32_t operation,
                          const std::string& why);

/// Grammar, labels and ranks. InputError as parse_goal().
Schedule parse_schedule(std::string_view text, const std::string& file, std::uint32_t most_ranks);

/// Whether the file begins as the binary ones that LogGOPSim's txt2bin writes.
bool is_binary(std::string_view text);
/// The same as parse_schedule() of such a file: numbers with the least significant byte first, a table of the
/// parts of all ranks, in each its operations of 39 bytes and lists of which wait for which. What is said
/// twice must agree: how many an operation waits for, and which ones wait for none. O(size of the file).
Schedule parse_binary_schedule(std::string_view text, const std::string& file, std::uint32_t most_ranks);

/// Send of each receive, by index of operation; other entries are of no meaning. InputError where one has
/// none, a send is left, or the message does not fit.
///
/// Without any source or tag: those of the same source, destination and tag in the order of the text. With:
/// an execution in rounds decides. What may begin in a round begins, in the order of the text: a send's
/// message goes to the first receive that is posted at its destination and takes it, else it waits there; a
/// receive takes the first message that waits and suits it, else it is posted (MPI's two queues). What
/// becomes ready then begins in the next round.
std::vector<std::uint32_t> matched_sends(const Schedule& schedule, const std::string& file);

/// Hands the requirements on, task i being operation i.
void add_requirements(const Schedule& schedule, TaskGraphBuilder& builder);
/// InputError with the lines where tasks wait for each other in a circle, task i being operation i.
void refuse_circle(const TaskGraph& graph, const Schedule& schedule, const std::string& file);

}  // namespace unknot::goal
