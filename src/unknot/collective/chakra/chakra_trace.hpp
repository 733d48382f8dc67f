// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/collective/mscclpp/rank_moves.hpp"
#include "unknot/traffic/chakra/chakra_nodes.hpp"

// Execution traces of Chakra 1.0, of which ASTRA-sim takes one for each rank as an algorithm of a collective.
namespace unknot::chakra {

/// Of such traces: types compute, send and receive alone.
struct TraceNode {
  std::uint64_t id = 0;
  std::string name;
  NodeType type = NodeType::compute;
  std::vector<std::uint64_t> after;  ///< ids, of data or control
  std::uint64_t microseconds = 0;    ///< that a computation takes
  std::uint32_t peer = 0;            ///< rank sent to, or received from
  std::uint32_t tag = 0;
  std::uint64_t bytes = 0;
  bool operator==(const TraceNode&) const = default;
};
/// What one rank does. A node begins when all that it comes after is done.
using Trace = std::vector<TraceNode>;

/// Traces of all ranks, `bytes` for each chunk. A message goes when its rank holds what it carries, and a sum
/// is a computation after its message; messages of a pair of ranks have tags in their order, so that they
/// cannot be confused. InputError for messages of more than 2^62 bytes. O(moves * items of a move).
std::vector<Trace> make_traces(const mscclpp::RankMoves& moves, std::uint64_t bytes);

/// One file.
std::string trace_text(const Trace& trace);
/// Reads one. InputError with file and the number of the node for what is no such file, types that these
/// traces do not have, nodes without what they need, and fields of another kind than the schema has;
/// attributes and fields that are not known are ignored, as protocol buffers are read. O(text).
Trace parse_trace(std::string_view text, const std::string& file);

/// What is wrong with the traces of all ranks: an id twice, one that is not there, peers beyond, a message
/// that is sent and not received, or the other way round, or with other sizes, and what can never begin,
/// since it waits for itself. nullopt: nothing. O(nodes log nodes).
std::optional<std::string> find_fault(const std::vector<Trace>& traces);

}  // namespace unknot::chakra
