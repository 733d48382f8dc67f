// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "unknot/collective/known/butterfly.hpp"
#include "unknot/collective/known/known_makers.hpp"

namespace unknot {

KnownAlgorithm rabenseifner_row() {
  return {"rabenseifner",
          "all-reduce: reduce-scatter by halving, all-gather by doubling; broadcast: scatter and all-gather "
          "(van de Geijn)",
          "Rabenseifner 2004; Barnett et al. 1994",
          "any: beyond the largest power of two they hand over before and get back after",
          {near_parameter()},
          [](const KnownCase& which, const Parameters&) {
            return only_for(which, {RankCollective::all_reduce, RankCollective::broadcast});
          },
          [](const KnownCase& which, const Parameters& parameters) {
            return Butterfly(which, xor_pairing(std::bit_floor(which.ranks), parameters.flag("near")))
                .in_blocks();
          }};
}

}  // namespace unknot
