// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "unknot/cli/output/output.hpp"
#include "unknot/cli/simulation/settings_input.hpp"
#include "unknot/cli/simulation/simulated_messages.hpp"
#include "unknot/cli/simulation/simulated_routing.hpp"
#include "unknot/simulate/settings/settings_draft.hpp"
#include "unknot/simulate/statistics/saturation_search.hpp"

namespace unknot::cli {

/// What `simulate` is asked for.
struct SimulateOptions {
  std::string fabric;
  std::string faults;
  SimulatedRouting routing;
  MessagesRequest messages;
  std::string traffic = "uniform";
  std::string injection = "bernoulli";
  const CLI::Option* traffic_given = nullptr;
  const CLI::Option* injection_given = nullptr;
  std::string loads, workload, packets, schedule, transition;
  std::uint32_t message_flits = 64;  ///< of a schedule's messages
  std::uint32_t step_cycles = 1000;  ///< of a transition's steps
  std::string changed_fabric;        ///< with a transition
  std::string failures;              ///< file of what fails during a load
  std::uint32_t reroute_after = 1000;
  const CLI::Option* reroute_given = nullptr;
  bool saturation = false;
  simulate::SaturationOptions search;
  SettingsInput settings;
  std::uint32_t seeds = 1;
  /// Files to write.
  std::string deliveries, utilisation, points, flows, histogram, events, plot, timeline;
  std::string filled_traces;  ///< prefix of files
  std::string watch;          ///< file of packets to follow
  std::string watch_packets;  ///< or a list of them
  [[nodiscard]] bool follows() const { return !watch.empty() || !watch_packets.empty(); }
  std::string energy;  ///< what events take
  std::uint32_t busiest = 0;
};

/// What is read, files and specs, as they were given; "" for what was not.
std::vector<std::string> inputs_of(const SimulateOptions& options);
/// The files that are written beside the answer, "" for those that are not asked for.
std::vector<std::string> files_of(const SimulateOptions& options);
/// Declares them all.
void add_simulate_options(CLI::App& app, SimulateOptions& options);
/// InputError where what is asked for does not go together. Looks at nothing but the options.
void check_modes(const SimulateOptions& options);
/// A seed in the settings is that of everything; where they say none it is --seed.
simulate::ResolvedSettings resolve_settings(const SimulateOptions& options, const Common& common);

}  // namespace unknot::cli
