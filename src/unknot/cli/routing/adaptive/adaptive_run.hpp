// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/cli/command/command.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/adaptive/adaptive_routing.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/verify/adaptive/adaptive_verdict.hpp"

namespace unknot::cli {

/// Groups of ports around an engine's tables, and what the checker says of them.
struct AdaptiveRun {
  AdaptiveRouting routing;
  AdaptiveVerdict verdict;
  std::string rule;  ///< for people
  double seconds = 0;
  double verify_seconds = 0;
  [[nodiscard]] bool good() const { return verdict.delivers() && verdict.deadlock_free(); }
};

/// By group_rule() of the engine. `certificate`: of the tables, null where they can deadlock.
AdaptiveRun make_adaptive(const Network& network, const std::string& engine, const Routing& tables,
                          const Certificate* certificate, const Common& common, Progress& progress);

}  // namespace unknot::cli
