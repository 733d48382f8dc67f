// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/routing/routing_source.hpp"
#include "unknot/cli/simulation/simulated_routing.hpp"
#include "unknot/simulate/settings/settings.hpp"
#include "unknot/simulate/sources/injection.hpp"

namespace unknot::cli {

/// What simulate --failures-during plays.
struct FailuresRun {
  std::string fabric, faults;
  RoutingSource source;  ///< of the tables in force at first and, by an engine, of those after each event
  std::string events;    ///< file
  std::uint32_t reroute_after = 1000;  ///< cycles from a failure or repair to the engine's tables
  std::string traffic;
  simulate::Injection injection;
  double load = 0;
  bool proof = true;
};

/// Steady traffic while the parts that the file names fail and are repaired. Lines "CYCLE fail SPEC", "CYCLE
/// repair SPEC", what --fail takes, and "CYCLE tables FILE [LEVELS]"; empty ones and what follows a # are
/// skipped. An engine makes tables for what works after each cycle with failures or repairs, in force
/// `reroute_after` cycles later. kNo for a deadlock, and packets that do not come to an end. InputError as
/// the readers do, with file and line.
Answer simulate_failures(const FailuresRun& run, const simulate::Settings& settings, const Common& common);

}  // namespace unknot::cli
