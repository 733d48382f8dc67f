// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/front/front_messages.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace unknot {
namespace {

/// The blocks of a chunk of a source, in `times` parts each.
struct BlockNames {
  std::uint32_t times = 1;
  bool joined = false;  // of an all-reduce: pieces of one message, whose name is the first node
  std::uint32_t chunks = 1;
  NodeId first;
};

CombinedSchedule messages_of(const StepProblem& problem, const StepSchedule& schedule,
                             const BlockNames& names) {
  CombinedSchedule result;
  for (const std::vector<StepSend>& step : schedule.steps) {
    std::map<std::vector<NodeId>, std::vector<Block>> going;
    for (const StepSend& send : step) {
      const StepHop& hop = problem.hops[send.hop];
      std::vector<NodeId> path{problem.members[hop.from]};
      for (const ArcId a : hop.arcs) path.push_back(problem.graph->head(a));
      std::vector<Block>& blocks = going[std::move(path)];
      const std::uint32_t rank = problem.sources[send.source].rank;
      const NodeId origin = names.joined ? names.first : problem.members[rank];
      const std::uint32_t before = names.joined ? rank * names.chunks : 0;
      for (std::uint32_t i = 0; i < names.times; ++i)
        blocks.push_back({origin, (before + send.chunk) * names.times + i});
    }
    result.add_step();
    for (auto& [path, blocks] : going) {
      std::sort(blocks.begin(), blocks.end());
      result.add(path, blocks);
    }
  }
  return problem.backward ? time_reversed(result, true) : result;
}

}  // namespace

CombinedSchedule front_messages(const StepProblem& problem, const StepSchedule& schedule) {
  return messages_of(problem, schedule, {});
}

AllReduceMessages all_reduce_messages(const StepProblem& inward, const StepSchedule& gather,
                                      const StepProblem& outward, const StepSchedule& spread) {
  const std::uint32_t common = std::lcm(gather.chunks, spread.chunks);
  AllReduceMessages result;
  result.pieces = inward.ranks() * common;
  const NodeId first = inward.members.front();
  result.schedule = messages_of(inward, gather, {common / gather.chunks, true, gather.chunks, first});
  const CombinedSchedule second =
      messages_of(outward, spread, {common / spread.chunks, true, spread.chunks, first});
  for (std::uint32_t step = 0; step < second.step_count(); ++step) {
    result.schedule.add_step();
    for (std::uint32_t t = second.step_begin(step); t < second.step_end(step); ++t)
      result.schedule.add(second.path(t), second.blocks(t), second.combines(t));
  }
  return result;
}

}  // namespace unknot
