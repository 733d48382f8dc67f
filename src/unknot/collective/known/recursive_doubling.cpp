// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "unknot/collective/known/butterfly.hpp"
#include "unknot/collective/known/known_makers.hpp"

namespace unknot {

Parameter near_parameter() {
  return {
      .name = "near",
      .kind = ParameterKind::flag,
      .help =
          "a reduce-scatter begins with neighbours, an all-gather ends with them: they have most to exchange",
      .fallback = "0"};
}

KnownAlgorithm recursive_doubling_row() {
  return {"recursive-doubling",
          "r exchanges with r xor 2^k: whole vectors of an all-reduce, what is gathered doubled; "
          "reduce-scatter by halving",
          "Thakur, Rabenseifner, Gropp 2005",
          "any: beyond the largest power of two they hand over before and get back after",
          {near_parameter()},
          [](const KnownCase& which, const Parameters&) {
            return only_for(which, {RankCollective::all_reduce, RankCollective::all_gather,
                                    RankCollective::reduce_scatter, RankCollective::all_to_all});
          },
          [](const KnownCase& which, const Parameters& parameters) {
            const Butterfly butterfly(which,
                                      xor_pairing(std::bit_floor(which.ranks), parameters.flag("near")));
            return which.collective == RankCollective::all_reduce ? butterfly.whole() : butterfly.in_blocks();
          }};
}

}  // namespace unknot
