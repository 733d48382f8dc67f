// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/routing/tables_input.hpp"
#include "unknot/simulate/settings/settings.hpp"

namespace unknot::cli {

/// What simulate --transition plays.
struct TransitionRun {
  std::string fabric;
  TablesInput tables;  ///< in force before the first step
  std::string faults;
  std::string changed_fabric;  ///< "": that of `faults`, or the fabric has not changed
  std::string steps;           ///< file, as reroute --transition writes it
  std::uint32_t step_cycles = 1000;
  std::string traffic;
  bool proof = true;
};

/// Plays the steps of a file from tables in force on, with full buffers, and says what the checker says of
/// them. kNo for a deadlock, packets that do not come to an end, and packets lost once all steps are in
/// force. InputError as the readers do.
Answer simulate_transition(const TransitionRun& run, const simulate::Settings& settings,
                           const Common& common);

}  // namespace unknot::cli
