// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/collective/known/rank_schedule.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/parameters.hpp"

namespace unknot {

/// What an algorithm is asked for.
struct KnownCase {
  RankCollective collective = RankCollective::all_reduce;
  std::uint32_t ranks = 2;  ///< 2 or more
  std::uint32_t root = 0;   ///< of a broadcast
  /// Sizes of a grid that ranks are on in order, the last one running fastest; empty: they are on none.
  std::vector<std::uint32_t> grid = {};
  /// Ranks of a box, those of a box one after the other; 0: there are no boxes.
  std::uint32_t group = 0;
};

/// An algorithm of the literature, or of a library that people use.
struct KnownAlgorithm {
  std::string name;
  std::string summary;
  std::string source;  ///< paper, section
  std::string ranks;   ///< how many it takes, and what it does with other numbers
  std::vector<Parameter> parameters = {};
  /// Why it cannot take a case, "it is for all-gather"; empty where it can.
  std::function<std::string(const KnownCase&, const Parameters&)> unsuitable;
  /// Rounds for a case that it can take. They have not been checked: rank_schedule_fault().
  std::function<RankSchedule(const KnownCase&, const Parameters&)> make;
};

/// The catalogue.
const std::vector<KnownAlgorithm>& known_algorithms();
/// The algorithm that a spec names, "hierarchical:group=8". InputError with the near names otherwise.
Chosen<KnownAlgorithm> choose_known_algorithm(std::string_view spec);

/// Makes the rounds and checks them. InputError where the algorithm does not take the case; std::logic_error
/// where the check finds a fault.
RankSchedule make_known(const Chosen<KnownAlgorithm>& chosen, const KnownCase& which);

}  // namespace unknot
