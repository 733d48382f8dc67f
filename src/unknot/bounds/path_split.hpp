// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/bounds/concurrent_flow.hpp"
#include "unknot/bounds/path_lists.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// An answer to the maximum concurrent flow problem restricted to listed paths: the largest multiple of the
/// pairs' rates that a network carries when each pair may split its traffic over its paths at will, every
/// channel of rate 1. What a routing that offers these paths could reach if it knew the traffic, and what
/// none of those that offer them exceeds, whatever its packets go by: in the long run it splits over them
/// somehow.
struct PathSplit {
  std::vector<double> rate;  ///< by path; those of a pair add up to the pair's rate
  /// By channel, not negative: a unit of a pair takes up at least the length of its shortest listed path, of
  /// a total that is the sum of all lengths. (The dual of the linear program.)
  std::vector<double> length;
  std::uint32_t rounds = 0;  ///< sweeps over all pairs; 0 for the linear program
};

/// What the rates and the lengths prove, with nothing but the lists in common with what found them: follows
/// each path channel by channel, adds loads up anew and measures each path anew. `imbalance` is the largest
/// amount by which a pair's rates miss what it sends, or one is below 0, beside the largest rate.
/// O(channels of all paths). logic_error where a path does not lead from its source to its destination.
FlowCheck check_split(const Network& network, const PathLists& lists, const PathSplit& split);

/// Most paths that split_by_program() takes on.
inline constexpr std::uint64_t kMaxProgramPaths = 200'000;

/// Exactly, but for rounding, by linear program (Clp), a variable for each path. InputError beyond
/// kMaxProgramPaths.
PathSplit split_by_program(const Network& network, const PathLists& lists);

/// Within a gap: as flow_by_potential(), a pair's traffic moving from the longest of its paths to the
/// shortest in lengths that grow exponentially with the load. Starts from an even split over the paths of
/// fewest channels; stops as soon as upper <= (1 + gap) * lower, or the largest load is `enough` or less, or
/// after `most_rounds` sweeps. O(channels of all paths) for a sweep, about. Deterministic. Interrupted where
/// `progress` says so.
PathSplit split_by_potential(const Network& network, const PathLists& lists, double gap, double enough,
                             std::uint32_t most_rounds, Progress& progress);

}  // namespace unknot
