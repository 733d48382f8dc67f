// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "unknot/collective/bandwidth/bandwidth_problem.hpp"
#include "unknot/collective/bandwidth/forest.hpp"
#include "unknot/collective/bandwidth/fraction.hpp"

namespace unknot::testing {

/// What a forest does when it is carried out on symbols: who has which contributions to what. It knows
/// nothing of check_forest(): every edge is followed, channel by channel, and what passes is counted.
struct Played {
  std::string fault;  ///< empty: everybody has all
  Fraction time;
};
Played play_forest(std::span<const BandwidthProblem> groups, const Forest& forest);

/// The least time of trees of groups at once, whose members alone copy or sum: a linear program in which
/// there are no trees. Of what a root sends some flows over each pair of members, as much as a flow from the
/// root to each member needs (Edmonds' branchings), and each pair's amount is a flow in the network.
double least_time_by_flows(std::span<const BandwidthProblem> groups);

/// The least time of one group whose other nodes copy or sum as its powers say: the program of all trees
/// there are. For a handful of nodes.
double least_time_of_all_trees(const BandwidthProblem& problem);

}  // namespace unknot::testing
