// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/collective/combine/combined_problem.hpp"
#include "unknot/collective/combine/combined_schedule.hpp"

namespace unknot {

/// What the nodes of a collective with combined messages have to do with each other: which textbook algorithm
/// takes it. Reductions and gathers are none of these: they are made in reversed time.
enum class Shape : std::uint8_t {
  complete_exchange,  ///< AAS: each has a block for each other
  all_gather,         ///< AAB: each has blocks for all others
  one_to_all_scatter,
  one_to_all_broadcast,
  all_reduce,
  scan,
  other
};
Shape shape_of(const CombinedProblem& problem);

/// The textbook algorithms as rounds of transfers between ranks: paths have ends only, for lay_rounds(). Each
/// is told of a problem of a shape that it takes. P ranks, rank r is the r-th node that takes part. A
/// broadcast message, or what an all-gather collects from a node, is all its pieces together.

/// Rank r sends to r + i in round i, or to r xor i where P is a power of two, straight: P-1 rounds. Complete
/// exchange, all-gather.
CombinedSchedule pairwise_rounds(const CombinedProblem& problem);
/// Complete exchange: in round k every block whose distance in ranks has bit k goes on by 2^k. All-gather:
/// rank r sends to r - 2^k all that it holds, in the last round what is left. ceil(log2 P) rounds. [Bruck,
/// Ho, Kipnis, Upfal, Weathersby 1997]
CombinedSchedule bruck_rounds(const CombinedProblem& problem);
/// All-gather: every rank passes on to the next what it got last. Scan: partial sums go from rank to rank.
/// P-1 rounds.
CombinedSchedule ring_rounds(const CombinedProblem& problem);
/// Complete exchange (P a power of two), all-gather and all-reduce: rank r exchanges with r xor 2^k; ranks
/// beyond the largest power of two hand what they have to others before, and get the result after
/// [Thakur, Rabenseifner, Gropp 2005]. Scan: r sends its partial sum to r + 2^k [Hillis, Steele 1986].
CombinedSchedule recursive_doubling_rounds(const CombinedProblem& problem);
/// One-to-all scatter and broadcast: who has blocks for others sends half of them, with the halves of the
/// ranks: ceil(log2 P) rounds.
CombinedSchedule binomial_rounds(const CombinedProblem& problem);

}  // namespace unknot
