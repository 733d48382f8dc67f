// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/bandwidth/bandwidth_problem.hpp"
#include "unknot/collective/bandwidth/forest.hpp"
#include "unknot/collective/combine/combined_problem.hpp"
#include "unknot/collective/combine/combined_schedule.hpp"
#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/model/schedule.hpp"
#include "unknot/collective/msccl/msccl_program.hpp"

namespace unknot::mscclpp {

/// What a plan moves between ranks, wherever it comes from: items, the chunks that go together, and moves in
/// the order of steps. What a rank sends is what it holds of an item when the step begins.
struct RankMoves {
  static constexpr std::uint32_t kAll = 0xFFFFFFFFU;

  struct Item {
    std::uint32_t origin = kAll;  ///< rank that has it; kAll: each has a part of the sum
    std::uint32_t target = kAll;  ///< rank that is to have it; kAll: each
    std::uint32_t input = 0;      ///< first chunk, of the input of who has it
    std::uint32_t output = 0;     ///< of the output of who is to have it
    std::uint32_t chunks = 1;
  };
  struct Move {
    std::uint32_t from = 0, to = 0;
    std::uint64_t first = 0, end = 0;  ///< of carried
    bool combines = false;             ///< added to what the receiver holds
  };

  msccl::Collective collective = msccl::Collective::allgather;
  std::vector<NodeId> node;                           ///< by rank
  std::uint32_t input_chunks = 1, output_chunks = 1;  ///< of every rank
  std::vector<Item> items;
  std::vector<Move> moves;
  std::vector<std::uint32_t> step_first{0};  ///< steps + 1
  std::vector<std::uint32_t> carried;        ///< items of moves

  [[nodiscard]] std::uint32_t ranks() const { return static_cast<std::uint32_t>(node.size()); }
  [[nodiscard]] std::span<const std::uint32_t> items_of(const Move& move) const {
    return {carried.data() + move.first, carried.data() + move.end};
  }
  void end_step() { step_first.push_back(static_cast<std::uint32_t>(moves.size())); }
};

/// Of a schedule: alltoall, allgather, broadcast, reduce and reducescatter. InputError for schedules that are
/// not valid, scatters and gathers, whose GPUs do not all have buffers of the same size, and what is no
/// collective at all. O(check + schedule).
RankMoves moves_of(const Problem& problem, const Schedule& schedule);
/// Whether each transfer of a step has a channel to itself, or all that share one are carried out all the
/// same, as those of pipelined trees are.
enum class Sharing : std::uint8_t { exclusive, shared };
/// Of combined messages; an all-reduce as well, a scan is refused.
RankMoves moves_of(const CombinedProblem& problem, const CombinedSchedule& schedule,
                   Sharing sharing = Sharing::exclusive);
/// Messages alone, of any combined messages: for what carries them and promises no result. `collective`, the
/// places of items in buffers and the sizes of these say nothing.
RankMoves messages_of(const CombinedProblem& problem, const CombinedSchedule& schedule,
                      Sharing sharing = Sharing::exclusive);
/// Of trees that pass check_forest(), with what each copy carries in `chunks` parts, one behind the other.
/// InputError for owners of unequal shares, and where a buffer has more than 2^16 chunks.
RankMoves moves_of(const BandwidthProblem& problem, const Forest& forest, std::uint64_t chunks);

}  // namespace unknot::mscclpp
