// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unknot/traffic/workloads/collective_rounds.hpp"
#include "unknot/traffic/workloads/task_graph.hpp"

// The collectives of traces, until they become messages. A part of chakra_workload.hpp's reader.
namespace unknot {

struct CollectiveWays {
  std::string all_reduce, all_gather, reduce_scatter, all_to_all, broadcast;
};

/// That a rank takes part in a collective.
struct TraceCall {
  TraceCollective collective = TraceCollective::all_reduce;
  std::uint64_t bytes = 0;
  std::optional<std::uint64_t> root;
  std::uint32_t rank = 0;
  std::uint32_t node = 0;            ///< of the trace
  std::uint32_t begin = 0, end = 0;  ///< tasks
};

class TraceCalls {
 public:
  /// Of a group with that name and those ranks, none standing for all. Calls of a rank come in its order.
  /// `refuse` throws for a group that the rank is not in, or with a rank twice.
  void add(const std::string& name, const std::vector<std::uint32_t>& ranks, const TraceCall& call,
           const std::function<void(const std::string&)>& refuse);
  /// Of a group of all those ranks that call it by this name.
  void add_unlisted(const std::string& name, const TraceCall& call);

  /// Matches the calls of each group, makes the messages, and tells of each new task and its node. `refuse`
  /// throws at a node: for calls that differ from that of the group's first rank, which `place` names, and
  /// for one that the others do not make.
  void build(std::uint32_t ranks, const std::vector<TerminalId>& terminal_of, const CollectiveWays& ways,
             TaskGraphBuilder& builder, const std::function<void(std::uint32_t, std::uint32_t)>& made,
             const std::function<void(std::uint32_t, const std::string&)>& refuse,
             const std::function<std::string(std::uint32_t)>& place);

 private:
  struct Group {
    std::vector<std::uint32_t> ranks;  ///< in their order
    std::vector<TraceCall> calls;      ///< as they came: rank by rank
  };
  // By name and ranks; those without a list are by name alone.
  std::map<std::pair<std::string, std::vector<std::uint32_t>>, Group> listed_;
  std::map<std::string, Group> unlisted_;
};

}  // namespace unknot
