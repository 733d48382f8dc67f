// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/report/content.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot::report {

struct MeasureOptions {
  std::uint32_t samples = 0;  ///< random bisections for the effective bisection bandwidth; 0: none
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;
};

/// A routing as a page shows it: checked by verify(), its load on every channel, its pairs by service level.
/// O(routers * terminals + terminals^2), and what congestion() takes. Throws as verify().
RoutingPart measure_routing(const Network& network, const Routing& routing, std::string name,
                            const MeasureOptions& options, Progress& progress);

/// Content::even_load. O(endpoint routers * channels).
std::vector<double> even_load(const Network& network, std::uint32_t threads, Progress& progress);

}  // namespace unknot::report
