// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "unknot/traffic/workloads/workload.hpp"

namespace unknot {

/// What a trace leaves open.
struct ChakraOptions {
  // Ways of collectives: collective_rounds.hpp.
  std::string all_reduce = "ring", all_gather = "ring", reduce_scatter = "ring", all_to_all = "direct",
              broadcast = "binomial";
  /// Grid of the ranks, the first dimension fastest, for collectives along some of its dimensions; empty:
  /// none.
  std::vector<std::uint32_t> dims = {};
  std::string groups = {};    ///< file of process groups; "": none
  double tera_ops = 0;        ///< operations a picosecond, for computations that state no time; 0: none
  double memory = 0;          ///< bytes a nanosecond, likewise
  bool drop_missing = false;  ///< what a node comes after and is not there counts for nothing
};

/// Execution traces of Chakra 1.0, a file for each rank (chakra/chakra_files.hpp), rank r standing on
/// terminal_of[r].
///
/// A node begins when all that it comes after is done. Computations take the time that they state, else that
/// of their operations or of their tensor, whichever is longer, at the given rates; those of the host and
/// those of the accelerator take turns each. Reads and writes of memory and of storage are alike, beside all
/// others; metadata take no time. Messages and collectives of the host that state no size or type are calls
/// that launch them: computations. Sends and receives of a pair of ranks and a tag match in the order of
/// their files.
///
/// The collectives of a group match in the order of their files, too, and become messages
/// (collective_rounds.hpp). Who is in a group: what the file of groups or the rank's metadata say of its
/// name, else all ranks with collectives of that name; without a name all ranks, or those along the involved
/// dimensions.
///
/// InputError with file and node for what is no such trace: as chakra::trace_files() and
/// chakra::read_nodes(), ids that come twice or are not there, types without a meaning here, ranks that are
/// not there, messages that are not received or with another size, collectives that differ within their
/// group, more than 2^28 messages in all, and nodes that wait for each other in a circle. O(text + messages *
/// log messages).
TaskGraph read_chakra(const std::string& path, const ChakraOptions& options,
                      const std::vector<TerminalId>& terminal_of, TaskTrace* trace = nullptr);
/// The same of texts: `text_of` gives that of a rank, whose file is called files[rank]; there is at least
/// one.
TaskGraph parse_chakra(const std::vector<std::string>& files,
                       const std::function<std::string(std::uint32_t rank)>& text_of,
                       const ChakraOptions& options, const std::vector<TerminalId>& terminal_of,
                       TaskTrace* trace = nullptr);

}  // namespace unknot
