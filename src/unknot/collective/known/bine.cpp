// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "unknot/collective/known/butterfly.hpp"
#include "unknot/collective/known/known_makers.hpp"

namespace unknot {

// The peers of step i are as far apart as i + 1 ones are as a negabinary number, sum of (-2)^j for j = 0..i:
// those of Swing on one ring. Butterflies begin near, with most; trees and gathers begin far.

KnownAlgorithm bine_row() {
  return {"bine",
          "butterflies by negabinary distances; broadcast: scatter and all-gather",
          "De Sensi et al.: Bine trees, SC 2025, sections 3 and 4",
          "any: of an odd number one hands over before and gets back after",
          {},
          [](const KnownCase&, const Parameters&) { return std::string(); },
          [](const KnownCase& which, const Parameters&) {
            return Butterfly(which, swing_pairing({which.ranks - which.ranks % 2})).in_blocks();
          }};
}

KnownAlgorithm bine_whole_row() {
  return {"bine-whole",
          "a broadcast down the Bine tree, far ones first; all-reduce: whole vectors are exchanged",
          "De Sensi et al.: Bine trees, SC 2025, sections 2 and 4",
          "any: of an odd number one gets the broadcast after; all-reduce as swing-whole",
          {},
          [](const KnownCase& which, const Parameters&) {
            return only_for(which, {RankCollective::all_reduce, RankCollective::broadcast});
          },
          [](const KnownCase& which, const Parameters&) {
            const bool sums = which.collective == RankCollective::all_reduce;
            const std::uint32_t paired = sums ? std::bit_floor(which.ranks) : which.ranks - which.ranks % 2;
            return Butterfly(which, swing_pairing({paired})).whole();
          }};
}

}  // namespace unknot
