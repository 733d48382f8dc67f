// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/mscclpp/rank_moves.hpp"

#include <fmt/format.h>

#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/combine/combined_checker.hpp"
#include "unknot/collective/model/mpi_collective.hpp"
#include "unknot/collective/model/ranks.hpp"
#include "unknot/support/error.hpp"

namespace unknot::mscclpp {
namespace {

constexpr std::uint32_t kAll = RankMoves::kAll;

msccl::Collective judged_collective(const Problem& problem) {
  switch (mpi_collective(problem)) {
    case MpiCollective::alltoall:
      return msccl::Collective::all_to_all;
    case MpiCollective::allgather:
      return msccl::Collective::allgather;
    case MpiCollective::bcast:
      return msccl::Collective::broadcast;
    case MpiCollective::reduce:
      return msccl::Collective::reduce;
    case MpiCollective::reduce_scatter_block:
      return msccl::Collective::reduce_scatter;
    case MpiCollective::scatter:
    case MpiCollective::gather:
      throw InputError(fmt::format("MSCCL++: all GPUs have buffers of the same sizes; those of {} differ",
                                   problem.collective));
    default:
      throw InputError(fmt::format(
          "MSCCL++: it has no collective in which not all exchange messages with all, as in this {}",
          problem.collective));
  }
}

/// Sets the sizes of buffers, for messages of so many chunks.
void set_chunks(RankMoves& moves, std::uint32_t pieces) {
  const std::uint32_t all = moves.ranks() * pieces;
  const bool many_in = moves.collective == msccl::Collective::all_to_all ||
                       moves.collective == msccl::Collective::reduce_scatter;
  const bool many_out =
      moves.collective == msccl::Collective::all_to_all || moves.collective == msccl::Collective::allgather;
  moves.input_chunks = many_in ? all : pieces;
  moves.output_chunks = many_out ? all : pieces;
}

/// A piece of a message from `owner`, or of a result for it; `other` is the receiver of an alltoall.
RankMoves::Item item_of(msccl::Collective collective, std::uint32_t owner, std::uint32_t other,
                        std::uint32_t piece, std::uint32_t pieces) {
  switch (collective) {
    case msccl::Collective::all_to_all:
      return {owner, other, other, owner, 1};
    case msccl::Collective::allgather:
      return {owner, kAll, piece, owner * pieces + piece, 1};
    case msccl::Collective::broadcast:
      return {owner, kAll, piece, piece, 1};
    case msccl::Collective::reduce:
      return {kAll, owner, piece, piece, 1};
    case msccl::Collective::reduce_scatter:
      return {kAll, owner, owner * pieces + piece, piece, 1};
    default:
      return {kAll, kAll, piece, piece, 1};
  }
}

}  // namespace

RankMoves moves_of(const Problem& problem, const Schedule& schedule) {
  const ScheduleVerdict verdict = check_schedule(problem, schedule);
  if (!verdict.valid())
    throw InputError("MSCCL++: the schedule is not valid: " + verdict.findings.front().first);
  const Ranks rank_of = ranks_of(problem);
  RankMoves result;
  result.collective = judged_collective(problem);
  result.node = rank_of.node;
  set_chunks(result, 1);
  const std::uint32_t ranks = result.ranks();
  const bool personal = result.collective == msccl::Collective::all_to_all;
  const bool rooted =
      result.collective == msccl::Collective::broadcast || result.collective == msccl::Collective::reduce;
  for (std::uint32_t owner = 0; owner < ranks; ++owner) {
    const std::uint32_t root = rooted ? rank_of.of(problem.owner[0]) : owner;
    for (std::uint32_t other = 0; other < (personal ? ranks : 1); ++other)
      result.items.push_back(item_of(result.collective, root, other, 0, 1));
    if (rooted) break;
  }
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      const std::uint32_t from = rank_of.of(schedule.distributor(t));
      const std::uint32_t to = rank_of.of(schedule.receiver(t));
      const std::uint32_t owner = rooted ? 0 : rank_of.of(schedule.origin(t));
      const std::uint64_t first = result.carried.size();
      result.carried.push_back(personal ? owner * ranks + to : owner);
      result.moves.push_back({from, to, first, first + 1, problem.delivery == Delivery::reduction});
    }
    result.end_step();
  }
  return result;
}

RankMoves moves_of(const CombinedProblem& problem, const CombinedSchedule& schedule, Sharing sharing) {
  if (problem.outcome == Outcome::scan)
    throw InputError("MSCCL++: it has no collective that gives every GPU another sum, as a scan does");
  if (problem.outcome == Outcome::all_reduce && mpi_collective(problem) == MpiCollective::none)
    throw InputError("MSCCL++: it has no collective of several groups at the same time");
  RankMoves result = messages_of(problem, schedule, sharing);
  result.collective =
      problem.outcome == Outcome::all_reduce ? msccl::Collective::allreduce : judged_collective(problem.base);
  set_chunks(result, problem.pieces);
  result.items.clear();
  result.items.reserve(problem.blocks());
  for (std::uint32_t b = 0; b < problem.blocks(); ++b) {
    const Block& block = problem.block[b];
    const std::uint32_t owner = problem.rank_of(block.origin);
    const bool personal = result.collective == msccl::Collective::all_to_all;
    const std::uint32_t other = personal ? problem.rank_of(NodeId(block.part)) : kAll;
    result.items.push_back(item_of(result.collective, owner, other, block.part, problem.pieces));
  }
  if (result.collective == msccl::Collective::all_to_all) {  // what each has for itself
    for (std::uint32_t r = 0; r < result.ranks(); ++r)
      result.items.push_back(item_of(result.collective, r, r, 0, 1));
  }
  return result;
}

RankMoves messages_of(const CombinedProblem& problem, const CombinedSchedule& schedule, Sharing sharing) {
  const ScheduleVerdict verdict = check_combined(problem, schedule);
  const std::uint64_t allowed = sharing == Sharing::shared ? verdict.of(ViolationKind::channel_conflict) : 0;
  if (verdict.violations() != allowed)
    throw InputError("the schedule is not valid: " + verdict.findings.front().first);
  RankMoves result;
  result.node = problem.nodes;
  result.items.resize(problem.blocks());
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      const std::uint64_t first = result.carried.size();
      for (const Block& block : schedule.blocks(t)) result.carried.push_back(problem.block_of(block));
      result.moves.push_back({problem.rank_of(schedule.sender(t)), problem.rank_of(schedule.receiver(t)),
                              first, result.carried.size(), schedule.combines(t)});
    }
    result.end_step();
  }
  return result;
}

}  // namespace unknot::mscclpp
