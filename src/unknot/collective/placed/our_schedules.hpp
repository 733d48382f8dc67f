// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/collective/bandwidth/forest.hpp"
#include "unknot/collective/known/rank_schedule.hpp"
#include "unknot/collective/placed/placed_ranks.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/support/progress.hpp"

// What this tool makes itself, in the form of the algorithms that it is held against.
namespace unknot {

struct OurSchedule {
  RankSchedule schedule;
  std::uint32_t steps = 0, bound = 0;  ///< found, and proven to be needed
};

/// A schedule in as few steps as solver `auto` finds, free of contention on the routes in force: each step is
/// a round. An all-reduce is a reduce-scatter and an all-gather. SolveOptions as solve(); InputError,
/// Interrupted as there.
OurSchedule our_steps(RankCollective collective, std::uint32_t root, const PlacedRanks& placed,
                      const SolveOptions& options, Progress& progress);

/// Trees that take the least time for each byte where every host has one port, or the capacity that is
/// stated: made by make_forest(), and pipelined in chunks, each edge a message of each round over the route
/// in force, which need not be the way that the tree was made for. All-reduce, all-gather, reduce-scatter and
/// broadcast; InputError where no trees are made (networks with one-way links).
class OurTrees {
 public:
  OurTrees(RankCollective collective, std::uint32_t root, const PlacedRanks& placed, Progress& progress);
  /// Time of the busiest arc in shares over a capacity of 1, as text.
  [[nodiscard]] std::string optimum() const;
  /// Chunks of equal size, one behind the other.
  [[nodiscard]] RankSchedule in_chunks(std::uint32_t chunks) const;

 private:
  RankCollective collective_;
  std::uint32_t root_, ranks_;
  Fraction time_;
  Forest forest_;                       // edges by node
  std::vector<std::uint32_t> rank_of_;  // by node
};

}  // namespace unknot
