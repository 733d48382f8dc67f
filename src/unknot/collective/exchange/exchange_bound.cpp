// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/exchange/exchange_bound.hpp"

#include <algorithm>
#include <utility>

#include "unknot/collective/bounds/length_count.hpp"
#include "unknot/support/error.hpp"

namespace unknot {

ExchangeBound count_lengths(const Problem& problem, std::vector<std::uint32_t> length,
                            std::uint32_t threads) {
  constexpr double kMostSum = 1.8e19;
  const double longest = *std::max_element(length.begin(), length.end());
  if (longest * problem.graph->node_count() * problem.messages() > kMostSum)
    throw InputError("optimal in bandwidth: lengths have more digits than can be counted with");
  LengthProof proof{std::move(length), {}};
  const LengthCount count = count_lengths(problem, proof, threads);
  return {std::move(proof.arc), count.distances, count.capacity};
}

}  // namespace unknot
