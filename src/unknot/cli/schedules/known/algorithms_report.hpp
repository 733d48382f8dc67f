// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/cli/command/command.hpp"
#include "unknot/collective/known/known_algorithm.hpp"
#include "unknot/collective/placed/contest.hpp"
#include "unknot/collective/placed/placed_ranks.hpp"
#include "unknot/simulate/rank_runs.hpp"

namespace unknot::cli {

/// What `algorithms` has found out.
struct AlgorithmsFindings {
  KnownCase which;
  std::string fabric, routing;  ///< as given; "engine dfsssp"
  std::string lanes;            ///< what is proven of them; empty: nothing was simulated
  std::string order;            ///< of the ranks: "hosts in order"
  RankPace pace;
  double byte = 0;  ///< seconds of a byte on a link of base speed
  double hop = 0;   ///< of a head, through a cable and the router behind it
  std::uint32_t group_routers = 0;
  Contest contest;
  std::vector<std::uint64_t> sizes;
  std::vector<simulate::RankTrial> trials;  ///< sizes one after the other, each in the order of contenders
  std::vector<CostRange> ranges;
  double seconds = 0;
};

Json algorithms_json(const AlgorithmsFindings& found, const PlacedRanks& placed);
std::string algorithms_text(const AlgorithmsFindings& found, const PlacedRanks& placed);

}  // namespace unknot::cli
