// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/collective/mscclpp/plan.hpp"
#include "unknot/collective/mscclpp/rank_moves.hpp"

namespace unknot::mscclpp {

struct PlanOptions {
  bool in_place = false;
  /// By rank, where there are several: GPUs of a box reach each other's memory, others by ports. Empty: one.
  std::vector<std::uint32_t> box;
};

/// The plan that moves what is to be moved, in its order. Messages are put where they belong at the other
/// end, or into scratch memory of their own. A thread block sends to one peer, or receives from one, over a
/// channel of its own; those that would need more than 64 operations are divided, each part with its channel.
/// What sends on waits for what has come by a semaphore; there is no barrier between steps. Nothing is sent
/// to a GPU before it has said that it has begun.
///
/// It cannot deadlock: every wait is for something earlier. InputError for an all-to-all in place, more than
/// kMostBlocksMade thread blocks of a GPU, which must all run at once, and what find_fault() says.
/// O(find_fault()).
Plan make_plan(const RankMoves& moves, std::string name, const PlanOptions& options = {});

constexpr std::uint32_t kMostBlocksMade = 128;

}  // namespace unknot::mscclpp
