// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// A pair whose packets pass through a closed router on their way between two others.
struct TransitFinding {
  TerminalId source, destination;
  RouterId through;           ///< the first on the way
  std::uint32_t address = 0;  ///< of the destination: 0 the lowest (Routing::further)
};

struct TransitCheck {
  std::uint64_t pairs = 0;                   ///< once for each address
  std::vector<std::uint64_t> pairs_through;  ///< by closed router, as they were given: counted at the first
  std::vector<TransitFinding> findings;      ///< the first few, by destination, then source
};

/// Whether traffic passes through routers that are to carry none but their own terminals'. Only pairs that
/// are delivered count. Shares no code with any engine. `closed`: ascending. O(routers * terminals) for
/// tables, for each of the addresses; O(channels of all routes) for source routes.
TransitCheck check_transit(const Network& network, const Routing& routing,
                           const std::vector<RouterId>& closed, std::uint32_t max_findings = 8);

}  // namespace unknot
