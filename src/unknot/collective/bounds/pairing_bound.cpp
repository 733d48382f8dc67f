// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bounds/lower_bound.hpp"

namespace unknot {

std::optional<BoundProof> pairing_bound(const Problem& problem, const BoundOptions& /*options*/) {
  if (problem.graph->link_class() != LinkClass::half_duplex) return std::nullopt;
  return PairingProof{};
}

}  // namespace unknot
